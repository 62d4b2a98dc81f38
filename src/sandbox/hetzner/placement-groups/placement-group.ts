import type { Labelled } from '../labels.ts'

/** Its servers are not stored here: each server knows its group. */
export interface PlacementGroupRecord extends Labelled {
  readonly type: 'spread'
}
