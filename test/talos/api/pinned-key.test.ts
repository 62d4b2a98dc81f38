import { expect, test } from 'vitest'
import { talosApi } from '../../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../../src/talos/api/talos-client.ts'
import { probeNode } from '../../../src/talos/probe-node.ts'
import { answerVersion, startTestNode } from '../test-node.ts'

const address = '127.0.0.1'
const answers = [answerVersion(() => 'v1.13.0')]

/** The key that a node in maintenance shows. */
async function keyOf(port: number): Promise<string> {
  const probe = await probeNode(address, { port })
  if (probe.state !== 'maintenance') throw new Error(`it is ${probe.state}`)
  return probe.fingerprint
}

test('a node that shows the key that it showed before is spoken with', async () => {
  await using node = await startTestNode({ answers })
  const fingerprint = await keyOf(node.port)
  using client = new TalosClient({ address, port: node.port, fingerprint })
  expect((await talosApi(client).machine.version()).version?.tag).toBe('v1.13.0')
})

test('one that shows another is not, and hears nothing', async () => {
  await using other = await startTestNode({ answers })
  await using node = await startTestNode({ answers })
  const fingerprint = await keyOf(other.port)
  using client = new TalosClient({ address, port: node.port, fingerprint })
  await expect(talosApi(client).machine.version()).rejects.toMatchObject({
    code: 'talos-identity',
    message: expect.stringContaining('another key'),
  })
  expect(node.calls).toEqual([])
})

test('one that another has taken the place of, in the middle, is not either', async () => {
  const node = await startTestNode({ answers })
  const { port } = node
  const fingerprint = await keyOf(port)
  using client = new TalosClient({ address, port, fingerprint })
  await talosApi(client).machine.version()
  await node[Symbol.asyncDispose]()
  await using imposter = await startTestNode({ answers, port })
  const failure = () =>
    talosApi(client)
      .machine.version()
      .catch((error) => error)
  await expect.poll(failure).toMatchObject({ code: 'talos-identity' })
  expect(imposter.calls).toEqual([])
})
