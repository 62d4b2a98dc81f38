import { beforeAll, describe, expect, test } from 'vitest'
import { startHetznerFront } from './hetzner-front.ts'
import { runTool } from './run-tool.ts'
import { setupGo } from './setup-clients.ts'

describe("Hetzner's Go SDK finds the API as documented", () => {
  let peer: string
  beforeAll(async () => {
    peer = await setupGo()
  })

  test.for([
    'catalogue',
    'ssh_keys',
    'networks',
    'firewalls',
    'placement_groups',
    'servers',
    'rescue',
    'load_balancers',
    'addresses',
    'volumes',
  ])('in %s', async (scenario) => {
    await using front = await startHetznerFront()
    const { code, stderr } = await runTool(peer, [scenario], { env: front.environment })
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(front.world.contractErrors).toEqual([])
  })

  test('with fields and words that it has never heard of, and lists that hide their end', async () => {
    await using front = await startHetznerFront()
    front.world.faults.unknownFields = true
    front.world.faults.unknownEnumValues = true
    front.world.faults.nullLastPage = true
    const { code, stderr } = await runTool(peer, ['rescue'], { env: front.environment })
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  test('after the failures that it retries', async () => {
    await using front = await startHetznerFront()
    for (const kind of ['conflict', 'rate-limit-token', 'bad-gateway', 'timeout'] as const) {
      front.world.faults.inject({ kind, route: 'POST /placement_groups' })
    }
    const { code, stderr } = await runTool(peer, ['lost_answers'], { env: front.environment })
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(front.world.requests).toHaveLength(5)
  })
})
