import type { Change } from '../plan/change.ts'
import type { Inventory } from '../plan/inventory.ts'
import { claimResources, recordImage } from '../plan/inventory-resources.ts'
import { type ClusterRecord, recordKey } from '../plan/record.ts'
import type { StateRecorder } from '../run/state-recorder.ts'

/** What is about to be created is written down before, where the run has not done so yet. */
export async function claim(
  changes: readonly Change[],
  recorder: StateRecorder,
  live: readonly ClusterRecord[],
): Promise<void> {
  const edit = (inventory: Inventory) => claimResources(inventory, changes, live)
  if (edit(recorder.inventory) === recorder.inventory) return
  recorder.record('Claim resources', edit)
  await recorder.flush()
}

/** A snapshot that was there already is the image from now on, and no other is taken for it. */
export function bindImage(recorder: StateRecorder, record: ClusterRecord): void {
  const key = recordKey(record)
  const { id, digest } = record.facts ?? {}
  if (typeof id !== 'number' || recorder.inventory.images?.[key] !== undefined) return
  const image = { id, ...(typeof digest === 'string' && { digest }) }
  recorder.record(`Note ${key}`, (inventory) => recordImage(inventory, key, image))
}
