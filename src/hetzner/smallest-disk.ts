import { findServerType, type HetznerCatalogue } from './catalogue.ts'

/**
 * The smallest disk among server types, in GB: a snapshot fits only on disks that are at least as large
 * as the one that it was taken from. Undefined where none of the types is known.
 */
export function smallestDisk(
  catalogue: HetznerCatalogue,
  serverTypes: readonly string[],
): number | undefined {
  const disks = serverTypes.flatMap((name) => findServerType(catalogue, name)?.diskGb ?? [])
  return disks.length === 0 ? undefined : Math.min(...disks)
}
