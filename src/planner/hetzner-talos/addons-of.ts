import { type AddonsOf, addonsIn } from '../../addons/catalogue.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { hetznerTalosSurroundings } from './hetzner-talos-surroundings.ts'

/** All addons that a cluster of Talos in Hetzner Cloud may have. */
export const addonsOf: AddonsOf<ClusterSpec> = addonsIn(hetznerTalosSurroundings)
