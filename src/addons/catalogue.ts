import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { AddonName } from '../spec/tables/addon-names.ts'
import type { Addon, AddonTraits, AnyAddon, CatalogueAddon } from './addon.ts'
import type { AddonSurroundings } from './addon-surroundings.ts'
import { broughtAddons } from './brought-addon.ts'
import { cilium } from './cilium.ts'
import { csrApprover } from './csr-approver.ts'
import { hcloudCcm } from './hcloud-ccm.ts'
import { hcloudCsi } from './hcloud-csi.ts'

/** By name, in the order in which people read them. */
export type AddonTable<Spec extends CommonSpec = ClusterSpec> = Readonly<
  Record<string, AnyAddon<Spec>>
>

/**
 * All addons that a cluster of a mode may have. What goes over all of them takes this, so that each mode has its own, and
 * a test an addon that nobody makes.
 */
export type AddonsOf<Spec extends CommonSpec> = (spec: Spec) => AddonTable<Spec>

/** Every addon that comes with the product, in the order in which people read them. */
export const catalogue: Readonly<Record<AddonName, CatalogueAddon>> = {
  cilium,
  'hcloud-ccm': hcloudCcm,
  'csr-approver': csrApprover,
  'hcloud-csi': hcloudCsi,
}

/** The addons of a mode: the catalogue with the values that its surroundings ask for, and what the file brings. */
export function addonsIn<Spec extends CommonSpec>(
  surroundingsOf: (spec: Spec) => AddonSurroundings,
): AddonsOf<Spec> {
  return (spec) => {
    const surroundings = surroundingsOf(spec)
    const placed = Object.values(catalogue).map(
      (addon): Addon<CommonSpec> => ({
        ...addon,
        values: (of, facts) => addon.values(of, { ...facts, surroundings }),
      }),
    )
    return {
      ...Object.fromEntries(placed.map((addon) => [addon.name, addon])),
      ...broughtAddons(spec.addons.custom),
    }
  }
}

/** The addons that a spec asks for. */
export function enabledAddons<Spec extends CommonSpec>(
  spec: Spec,
  addonsOf: AddonsOf<Spec>,
): AnyAddon<Spec>[] {
  return Object.values(addonsOf(spec)).filter((addon) => addon.enabled(spec))
}

/** The addon of a name, with what is known of it in every mode. */
export function addonNamed(
  name: string,
  addons: Readonly<Record<string, AddonTraits>> = catalogue,
): AddonTraits | undefined {
  return Object.hasOwn(addons, name) ? addons[name] : undefined
}
