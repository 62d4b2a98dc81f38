import { status } from '@grpc/grpc-js'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import { ContainerdNamespace } from '../../src/talos/api/gen/common/common_pb.js'
import { ImageService } from '../../src/talos/api/gen/machine/image_pb.js'
import { LifecycleService } from '../../src/talos/api/gen/machine/lifecycle_pb.js'
import { MachineService } from '../../src/talos/api/gen/machine/machine_pb.js'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import type { SecretsBundle } from '../../src/talos/config/secrets-bundle.ts'
import type { TalosCredentials } from '../../src/talos/config/talosconfig.ts'
import { upgradeTalosNode, waitForTalosVersion } from '../../src/talos/upgrade-talos-node.ts'
import { testCluster } from './test-cluster.ts'
import {
  answer,
  answerBootId,
  answerStage,
  answerStream,
  answerVersion,
  Refusal,
  startTestNode,
  type TestNode,
} from './test-node.ts'

const image = 'factory.talos.dev/hcloud-installer/abc:v1.13.1'
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

function lifecycle(exitCode: number | undefined) {
  return [
    answerStream(ImageService.method.pull, async function* ({ imageRef, containerd }) {
      expect(imageRef).toBe(image)
      expect(containerd?.namespace).toBe(ContainerdNamespace.NS_SYSTEM)
      yield { response: { case: 'pullProgress' as const, value: { layerId: 'layer' } } }
      yield { response: { case: 'name' as const, value: `${image}@sha256:1` } }
    }),
    answerStream(LifecycleService.method.upgrade, async function* ({ source }) {
      expect(source?.imageName).toBe(`${image}@sha256:1`)
      yield {
        progress: { response: { case: 'message' as const, value: 'writing the boot loader' } },
      }
      if (exitCode !== undefined) {
        yield { progress: { response: { case: 'exitCode' as const, value: exitCode } } }
      }
    }),
    answer(MachineService.method.reboot, () => ({ messages: [{ actorId: 'actor' }] })),
  ]
}

describe('from Talos 1.13 on', () => {
  test('the image is pulled, installed, and the node rebooted', async () => {
    await connected(lifecycle(0), async (client, node) => {
      const lines: string[] = []
      const onProgress = (line: string) => lines.push(line)
      await upgradeTalosNode(client, { image, fromVersion: 'v1.13.0', onProgress })
      expect(node.calls).toEqual(['Pull', 'Upgrade', 'Reboot'])
      expect(lines).toContain('writing the boot loader')
    })
  })

  test.for([
    [2, /does not take/, true],
    [3, /does not support/, true],
    [7, /could not install/, false],
    [undefined, /without an exit code/, false],
  ] as const)(
    'an installer that ends with %s leaves the node as it is',
    ([code, message, isPermanent]) =>
      connected(lifecycle(code), async (client, node) => {
        const upgrade = upgradeTalosNode(client, { image, fromVersion: 'v1.13.0' })
        await expect(upgrade).rejects.toMatchObject({
          code: 'talos-upgrade-failed',
          message: expect.stringMatching(message),
          hint: isPermanent
            ? expect.stringContaining('same way again')
            : expect.not.stringContaining('same way again'),
        })
        // One that will end otherwise is not run again by itself either: whoever runs the upgrade decides.
        expect(node.calls).toEqual(['Pull', 'Upgrade'])
      }),
  )
})

describe('before Talos 1.13', () => {
  test('the node is asked to do all of it, and to look at etcd', async () => {
    const legacy = answer(MachineService.method.upgrade, (request) => {
      expect(request).toMatchObject({ image, preserve: false, stage: false, force: false })
      return { messages: [{ ack: 'Upgrade request received' }] }
    })
    await connected([legacy], async (client, node) => {
      await upgradeTalosNode(client, { image, fromVersion: 'v1.12.4' })
      expect(node.calls).toEqual(['Upgrade'])
    })
  })

  test('an answer that is lost on the way down is no failure, a refusal is', async () => {
    for (const [code, fails] of [
      [status.UNAVAILABLE, false],
      [status.FAILED_PRECONDITION, true],
    ] as const) {
      const legacy = answer(MachineService.method.upgrade, () => {
        throw new Refusal(code, 'etcd member is not healthy')
      })
      await connected([legacy], async (client) => {
        const upgrade = upgradeTalosNode(client, { image, fromVersion: 'v1.12.4' })
        if (fails) await expect(upgrade).rejects.toMatchObject({ code: 'talos-refused' })
        else await upgrade
      })
    }
  })
})

test('the wait ends only after another boot, with the new version, fully started', async () => {
  const seen = { bootId: 'before', version: 'v1.12.4', stage: 'rebooting' }
  const answers = [
    answerBootId(() => seen.bootId),
    answerVersion(() => seen.version),
    answerStage(() => seen.stage),
  ]
  await connected(answers, async (client) => {
    const reasons: string[] = []
    const next = [
      () => Object.assign(seen, { bootId: 'after' }),
      () => Object.assign(seen, { version: 'v1.13.1' }),
      () => Object.assign(seen, { stage: 'running' }),
    ]
    await waitForTalosVersion(client, {
      version: 'v1.13.1',
      formerBootId: 'before',
      clock: createClock(100),
      onPending: (reason) => {
        reasons.push(reason)
        next.shift()?.()
      },
    })
    expect(reasons).toEqual([
      'it has not gone down yet',
      'it came back with v1.12.4',
      'it is rebooting',
    ])
  })
})

test('a node that falls back to its old version is told when the time is over', async () => {
  const answers = [answerBootId(() => 'after'), answerVersion(() => 'v1.12.4')]
  await connected(answers, async (client) => {
    const wait = waitForTalosVersion(client, {
      version: 'v1.13.1',
      formerBootId: 'before',
      clock: createClock(100),
      withinMs: 4_000,
    })
    await expect(wait).rejects.toThrow('it came back with v1.12.4')
  })
})
