/**
 * The folder of `certs.d` in which containerd looks for the mirrors of a registry; absent where a registry is written so
 * that there is none, as an address of IPv6.
 */
export function registryFolder(registry: string): string | undefined {
  if (registry === '*') return '_default'
  return /^[\w-]+(?:\.[\w-]+)*(?::\d+)?$/.test(registry) ? registry : undefined
}
