import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { recoverState } from '../../src/commands/state/recover-state.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { textAt } from '../../src/lib/kubernetes-object.ts'
import { renderPlanMarkdown } from '../../src/plan/render-markdown.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { greetingCrd } from '../addons/custom-addons.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { listeningProgress } from './listening-progress.ts'
import { kubernetesOf } from './simulated-kubernetes.ts'
import { expectTidy, setBranch } from './world-facts.ts'

const canary = 'canary-of-the-shop-0815'
const shop: JsonObject = {
  name: 'shop',
  type: 'helm',
  namespace: 'shop',
  repository: 'https://charts.example.com',
  chart: 'example-app',
  version: '1.0.0',
  values: { message: `hello \${secret:shop}` },
  needs: ['greetings'],
}
const greetings: JsonObject = {
  name: 'greetings',
  type: 'manifest',
  namespace: 'shop',
  inline: [
    greetingCrd,
    `apiVersion: v1\nkind: Secret\nmetadata: {name: till}\ndata: {key: "\${secret:shop:base64}"}\n`,
  ],
}

const open = { firewall: { kubernetesApi: ['0.0.0.0/0'], talosApi: ['0.0.0.0/0'] } }
const fileWith = (...custom: readonly JsonObject[]) =>
  clusterFile({ workers: 1 }, { ...open, addons: { custom: [...custom] } })

let bench: Bench
const shown: string[] = []
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

function run(): RunContext {
  const context = bench.run({ progress: listeningProgress(shown) })
  const environment = { ...context.state.environment, HCLOUD_TALOS_SECRET_SHOP: canary }
  return { ...context, state: { ...context.state, environment } }
}

const object = (resource: string, key: string) =>
  kubernetesOf(bench.sandbox.world).context.store.get(resource, key)

async function planOf(file: ReturnType<typeof fileWith>): Promise<string[]> {
  const { plan } = await planCluster(run(), { file, verb: 'apply' })
  shown.push(renderPlanMarkdown(plan))
  return plan.changes.map(({ action, key }) => `${action} ${key}`)
}

it('a new cluster gets the charts and manifests of its file, and is then as it should be', async () => {
  const file = fileWith(shop, greetings)
  expect(await planOf(file)).toEqual(
    expect.arrayContaining(['create addon/greetings', 'create addon/shop']),
  )
  await applyCluster(run(), { file })
  const app = object('deployments.apps', 'shop/shop')
  expect(JSON.stringify(app)).toContain(`hello ${canary}`)
  expect(textAt(object('greetings.example.com', 'shop/shop'), 'spec', 'message')).toBe(
    `hello ${canary}`,
  )
  expect(textAt(object('secrets', 'shop/till'), 'data', 'key')).toBe(btoa(canary))
  expect(await planOf(file)).toEqual([])
  expect(shown.join('\n')).not.toContain(canary)
  expect(shown.join('\n')).not.toContain(btoa(canary))
  await expectTidy(bench)
})

it('what changes of them is planned and done, and nothing else', async () => {
  const file = fileWith({ ...shop, version: '1.1.0' }, greetings)
  expect(await planOf(file)).toEqual(['update addon/shop'])
  await applyCluster(run(), { file })
  expect(await planOf(file)).toEqual([])
})

it('after the state was lost they are known, and one that the file does not have any more goes', async () => {
  const { talosconfig = '' } = await mintAccess(run(), {
    file: fileWith(shop, greetings),
    hours: 1,
  })
  await setBranch(bench, undefined)
  const file = fileWith(greetings)
  await recoverState(run(), { file, wayIn: { kind: 'talosconfig', text: talosconfig } })
  expect(await planOf(file)).toEqual(['delete addon/shop'])
  await applyCluster(run(), { file })
  expect(object('deployments.apps', 'shop/shop')).toBeUndefined()
  expect(object('secrets', 'shop/till')).toBeDefined()
  expect(await planOf(file)).toEqual([])
})
