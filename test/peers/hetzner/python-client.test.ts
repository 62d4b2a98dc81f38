import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { startHetznerFront } from './hetzner-front.ts'
import { runTool } from './run-tool.ts'
import { setupPython } from './setup-clients.ts'

const script = fileURLToPath(new URL('./drive.py', import.meta.url))

describe("Hetzner's Python client finds the API as documented", () => {
  let python: string
  beforeAll(async () => {
    python = await setupPython()
  })

  test.for([
    'catalogue',
    'access',
    'ssh_keys',
    'networks',
    'firewalls',
    'placement_groups',
    'servers',
    'images',
    'load_balancers',
    'primary_ips',
    'floating_ips',
    'volumes',
    'certificates',
    'pages',
  ])('in %s', async (scenario) => {
    await using front = await startHetznerFront()
    const { code, stderr } = await runTool(python, [script, scenario], { env: front.environment })
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(front.world.contractErrors).toEqual([])
  })

  test('when an action fails', async () => {
    await using front = await startHetznerFront()
    front.world.faults.injectAction({
      command: 'start_server',
      outcome: { error: { code: 'server_error', message: 'it did not start' } },
    })
    const { code, stderr } = await runTool(python, [script, 'action_failure'], {
      env: front.environment,
    })
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  test('when it has to try again after each failure that it retries', async () => {
    await using front = await startHetznerFront()
    for (const kind of ['conflict', 'rate-limit', 'bad-gateway', 'timeout'] as const) {
      front.world.faults.inject({ kind, front: 'hetzner' })
    }
    const { code, stderr } = await runTool(python, [script, 'retries'], { env: front.environment })
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(front.world.requests).toHaveLength(5)
  })
})
