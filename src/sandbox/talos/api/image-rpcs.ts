import { status } from '@grpc/grpc-js'
import {
  ImageService,
  ImageServicePullLayerProgress_Status as LayerStatus,
} from '../../../talos/api/gen/machine/image_pb.js'
import { MachineService } from '../../../talos/api/gen/machine/machine_pb.js'
import { findInstaller, pulledImages } from '../installer.ts'
import { pause } from '../pause.ts'
import type { TalosNode } from '../talos-node.ts'
import { type Rpc, RpcError, serverStream, unary } from './rpc.ts'

export const imageRpcs: readonly Rpc[] = [
  serverStream(ImageService.method.pull, async function* ({ imageRef }, { node }) {
    const layerId = `sha256:${'0'.repeat(64)}`
    checkExists(node, imageRef, 'NotFound')
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
    pulledImages(node).add(imageRef)
    yield { response: { case: 'name' as const, value: imageRef } }
  }),
  serverStream(ImageService.method.list, async function* (_request, { node }) {
    for (const name of imagesOf(node)) yield { name, digest: '', size: 1_024n }
  }),
  unary(ImageService.method.remove, ({ imageRef }, { node }) => {
    if (!pulledImages(node).delete(imageRef)) {
      throw new RpcError(status.NOT_FOUND, `image "${imageRef}" not found`)
    }
    return {}
  }),
  serverStream(MachineService.method.imageList, async function* (_request, { node }) {
    for (const name of imagesOf(node)) yield { name, digest: '', size: 1_024n }
  }),
  unary(MachineService.method.imagePull, async ({ reference }, { node }) => {
    checkExists(node, reference, 'Unknown')
    await pause(node, 'image-pull')
    pulledImages(node).add(reference)
    return { messages: [{}] }
  }),
]

function imagesOf(node: TalosNode): string[] {
  return [...pulledImages(node)].sort()
}

/** Installers must exist; of other images any reference with a tag will do. */
function checkExists(node: TalosNode, reference: string, code: 'NotFound' | 'Unknown'): void {
  const isInstaller = /installer/.test(reference)
  const exists = isInstaller ? findInstaller(reference) !== undefined : /:[^/]+$/.test(reference)
  if (exists && !node.state.faults.refusesImage(node.name, reference)) return
  throw new RpcError(
    code === 'NotFound' ? status.NOT_FOUND : status.UNKNOWN,
    `error pulling image: failed to pull image "${reference}": failed to resolve reference "${reference}": ${reference}: not found`,
  )
}
