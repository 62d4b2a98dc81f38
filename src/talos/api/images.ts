import { ContainerDriver, ContainerdNamespace } from './gen/common/common_pb.js'
import { ImageService } from './gen/machine/image_pb.js'
import { MachineService } from './gen/machine/machine_pb.js'
import { onlyMessage } from './node-answers.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

/** Which of a node's two stores an image goes to: Talos's own (installers, the kubelet), or that of pods. */
export type ImageStore = 'system' | 'pods'

const namespaces = {
  system: ContainerdNamespace.NS_SYSTEM,
  pods: ContainerdNamespace.NS_CRI,
} as const
const longEnough = { timeoutMs: 900_000 }

/** Pulls an image into the node's containerd (Talos 1.13 and later); returns its name there. */
export async function pullImage(
  client: TalosCaller,
  imageRef: string,
  store: ImageStore,
  options?: CallOptions,
): Promise<string> {
  const containerd = { driver: ContainerDriver.CONTAINERD, namespace: namespaces[store] }
  const answers = client.stream(
    ImageService.method.pull,
    { containerd, imageRef },
    { ...longEnough, ...options },
  )
  let name = imageRef
  for await (const { response } of answers) {
    if (response.case === 'name') name = response.value
  }
  return name
}

/** Pulls an image (Talos before 1.13). */
export async function legacyPullImage(
  client: TalosCaller,
  reference: string,
  store: ImageStore,
  options?: CallOptions,
): Promise<void> {
  const { messages } = await client.unary(
    MachineService.method.imagePull,
    { namespace: namespaces[store], reference },
    { ...longEnough, ...options },
  )
  onlyMessage(messages, { method: 'ImagePull', address: client.address })
}
