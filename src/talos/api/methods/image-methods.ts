import { ContainerDriver, ContainerdNamespace } from '../gen/common/common_pb.js'
import { ImageService, type ImageServiceCredentials } from '../gen/machine/image_pb.js'
import type { CallOptions, Requests, TalosCaller } from '../talos-caller.ts'

const { method } = ImageService

/** The containerd of Talos itself, or that of Kubernetes. */
export type Containerd = keyof typeof containerds

const containerds = {
  system: { driver: ContainerDriver.CONTAINERD, namespace: ContainerdNamespace.NS_SYSTEM },
  kubernetes: { driver: ContainerDriver.CRI, namespace: ContainerdNamespace.NS_CRI },
} as const

/** Names a containerd as Talos does. */
export function containerdOf(which: Containerd) {
  return containerds[which]
}

/** Images on a node (Talos 1.13 and later; `talos-refused` before). */
export function imageMethods(caller: TalosCaller) {
  return {
    /** Those that are there; sizes in bytes. For os:reader. */
    list: (containerd: Containerd, options?: CallOptions) =>
      caller.stream(method.list, { containerd: containerds[containerd] }, options),

    /** Pulls one: progress layer by layer, and its name in the end. For os:operator. */
    pull: (imageRef: string, containerd: Containerd, options?: CallOptions) =>
      caller.stream(method.pull, { imageRef, containerd: containerds[containerd] }, options),

    /** Takes one from the bytes of an OCI archive; answers its name. For os:admin. */
    import: (pieces: Requests<Uint8Array>, containerd: Containerd, options?: CallOptions) =>
      caller.upload(method.import, archive(pieces, containerd), options),

    /** For os:admin. */
    remove: async (imageRef: string, containerd: Containerd, options?: CallOptions) => {
      await caller.unary(method.remove, { imageRef, containerd: containerds[containerd] }, options)
    },

    /** Whether the node's own rules let it run an image. For os:reader. */
    verify: (
      imageRef: string,
      credentials?: Pick<ImageServiceCredentials, 'host' | 'username' | 'password'>,
      options?: CallOptions,
    ) => caller.unary(method.verify, { imageRef, ...(credentials && { credentials }) }, options),
  }
}

async function* archive(pieces: Requests<Uint8Array>, containerd: Containerd) {
  yield { request: { case: 'containerd' as const, value: containerds[containerd] } }
  for await (const bytes of pieces) {
    yield { request: { case: 'imageChunk' as const, value: { bytes } } }
  }
}
