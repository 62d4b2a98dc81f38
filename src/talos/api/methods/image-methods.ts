import { ImageService, type ImageServiceCredentials } from '../gen/machine/image_pb.js'
import type { CallOptions, Requests, TalosCaller } from '../talos-caller.ts'
import { containerdOf, type ImageStore, imageMs } from './image-store.ts'

const { method } = ImageService

/** Images on a node (Talos 1.13 and later; `talos-refused` before). */
export function imageMethods(caller: TalosCaller) {
  return {
    /** Those that are there; sizes in bytes. For os:reader. */
    list: (store: ImageStore, options?: CallOptions) =>
      caller.stream(method.list, { containerd: containerdOf(store) }, options),

    /** Pulls one: progress layer by layer, and in the end its name, by digest (`kubelet@sha256:...`). For os:operator. */
    pull: (imageRef: string, store: ImageStore, options?: CallOptions) =>
      caller.stream(
        method.pull,
        { imageRef, containerd: containerdOf(store) },
        { timeoutMs: imageMs, ...options },
      ),

    /** Takes one from the bytes of an OCI archive; answers its name. For os:admin. */
    import: (pieces: Requests<Uint8Array>, store: ImageStore, options?: CallOptions) =>
      caller.upload(method.import, archive(pieces, store), { timeoutMs: imageMs, ...options }),

    /** For os:admin. */
    remove: async (imageRef: string, store: ImageStore, options?: CallOptions) => {
      await caller.unary(method.remove, { imageRef, containerd: containerdOf(store) }, options)
    },

    /** Whether the node's own rules let it run an image. For os:reader. */
    verify: (
      imageRef: string,
      credentials?: Pick<ImageServiceCredentials, 'host' | 'username' | 'password'>,
      options?: CallOptions,
    ) => caller.unary(method.verify, { imageRef, ...(credentials && { credentials }) }, options),
  }
}

async function* archive(pieces: Requests<Uint8Array>, store: ImageStore) {
  yield { request: { case: 'containerd' as const, value: containerdOf(store) } }
  for await (const bytes of pieces) {
    yield { request: { case: 'imageChunk' as const, value: { bytes } } }
  }
}
