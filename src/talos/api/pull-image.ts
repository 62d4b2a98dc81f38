import type { ImageStore } from './methods/image-store.ts'
import { talosApi } from './talos-api.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

/** Pulls an image into one of the node's stores (Talos 1.13 and later); returns its name there. */
export async function pullImage(
  client: TalosCaller,
  reference: string,
  store: ImageStore,
  options?: CallOptions,
): Promise<string> {
  let name = reference
  for await (const { response } of talosApi(client).image.pull(reference, store, options)) {
    if (response.case === 'name') name = response.value
  }
  return name
}
