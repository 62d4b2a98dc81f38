import { markFile } from '../../kubeadm/config/kubeadm-paths.ts'
import { readMark } from '../../kubeadm/host/read-mark.ts'
import type { ClusterMark } from '../../kubeadm/host/seen-host.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { readFile } from '../../ssh/read-file.ts'
import type { HostConnections } from './host-connections.ts'
import type { KnownHost } from './known-hosts.ts'

/** What hosts say of which cluster they are, where they were asked for nothing else. */
export interface AskedMarks {
  /** Of those that answered; undefined where it has none. */
  readonly marks: ReadonlyMap<string, ClusterMark | undefined>
  /** Why the others did not. */
  readonly silent: ReadonlyMap<string, ClusterError>
}

const askMs = 30_000
const mostBytes = 64 * 1024

/** Asks hosts of which cluster they are and how far that had come, all at once. Changes nothing. */
export async function askMarks(
  hosts: HostConnections,
  known: readonly KnownHost[],
): Promise<AskedMarks> {
  const marks = new Map<string, ClusterMark | undefined>()
  const silent = new Map<string, ClusterError>()
  await Promise.all(
    known.map(async (host) => {
      try {
        const text = await readFile(await hosts.to(host), markFile, { mostBytes, withinMs: askMs })
        marks.set(host.name, text && readMark(text.toString('utf8')))
      } catch (error) {
        if (!(error instanceof ClusterError) || error.code === 'interrupted') throw error
        silent.set(host.name, error)
      }
    }),
  )
  return { marks, silent }
}

/** Whether none of them could be asked for want of what their logins name: then this run has no way to them. */
export function lacksKeys({ marks, silent }: AskedMarks): boolean {
  const isKeyless = [...silent.values()].every(({ code }) => code === 'ssh-key-unreadable')
  return marks.size === 0 && isKeyless
}
