import { status } from '@grpc/grpc-js'
import { beforeAll, expect, test } from 'vitest'
import { ContainerDriver, ContainerdNamespace } from '../../src/talos/api/gen/common/common_pb.js'
import { ImageService } from '../../src/talos/api/gen/machine/image_pb.js'
import { MachineService } from '../../src/talos/api/gen/machine/machine_pb.js'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import type { SecretsBundle } from '../../src/talos/config/secrets-bundle.ts'
import type { TalosCredentials } from '../../src/talos/config/talosconfig.ts'
import { pullImages } from '../../src/talos/pull-images.ts'
import { testCluster } from './test-cluster.ts'
import {
  answer,
  answerStream,
  answerVersion,
  Refusal,
  startTestNode,
  type TestNode,
} from './test-node.ts'

const images = [
  { reference: 'registry.k8s.io/kube-apiserver:v1.36.3', store: 'pods' },
  { reference: 'ghcr.io/siderolabs/kubelet:v1.36.3', store: 'services' },
  { reference: 'ghcr.io/siderolabs/installer:v1.13.1', store: 'system' },
] as const
let secrets: SecretsBundle
let credentials: TalosCredentials
beforeAll(async () => {
  ;({ secrets, credentials } = await testCluster())
})

async function connected(
  answers: Parameters<typeof startTestNode>[0]['answers'],
  run: (client: TalosClient, node: TestNode) => Promise<void>,
): Promise<void> {
  await using node = await startTestNode({ secrets, answers })
  using client = new TalosClient({ address: '127.0.0.1', port: node.port, credentials })
  await run(client, node)
}

test('from Talos 1.13 on images are pulled by the image service, each into its store', async () => {
  const pulled: [string, ContainerDriver | undefined, ContainerdNamespace | undefined][] = []
  const answers = [
    answerVersion(() => 'v1.13.0'),
    answerStream(ImageService.method.pull, async function* ({ imageRef, containerd }) {
      pulled.push([imageRef, containerd?.driver, containerd?.namespace])
      yield { response: { case: 'name' as const, value: imageRef } }
    }),
  ]
  await connected(answers, async (client) => {
    await pullImages(client, { name: 'demo-1', images })
    expect(pulled).toEqual([
      [images[0].reference, ContainerDriver.CRI, ContainerdNamespace.NS_CRI],
      [images[1].reference, ContainerDriver.CRI, ContainerdNamespace.NS_SYSTEM],
      [images[2].reference, ContainerDriver.CONTAINERD, ContainerdNamespace.NS_SYSTEM],
    ])
  })
})

test('before that the machine service pulls them', async () => {
  const answers = [
    answerVersion(() => 'v1.12.4'),
    answer(MachineService.method.imagePull, () => ({ messages: [{}] })),
  ]
  await connected(answers, async (client, node) => {
    await pullImages(client, { name: 'demo-1', images })
    expect(node.calls).toEqual(['Version', 'ImagePull', 'ImagePull', 'ImagePull'])
  })
})

test('a registry that does not have it ends it with its words; a Talos that cannot pull is left', async () => {
  const refusing = (code: status) => [
    answerVersion(() => 'v1.12.4'),
    answer(MachineService.method.imagePull, () => {
      throw new Refusal(code, 'kube-apiserver:v1.36.3: not found')
    }),
  ]
  await connected(refusing(status.UNKNOWN), async (client) => {
    await expect(pullImages(client, { name: 'demo-1', images })).rejects.toMatchObject({
      code: 'image-pull-failed',
      message: expect.stringContaining('not found'),
    })
  })
  await connected(refusing(status.UNIMPLEMENTED), (client) =>
    pullImages(client, { name: 'demo-1', images }),
  )
})
