/** The addons that come with the product, by the names that plans and `needs` know them by. */
export const addonNames = ['cilium', 'hcloud-ccm', 'csr-approver', 'hcloud-csi'] as const
export type AddonName = (typeof addonNames)[number]

/** Whether objects that an apply makes besides those of addons are kept under such a name. */
export function isReservedSetName(name: string): boolean {
  return name === 'hetzner-credentials' || name.startsWith('namespace-')
}
