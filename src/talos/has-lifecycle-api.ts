/** Whether this Talos has the services for images and the lifecycle, which came with 1.13. */
export function hasLifecycleApi(version: string): boolean {
  const [, minor] = /^v?1\.(\d+)\./.exec(version) ?? []
  return Number(minor) >= 13
}
