import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { formatAddons } from '../../src/cli/commands/addons/format-addons.ts'
import { compareAddons } from '../../src/commands/addons/compare-addons.ts'
import { renderAddons } from '../../src/commands/addons/render-addons.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import type { AddonsInput } from '../../src/commands/modes/addons-in-mode.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { describeRef, fieldAt, isKubernetesObject, refOf } from '../../src/lib/kubernetes-object.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { updateObject } from '../../src/sandbox/kubernetes/api/update-object.ts'
import { withSpec } from '../../src/sandbox/kubernetes/model/kube-object.ts'
import { objectAt } from '../../src/sandbox/kubernetes/model/read-json.ts'
import { greetingCrd } from '../addons/custom-addons.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { kubernetesOf } from './simulated-kubernetes.ts'
import { changesDuring, expectTidy, stateHistory } from './world-facts.ts'

const canary = 'canary-of-the-till-4711'
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
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hours}\ndata: {open: "yes", mode: "0755"}\n',
  ],
}
const file = (...custom: readonly JsonObject[]) =>
  clusterFile({ workers: 1 }, { addons: { custom: [...custom] } })
const all: AddonsInput = { file: file(shop, greetings), names: [] }

// One cluster, which only applies and hands change.
let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

function run(): RunContext {
  const context = bench.run()
  const environment = { ...context.state.environment, HCLOUD_TALOS_SECRET_SHOP: canary }
  return { ...context, state: { ...context.state, environment } }
}

const api = () => kubernetesOf(bench.sandbox.world).context

const resources: Readonly<Record<string, string>> = {
  Namespace: 'namespaces',
  ServiceAccount: 'serviceaccounts',
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  Deployment: 'deployments.apps',
  DaemonSet: 'daemonsets.apps',
  CustomResourceDefinition: 'customresourcedefinitions.apiextensions.k8s.io',
  Greeting: 'greetings.example.com',
}

function documentsOf(text: string) {
  return parseAllDocuments(text).flatMap((document): JsonObject[] => {
    const value: unknown = document.toJS()
    return isKubernetesObject(value) ? [value] : []
  })
}

/** What is to be done, as `addon: + Kind name`. */
async function compared(input: AddonsInput): Promise<string[]> {
  const addons = await compareAddons(run(), input)
  return addons.flatMap(({ name, drifts }) =>
    drifts.map(
      ({ ref, type, stays }) => `${name}: ${type} ${describeRef(ref)}${stays ? ' stays' : ''}`,
    ),
  )
}

it('before the first apply the objects are shown to who has neither an identity nor a token', async () => {
  const keyless = {
    ...bench.run(),
    hetznerToken: undefined,
  }
  const { state } = keyless
  const context = { ...keyless, state: { ...state, identity: undefined } }
  const shown = await renderAddons(context, all)
  expect(shown.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['cilium', 'shop', 'greetings']),
  )
  await expect(compareAddons(run(), all)).rejects.toMatchObject({ code: 'cluster-unknown' })
  expect(await stateHistory(bench)).toBe('')
})

it('what is shown is what an apply makes, but for what Secrets hold', async () => {
  await applyCluster(run(), { file: all.file })
  const text = formatAddons(await renderAddons(run(), all))
  expect(text).not.toContain(canary)
  expect(text).not.toContain(btoa(canary))
  expect(text).toContain(`hello \${secret:shop}`)
  const shown = documentsOf(text).filter(isKubernetesObject)
  expect(shown.length).toBeGreaterThan(20)
  const missing = shown.filter(({ kind, metadata: { name, namespace } }) => {
    const resource = resources[kind]
    const key = namespace === undefined ? name : `${namespace}/${name}`
    return resource !== undefined && api().store.get(resource, key) === undefined
  })
  expect(missing.map((object) => describeRef(refOf(object)))).toEqual([])
  const hours = shown.find(({ metadata }) => metadata.name === 'hours')
  expect(hours?.['data']).toEqual({ open: 'yes', mode: '0755' })
  const till = shown.find(({ metadata }) => metadata.name === 'till')
  expect(fieldAt(till, 'data', 'key')).toBe('(hidden)')
})

it('right after an apply nothing differs, and looking changes nothing', async () => {
  const before = await stateHistory(bench)
  const objects = () => Object.values(resources).map((each) => api().store.list(each))
  const held = structuredClone(objects())
  const ofHetzner = await changesDuring(bench.sandbox.world, async () => {
    expect(await compared(all)).toEqual([])
  })
  expect(ofHetzner).toEqual([])
  expect(objects()).toEqual(held)
  expect(await stateHistory(bench)).toBe(before)
})

it('what was changed by hand, what the file changes and what it has no more is shown by objects', async () => {
  const deployments = api().resources.builtin('deployments.apps')
  updateObject(
    api(),
    deployments,
    'shop/shop',
    (live) => withSpec(live, { ...objectAt(live, 'spec'), replicas: 7 }),
    { manager: 'kubectl-edit' },
  )
  const { inline, ...rest } = greetings
  const fewer = { ...rest, inline: Array.isArray(inline) ? inline.slice(1, 2) : [] }
  const other = file({ ...shop, version: '1.1.0' }, fewer)
  const found = await compared({ file: other, names: [] })
  expect(found).toEqual(
    expect.arrayContaining([
      'shop: changed Deployment shop/shop',
      'greetings: unwanted ConfigMap shop/hours',
      'greetings: unwanted CustomResourceDefinition greetings.example.com stays',
    ]),
  )
  expect(await compared({ file: other, names: ['greetings'] })).toEqual(
    found.filter((line) => line.startsWith('greetings:')),
  )
  const gone = await compareAddons(run(), { file: file(fewer), names: ['shop'] })
  expect(gone).toMatchObject([{ name: 'shop', wanted: undefined, installed: '1.0.0' }])
  expect(gone[0]?.drifts.map(({ type }) => type)).toContain('unwanted')
  await expect(compareAddons(run(), { file: other, names: ['cilum'] })).rejects.toMatchObject({
    code: 'usage',
    hint: expect.stringContaining('cilium'),
  })
  await applyCluster(run(), { file: other })
  expect(await compared({ file: other, names: [] })).toEqual([])
  await expectTidy(bench)
})
