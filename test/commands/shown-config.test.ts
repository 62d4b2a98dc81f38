import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import {
  compareNodeConfig,
  revealNodeConfig,
  showNodeConfig,
} from '../../src/commands/talos/node-config.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { openSession } from '../../src/run/hetzner-talos/cluster-session.ts'
import { secretLeaves } from '../../src/talos/config/secrets-bundle.ts'
import { parseSecretsBundle } from '../../src/talos/config/secrets-bundle-yaml.ts'
import { parseYamlDocuments } from '../../src/talos/config/yaml-documents.ts'
import { fixedKeyMaker } from '../talos/fixed-key-maker.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { editByHand, runningConfig } from './node-hands.ts'
import { expectTidy, stateHistory } from './world-facts.ts'

const password = 'hunter2-of-the-registry'
const registry = {
  machine: {
    registries: { config: { 'r.example': { auth: { username: 'pull', password } } } },
  },
}

function file(talos: JsonObject = {}): ClusterFile {
  return clusterFile(
    {},
    {
      ...bare,
      firewall: { talosApi: ['0.0.0.0/0'] },
      talos: { version: 'v1.13.9', workerPatches: [registry], ...talos },
    },
  )
}
const tuned = file({ patches: [{ machine: { sysctls: { 'vm.swappiness': '10' } } }] })

// One cluster, which no test changes but by hand.
let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

async function secretsOfCluster(): Promise<string[]> {
  await using session = await openSession(bench.run(), file())
  await session.store.read()
  const bundle = parseSecretsBundle((await session.store.readSecrets()) ?? '', fixedKeyMaker)
  return secretLeaves(bundle)
}

it('a node that does not exist yet has a config, and its secrets are asked of nobody', async () => {
  const run = bench.run()
  const keyless = { ...run, state: { ...run.state, identity: undefined } }
  const { text } = await showNodeConfig(keyless, { file: file(), node: 'demo-workers-1' })
  expect(text).toContain('r.example')
  await expect(revealNodeConfig(run, { file: file(), node: 'demo-workers-1' })).rejects.toThrow(
    expect.objectContaining({ code: 'cluster-unknown' }),
  )
  await expect(compareNodeConfig(run, { file: file(), node: 'demo-workers-1' })).rejects.toThrow(
    expect.objectContaining({ code: 'cluster-unknown' }),
  )
})

it('what is shown is the config that the node gets, without a secret of the cluster or of the file', async () => {
  await applyCluster(bench.run(), { file: file() })
  const secrets = [...(await secretsOfCluster()), password]
  for (const node of ['demo-control-plane-1', 'demo-workers-1']) {
    const { text } = await showNodeConfig(bench.run(), { file: file(), node })
    for (const secret of secrets) expect(text.includes(secret)).toBe(false)
    // Field by field the same, but for what is hidden.
    const shown = leavesOf(text).filter(([, value]) => value !== '(hidden)')
    const running = new Map(leavesOf(runningConfig(bench, node)))
    expect(shown.length).toBeGreaterThan(30)
    for (const [path, value] of shown) expect(running.get(path), path).toEqual(value)
  }
})

it('with its secrets it is the very config that the node runs', async () => {
  const { node, text } = await revealNodeConfig(bench.run(), {
    file: file(),
    node: 'demo-control-plane-1',
  })
  expect(node).toBe('demo-control-plane-1')
  expect(text).toBe(runningConfig(bench, node))
})

it('a node is known by its private address too, and one that the file does not ask for is a mistake', async () => {
  const generation = await generationOf()
  const worker = generation?.inventory.nodes.find(({ role }) => role === 'worker')
  const { node } = await showNodeConfig(bench.run(), {
    file: file(),
    node: worker?.privateIp ?? '',
  })
  expect(node).toBe('demo-workers-1')
  await expect(
    showNodeConfig(bench.run(), { file: file(), node: 'demo-workers-2' }),
  ).rejects.toThrow(
    expect.objectContaining({
      code: 'usage',
      hint: 'Name one of: demo-control-plane-1, demo-workers-1.',
    }),
  )
})

it('a node that runs what it was given differs in nothing', async () => {
  const { differences } = await compareNodeConfig(bench.run(), {
    file: file(),
    node: 'demo-workers-1',
  })
  expect(differences).toEqual([])
})

it('what the file changes and what was changed by hand differs field by field, a secret only as that, and the state stays as it is', async () => {
  const before = await stateHistory(bench)
  await editByHand(bench, file(), 'demo-workers-1', (machine) => ({
    ...machine,
    sysctls: { 'net.core.somaxconn': '65535' },
    registries: {
      config: { 'r.example': { auth: { username: 'pull', password: `${password}-by-hand` } } },
    },
  }))
  const { differences } = await compareNodeConfig(bench.run(), {
    file: tuned,
    node: 'demo-workers-1',
  })
  const described = differences.map(
    ({ path, before: runs, after }) => `${path}: ${runs} → ${after}`,
  )
  expect(described).toEqual([
    expect.stringMatching(/^machine\.registries\..*: \(hidden\) → \(hidden, another one\)$/),
    'machine.sysctls["net.core.somaxconn"]: 65535 → undefined',
    'machine.sysctls["vm.swappiness"]: undefined → 10',
  ])
  expect(await stateHistory(bench)).toBe(before)
})

async function generationOf() {
  await using session = await openSession(bench.run(), file())
  return await session.store.read()
}

/** Every scalar of a config by its place. */
function leavesOf(text: string): [string, unknown][] {
  return parseYamlDocuments(text).flatMap((document, at) => walk(document, `document ${at}`))
}

function walk(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, each]) => walk(each, `${path}.${key}`))
}
