import { status } from '@grpc/grpc-js'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { ImageStore } from './api/methods/image-store.ts'
import { getVersion } from './api/node-version.ts'
import { pullImage } from './api/pull-image.ts'
import { talosApi } from './api/talos-api.ts'
import type { TalosConnection } from './api/talos-caller.ts'
import { statusCode } from './api/talos-status.ts'
import { hasLifecycleApi } from './has-lifecycle-api.ts'

export interface WantedImage {
  readonly reference: string
  readonly store: ImageStore
}

/**
 * Pulls images on a node before they are needed, through the API that its Talos has, so that nothing that
 * is stopped later waits for a registry. A Talos that cannot is left as it is. Throws `image-pull-failed`
 * with the registry's answer.
 */
export async function pullImages(
  client: TalosConnection,
  { name, images }: { readonly name: string; readonly images: readonly WantedImage[] },
): Promise<void> {
  if (images.length === 0) return
  const { tag } = await getVersion(client)
  const pull = hasLifecycleApi(tag) ? pullImage : legacyPullImage
  for (const { reference, store } of images) {
    try {
      await pull(client, reference, store)
    } catch (error) {
      if (statusCode(error) === status.UNIMPLEMENTED) return
      if (!isClusterError(error, 'talos-refused')) throw error
      throw new ClusterError(
        'image-pull-failed',
        `${name} cannot pull ${reference}: ${error.message}`,
        {
          operation: 'pull an image',
          target: name,
          hint: 'Check the version, and that the nodes reach the registry (talos.registryMirrors); nothing was changed.',
          cause: error,
        },
      )
    }
  }
}

/**
 * Talos before 1.13 knows Kubernetes's containerd alone: what is for its own is pulled there all the same, to
 * see that it can be had.
 */
async function legacyPullImage(
  client: TalosConnection,
  reference: string,
  store: ImageStore,
): Promise<void> {
  await talosApi(client).machine.imagePull(reference, store === 'system' ? 'services' : store)
}
