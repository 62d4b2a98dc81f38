import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { Addon } from './addon.ts'
import { cilium } from './cilium.ts'
import { csrApprover } from './csr-approver.ts'
import { hcloudCcm } from './hcloud-ccm.ts'
import { hcloudCsi } from './hcloud-csi.ts'

/** Every addon there is, in the order in which people read them. */
export const catalogue: readonly Addon[] = [cilium, hcloudCcm, csrApprover, hcloudCsi]

/** The addons that a spec asks for. */
export function enabledAddons(spec: ClusterSpec): Addon[] {
  return catalogue.filter((addon) => addon.enabled(spec))
}

export function addonNamed(name: string): Addon | undefined {
  return catalogue.find((addon) => addon.name === name)
}
