import type { ImageStore } from './methods/image-store.ts'
import { talosApi } from './talos-api.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

const longEnough = { timeoutMs: 900_000 }

/** Pulls an image into one of the node's stores (Talos 1.13 and later); returns its name there. */
export async function pullImage(
  client: TalosCaller,
  reference: string,
  store: ImageStore,
  options?: CallOptions,
): Promise<string> {
  const { image } = talosApi(client)
  let name = reference
  for await (const { response } of image.pull(reference, store, { ...longEnough, ...options })) {
    if (response.case === 'name') name = response.value
  }
  return name
}

/**
 * Pulls an image (Talos before 1.13), which knows Kubernetes's containerd alone: what is for Talos's own is
 * pulled there all the same, to see that it can be had.
 */
export async function legacyPullImage(
  client: TalosCaller,
  reference: string,
  store: ImageStore,
  options?: CallOptions,
): Promise<void> {
  const { machine } = talosApi(client)
  const known = store === 'system' ? 'services' : store
  await machine.imagePull(reference, known, { ...longEnough, ...options })
}
