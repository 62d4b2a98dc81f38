import { status } from '@grpc/grpc-js'
import {
  ContainerDriver,
  type ContainerdInstance,
  ContainerdNamespace,
} from '../../../talos/api/gen/common/common_pb.js'
import {
  ImageService,
  ImageServicePullLayerProgress_Status as LayerStatus,
} from '../../../talos/api/gen/machine/image_pb.js'
import { MachineService } from '../../../talos/api/gen/machine/machine_pb.js'
import { digestOf, findInstaller, pinnedName, pulledImages } from '../installer.ts'
import { pause } from '../pause.ts'
import type { TalosNode } from '../talos-node.ts'
import { type Rpc, RpcError, serverStream, unary } from './rpc.ts'

export const imageRpcs: readonly Rpc[] = [
  serverStream(ImageService.method.pull, async function* ({ imageRef, containerd }, { node }) {
    const store = storeOf(containerd)
    const layerId = '0'.repeat(12)
    checkExists(node, imageRef)
    const layer = (layerStatus: LayerStatus, offset: bigint) => ({
      response: {
        case: 'pullProgress' as const,
        value: { layerId, progress: { status: layerStatus, offset, total: 1_024n } },
      },
    })
    yield layer(LayerStatus.DOWNLOADING, 0n)
    await pause(node, 'image-pull')
    yield layer(LayerStatus.DOWNLOAD_COMPLETE, 1_024n)
    yield layer(LayerStatus.EXTRACT_COMPLETE, 1_024n)
    const name = pinnedName(imageRef)
    for (const each of [imageRef, name]) pulledImages(node, store).add(each)
    yield { response: { case: 'name' as const, value: name } }
  }),
  serverStream(ImageService.method.list, async function* ({ containerd }, { node }) {
    yield* imagesOf(node, storeOf(containerd))
  }),
  unary(ImageService.method.remove, ({ imageRef, containerd }, { node }) => {
    if (!pulledImages(node, storeOf(containerd)).delete(imageRef)) {
      throw new RpcError(status.NOT_FOUND, `image ${imageRef} not found`)
    }
    return {}
  }),
  serverStream(MachineService.method.imageList, async function* ({ namespace }, { node }) {
    yield* imagesOf(node, storeOf({ driver: ContainerDriver.CRI, namespace }))
  }),
  unary(MachineService.method.imagePull, async ({ reference, namespace }, { node }) => {
    const store = storeOf({ driver: ContainerDriver.CRI, namespace })
    checkExists(node, reference)
    await pause(node, 'image-pull')
    for (const each of [reference, pinnedName(reference)]) pulledImages(node, store).add(each)
    return { messages: [{}] }
  }),
]

/** Facts: Talos has a containerd of its own, with one namespace, and one for Kubernetes, with two. */
function storeOf(containerd: Pick<ContainerdInstance, 'driver' | 'namespace'> | undefined): string {
  const driver = containerd?.driver ?? ContainerDriver.CONTAINERD
  const namespace = containerd?.namespace ?? ContainerdNamespace.NS_UNKNOWN
  if (namespace === ContainerdNamespace.NS_UNKNOWN) {
    throw new RpcError(status.INVALID_ARGUMENT, 'invalid containerd namespace NS_UNKNOWN')
  }
  if (driver === ContainerDriver.CONTAINERD && namespace === ContainerdNamespace.NS_CRI) {
    const problem = 'cannot use CRI namespace with containerd driver'
    throw new RpcError(status.INVALID_ARGUMENT, problem)
  }
  return `${ContainerDriver[driver]}/${ContainerdNamespace[namespace]}`
}

function imagesOf(node: TalosNode, store: string) {
  const names = [...pulledImages(node, store)].sort()
  const createdAt = { seconds: BigInt(Date.UTC(2026, 0, 1) / 1_000) }
  return names.map((name) => ({ name, digest: digestOf(name), size: 1_024n, createdAt }))
}

/** Installers must exist; of other images any reference with a tag will do. */
function checkExists(node: TalosNode, reference: string): void {
  const isInstaller = /installer/.test(reference)
  const exists = isInstaller ? findInstaller(reference) !== undefined : /:[^/]+$/.test(reference)
  if (exists && !node.state.faults.refusesImage(node.name, reference)) return
  throw new RpcError(
    status.NOT_FOUND,
    `error pulling image: failed to pull image "${reference}": failed to resolve reference "${reference}": ${reference}: not found`,
  )
}
