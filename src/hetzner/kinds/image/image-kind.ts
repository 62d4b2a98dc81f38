import type { ClusterRecord } from '../../../plan/record.ts'
import { poolOf } from '../../pool-of.ts'
import type { HetznerKind } from '../hetzner-kind.ts'
import { plainComparison, plainDestruction, plainDrift } from '../kind-defaults.ts'
import { desireImage, imageRules } from './image-record.ts'
import { liveImages } from './live-images.ts'

/** Snapshots that nodes are made from. Clusters share them, so that none deletes one; building one takes SSH (engine). */
export const imageKind: HetznerKind<never> = {
  name: 'image',
  observe: { observedIn: 'when-desired', live: liveImages },
  desire: ({ spec, nodes, image }) =>
    [...new Set(nodes.map((node) => poolOf(spec, node).arch))]
      .sort()
      .map((arch) => desireImage(image(arch))),
  compare: { ...plainComparison, rules: imageRules, isMadeOnDemand: true, drift: plainDrift },
  apply: { create: refuse, update: refuse, delete: refuse },
  destroy: { ...plainDestruction, isKept: () => true },
  phase: 'images',
}

function refuse({ name }: ClusterRecord): never {
  throw new Error(`image/${name} is not Hetzner's to change`)
}
