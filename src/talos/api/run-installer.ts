import { talosApi } from './talos-api.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

/**
 * Installs another Talos from an image that was pulled before (Talos 1.13 and later); takes effect
 * with the next reboot. Returns the installer's exit code, which is no gRPC error; undefined when the
 * stream ended without one. Checks nothing: neither etcd nor workloads.
 */
export async function runInstaller(
  client: TalosCaller,
  imageName: string,
  onMessage: (line: string) => void,
  options?: CallOptions,
): Promise<number | undefined> {
  let exitCode: number | undefined
  for await (const { progress } of talosApi(client).lifecycle.upgrade(imageName, options)) {
    if (progress?.response.case === 'message') onMessage(progress.response.value)
    if (progress?.response.case === 'exitCode') exitCode = progress.response.value
  }
  return exitCode
}
