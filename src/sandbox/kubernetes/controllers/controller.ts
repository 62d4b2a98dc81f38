import type { StoreEvent } from '../model/object-store.ts'

/** What plays one of the cluster's loops: told what may need a look, it makes things as they should be. */
export interface Controller {
  readonly name: string
  /** What has to be looked at because of an event; nothing for events that do not concern it. */
  readonly concerns: (event: StoreEvent) => Iterable<string>
  /** Looks at one key, from what is there now. Answers after how long to look again, if at all. */
  readonly reconcile: (key: string) => number | undefined
}

/** Something to do later, on the world's clock. */
export type Later = (milliseconds: number, run: () => void) => void
