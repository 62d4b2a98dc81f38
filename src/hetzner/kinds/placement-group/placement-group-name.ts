/** Hetzner's limit of servers in one spread placement group. */
const placementGroupSize = 10

/** The group that a slot belongs to: ten of a pool each. */
export function placementGroupName(clusterName: string, pool: string, slot: number): string {
  return `${clusterName}-${pool}-${Math.floor((slot - 1) / placementGroupSize) + 1}`
}
