import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { loadHostsSpec } from '../../src/spec/hosts/load-hosts-spec.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { createSshKeyPair } from '../../src/ssh/ssh-key-pair.ts'
import { type Bench, startBench } from '../commands/harness.ts'
import { hangLimitMs } from '../hang-limit.ts'

const folder = resolve(import.meta.dirname, '../../examples')
const names = readdirSync(folder).filter((file) => file.endsWith('.yaml'))

/** On hosts, of which the quickstart makes a cluster of it: test/e2e/quickstart-on-hosts.test.ts. */
const onHosts = 'hosts.yaml'

/** Its author's own words: they name a server type that is not sold any more. */
const notSold = 'as-written.yaml'

function example(name: string): ClusterFile {
  return { path: name, text: readFileSync(join(folder, name), 'utf8') }
}

/** The examples name a key that their reader has in the project. */
async function uploadKey({ sandbox }: Bench): Promise<void> {
  const { endpoint, token } = sandbox.endpoints.hcloud
  const { publicKey } = await createSshKeyPair('somebody')
  const response = await fetch(`${endpoint}/ssh_keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'my-key', public_key: publicKey }),
  })
  expect(response.status).toBe(201)
}

test.each(names)('the example %s loads without a mistake', (name) => {
  const load = name === onHosts ? loadHostsSpec : loadSpec
  const { spec, findings } = load(example(name).text)
  expect(spec?.clusterName).toBeDefined()
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
})

describe.each(names.filter((name) => name !== notSold && name !== onHosts))(
  'the example %s',
  (name) => {
    const file = example(name)

    test('becomes a cluster, stays one, and goes', { timeout: hangLimitMs }, async () => {
      await using bench = await startBench()
      await uploadKey(bench)
      const { world } = bench.sandbox
      const planned = await planCluster(bench.run(), { file, verb: 'apply' })
      expect(planned.plan.findings.filter(({ severity }) => severity === 'error')).toEqual([])

      const { applied, plan } = await applyCluster(bench.run(), { file })
      expect(applied).toBe(true)
      expect(plan.digest).toBe(planned.plan.digest)
      const again = await planCluster(bench.run(), { file, verb: 'apply' })
      expect([...again.plan.changes, ...again.plan.waiting]).toEqual([])

      await destroyCluster(bench.run(), { file, confirm: async () => true })
      const { servers, networks, firewalls, loadBalancers, placementGroups, sshKeys } =
        world.hetzner
      const left = [servers, networks, firewalls, loadBalancers, placementGroups, sshKeys]
      expect(left.flatMap((kind) => [...kind.values()].map((one) => one.name))).toEqual(['my-key'])
      expect(world.contractErrors).toEqual([])
    })
  },
)

describe(`the example ${notSold}`, () => {
  test('is planned, and refused with the server type to take instead', async () => {
    await using bench = await startBench()
    await uploadKey(bench)
    const file = example(notSold)
    const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
    const errors = plan.findings.filter(({ severity }) => severity === 'error')
    const places = errors.map(({ position }) => `${position?.line}:${position?.column}`)
    expect(places).toEqual(['10:11', '14:11'])
    for (const { message, hint } of errors) {
      expect(message).toContain('cpx21 cannot be ordered in hel1 any more')
      expect(hint).toBe('Take cpx22.')
    }
    await expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({
      code: 'plan-refused',
    })
    expect(bench.sandbox.world.hetzner.servers.size).toBe(0)
  })
})
