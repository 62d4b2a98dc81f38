import { type AddonsOf, addonsIn } from '../../addons/catalogue.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { hostsSurroundings } from './hosts-surroundings.ts'

/** All addons that a cluster on hosts that exist may have. */
export const addonsOfHosts: AddonsOf<HostsSpec> = addonsIn(hostsSurroundings)
