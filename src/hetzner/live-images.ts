import type { ClusterRecord } from '../plan/record.ts'
import type { ApiImage } from './api/images.ts'
import type { HetznerCatalogue } from './catalogue.ts'
import { findSnapshot, imageSpecSchema, liveImage } from './records/image-record.ts'

/** Of the images that are desired, those for which the project has a usable snapshot. */
export function liveImages(
  desired: readonly ClusterRecord[],
  { snapshots, catalogue }: { snapshots: readonly ApiImage[]; catalogue: HetznerCatalogue },
): ClusterRecord[] {
  return desired
    .filter(({ kind }) => kind === 'image')
    .flatMap((record) => {
      const image = findSnapshot(snapshots, imageSpecSchema.parse(record.spec))
      return image ? [liveImage(image, record, catalogue)] : []
    })
}
