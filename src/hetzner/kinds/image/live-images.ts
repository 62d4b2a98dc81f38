import type { InventoryImage } from '../../../plan/inventory.ts'
import { type ClusterRecord, recordKey } from '../../../plan/record.ts'
import type { ApiImage } from '../../api/images.ts'
import type { HetznerCatalogue } from '../../catalogue.ts'
import { smallestDisk } from '../../smallest-disk.ts'
import { findSnapshot, imageSpecSchema, liveImage } from './image-record.ts'

/**
 * Of the images that are desired, those for which the project has a usable snapshot: the one that the state
 * recorded, which fits on the disk of every server that is desired with it.
 */
export function liveImages(
  desired: readonly ClusterRecord[],
  {
    snapshots,
    catalogue,
    knownImages,
  }: {
    readonly snapshots: readonly ApiImage[]
    readonly catalogue: HetznerCatalogue
    readonly knownImages: ReadonlyMap<string, InventoryImage>
  },
): ClusterRecord[] {
  return desired
    .filter(({ kind }) => kind === 'image')
    .flatMap((record) => {
      const types = desired.flatMap(({ spec, needs }) =>
        needs.includes(recordKey(record)) ? [String(spec['serverType'])] : [],
      )
      const wanted = imageSpecSchema.parse(record.spec)
      const image = findSnapshot(snapshots, wanted, {
        maxDiskGb: smallestDisk(catalogue, types),
        recorded: knownImages.get(recordKey(record))?.id,
      })
      return image ? [liveImage(image, record, catalogue)] : []
    })
}
