/** What is lost by a way back, as a drill finds it. */
export type Loss = 'nothing' | 'after-the-snapshot'

/** The drills of the documents: each is run as it is printed, and finds what its page says is lost of Kubernetes. */
export const drills = {
  'fresh-machine': 'nothing',
  'offline-key': 'nothing',
  'snapshots-there-are': 'nothing',
  'quorum-lost': 'nothing',
  'etcd-lost': 'after-the-snapshot',
  'authorities-ended': 'after-the-snapshot',
  'plain-snapshot': 'after-the-snapshot',
  'branch-lost': 'nothing',
  'silent-control-plane': 'nothing',
  'switched-off': 'nothing',
  'node-object-deleted': 'nothing',
  'etcd-full': 'nothing',
  repair: 'nothing',
  export: 'nothing',
  import: 'nothing',
  compact: 'nothing',
  unlock: 'nothing',
  'rotation-prepared': 'nothing',
  rotate: 'nothing',
  revoke: 'nothing',
} as const satisfies Readonly<Record<string, Loss>>

export type DrillName = keyof typeof drills

/** How a page says what is lost. */
export const lossWords: Readonly<Record<Loss, RegExp>> = {
  nothing: /nothing is lost/,
  'after-the-snapshot': /what was written to Kubernetes after the snapshot is lost/,
}
