import type { Labelled, Labels } from '../labels.ts'

/** What a server is doing while an action runs; at other times its status is its machine's power. */
export type ServerTransition =
  | 'initializing'
  | 'starting'
  | 'stopping'
  | 'deleting'
  | 'rebuilding'
  | 'migrating'

export interface PrivateNet {
  readonly network: number
  readonly ip: string
  aliasIps: readonly string[]
  readonly macAddress: string
}

export interface ServerRecord extends Labelled {
  type: string
  readonly location: string
  /** Id of the image that it was made from, or rebuilt from. */
  image: number | null
  transition: ServerTransition | undefined
  /** The exclusive action that runs on it. */
  lockedBy: number | undefined
  /** Ids of its primary IPs. */
  ipv4: number | null
  ipv6: number | null
  privateNets: PrivateNet[]
  /** Attachments whose action still runs: their addresses are taken, though not shown yet. */
  attaching: PrivateNet[]
  placementGroup: number | null
  deleteProtected: boolean
  rebuildProtected: boolean
  backupWindow: string | null
  iso: string | null
  primaryDiskSize: number
  /** Its labels before the last change: what label selectors see until they notice. */
  previousLabels: Labels | undefined
  labelsChangedAt: number
}
