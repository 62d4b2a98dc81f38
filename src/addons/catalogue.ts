import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { AddonName } from '../spec/tables/addon-names.ts'
import type { Addon, AnyAddon } from './addon.ts'
import { broughtAddons } from './brought-addon.ts'
import { cilium } from './cilium.ts'
import { csrApprover } from './csr-approver.ts'
import { hcloudCcm } from './hcloud-ccm.ts'
import { hcloudCsi } from './hcloud-csi.ts'

/** By name. What goes over all addons takes a table, so that a test can add an addon of its own. */
export type AddonTable = Readonly<Record<string, AnyAddon>>

/** Every addon that comes with the product, in the order in which people read them. */
export const catalogue: Readonly<Record<AddonName, Addon>> = {
  cilium,
  'hcloud-ccm': hcloudCcm,
  'csr-approver': csrApprover,
  'hcloud-csi': hcloudCsi,
}

/** The catalogue with what the file brings. */
export function addonsOf(spec: ClusterSpec): AddonTable {
  return { ...catalogue, ...broughtAddons(spec.addons.custom) }
}

/** The addons that a spec asks for. */
export function enabledAddons(spec: ClusterSpec, addons: AddonTable = addonsOf(spec)): AnyAddon[] {
  return Object.values(addons).filter((addon) => addon.enabled(spec))
}

export function addonNamed(name: string, addons: AddonTable = catalogue): AnyAddon | undefined {
  return Object.hasOwn(addons, name) ? addons[name] : undefined
}
