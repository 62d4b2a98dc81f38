import type { Bed } from './bed.ts'

/** What real hosts start from, and what they fetch. All paths are absolute. */
export interface HostBed {
  /** A Debian that systemd starts: lower folder of the disks of all hosts. */
  readonly root: string
  readonly runc: string
  /** Folders of the web servers of Debian, Docker and Kubernetes. */
  readonly repositories: readonly string[]
  /** Versions of what these have, without v. */
  readonly kubernetes: string
  /** The next patch release, which hosts are upgraded to. */
  readonly nextKubernetes: string
  readonly containerd: string
  readonly images: Bed['images']
  /** Says that the machine's clock is right, for as long as it runs. */
  readonly trustClock: string
  readonly kubectl: string
}
