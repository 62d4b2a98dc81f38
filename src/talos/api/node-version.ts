import { talosApi } from './talos-api.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

/** What a node says of the software that it runs. */
export interface NodeVersion {
  /** `v1.13.0`. */
  readonly tag: string
  readonly arch: string
  /** `hcloud`. */
  readonly platform: string
}

/** The running version. Before 1.13, a node in maintenance refuses this (unimplemented). */
export async function getVersion(client: TalosCaller, options?: CallOptions): Promise<NodeVersion> {
  const { version, platform } = await talosApi(client).machine.version(options)
  return {
    tag: version?.tag ?? '',
    arch: version?.arch ?? '',
    platform: platform?.name ?? '',
  }
}
