import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plantedSecrets } from '../e2e/canaries.ts'
import { clusterText } from './cluster-text.ts'
import { type CommandBench, startCommandBench } from './command-bench.ts'

let bench: CommandBench
beforeAll(async () => {
  bench = await startCommandBench()
  await bench.write('cluster.yaml', clusterText())
})
afterAll(() => bench[Symbol.asyncDispose]())

async function recorded(name: string) {
  const text = await readFile(join(bench.folder, name), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

it('an apply records all that it asked Hetzner, in order and without a secret', async () => {
  const { world } = bench.sandbox
  const { code, stderr } = await bench.run(['apply', '--yes', '--record', 'apply.jsonl'])
  expect(code, stderr).toBe(0)
  const text = await readFile(join(bench.folder, 'apply.jsonl'), 'utf8')
  const secrets = plantedSecrets(bench)
  expect(secrets.length).toBeGreaterThan(10)
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(text).not.toMatch(/PRIVATE KEY|AGE-SECRET|Bearer/)
  expect(text).not.toMatch(/"root_password":"[^*]/)
  const lines = await recorded('apply.jsonl')
  const asked = world.requests.filter(({ front }) => front === 'hetzner')
  const creation = lines.find(({ method, path }) => method === 'POST' && path === '/servers')
  expect(creation).toMatchObject({
    front: 'hetzner',
    status: 201,
    request: { name: expect.stringMatching(/^demo-/) },
    headers: { 'ratelimit-limit': '3600' },
    response: { server: { id: expect.any(Number) } },
  })
  const times = lines.map(({ at }) => at)
  expect(times).toEqual(times.toSorted())
  // Controllers of the cluster ask as well, and are not recorded.
  expect(lines.length).toBeLessThanOrEqual(asked.length)
  expect((await stat(join(bench.folder, 'apply.jsonl'))).mode & 0o777).toBe(0o600)
})

it('a variable records what any command asks, GitHub too', async () => {
  const { github } = bench.sandbox.endpoints
  await bench.run(['doctor', '--fail-on', 'bad'], {
    env: {
      HCLOUD_TALOS_RECORD: 'doctor.jsonl',
      GITHUB_TOKEN: github.token,
      GITHUB_REPOSITORY: github.repository,
    },
  })
  const lines = await recorded('doctor.jsonl')
  expect(lines).toContainEqual(
    expect.objectContaining({ front: 'github', method: 'GET', path: '/repos/sandbox/clusters' }),
  )
  expect(lines).toContainEqual(expect.objectContaining({ front: 'hetzner', method: 'GET' }))
  expect(JSON.stringify(lines)).not.toContain(github.token)
})
