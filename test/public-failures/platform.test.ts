import { expect, test } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import { MachineService } from '../../src/talos/api/gen/machine/machine_pb.js'
import { configureNode } from '../../src/talos/configure-node.ts'
import { testCluster } from '../talos/test-cluster.ts'
import { answer, answerStage, startTestNode, type TestNode } from '../talos/test-node.ts'

test('a node whose Talos is not for hcloud is refused as soon as it says so', async () => {
  const { secrets, credentials } = await testCluster()
  const nodes: TestNode[] = []
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]()
  })
  const version = answer(MachineService.method.version, () => ({
    messages: [{ version: { tag: 'v1.13.0', arch: 'amd64' }, platform: { name: 'metal' } }],
  }))
  const comeBack = async (port: number) => {
    for (const node of nodes) await node[Symbol.asyncDispose]()
    nodes.push(await startTestNode({ port, secrets, answers: [version] }))
  }
  const first = await startTestNode({
    answers: [
      answerStage(() => 'maintenance'),
      answer(MachineService.method.applyConfiguration, () => {
        setTimeout(() => void comeBack(first.port), 5)
        return { messages: [{}] }
      }),
    ],
  })
  nodes.push(first)
  const configuring = configureNode({
    name: 'demo-workers-1',
    address: '127.0.0.1',
    port: first.port,
    config: 'machine: {}\n',
    credentials,
    clock: createClock(50),
  })
  await expect(configuring).rejects.toMatchObject({
    code: 'talos-refused',
    message: 'demo-workers-1 runs Talos for metal, not for hcloud',
  })
})
