import { expect, test } from 'vitest'
import { parseManifests } from '../../src/addons/parse-manifests.ts'
import type { AddonRenderer } from '../../src/addons/render-addon.ts'
import { showAddons } from '../../src/addons/show-addons.ts'
import { addonsOf } from '../../src/planner/hetzner-talos/addons-of.ts'
import { customManifests, withCustom } from './custom-addons.ts'

const canary = 'Y2FuYXJ5LTEyMw=='

/** Manifests as the file has them; nothing of the catalogue is rendered here. */
const renderer: AddonRenderer = {
  render: async ({ addon, content }) => ({
    name: addon.name,
    namespace: addon.namespace,
    objects:
      content.type === 'manifests' ? content.inline.flatMap((text) => parseManifests(text)) : [],
    hooks: { before: [], after: [] },
    leftOut: [],
  }),
}

async function shown(inline: readonly string[]) {
  const spec = withCustom([customManifests({ inline })])
  const { settings } = addonsOf(spec)
  if (!settings) throw new Error('the file brings it')
  const [first] = await showAddons(
    spec,
    { uid: '0'.repeat(16) },
    { renderer, recorded: {}, addonsOf: () => ({ settings }) },
  )
  return first?.objects ?? []
}

const kindOf = (scope: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tills.example.com}
spec: {group: example.com, scope: ${scope}, names: {kind: Till, plural: tills}}
`
const till = 'apiVersion: example.com/v1\nkind: Till\nmetadata: {name: one}\n'

test('an object is in the namespace of its addon where its kind lives in one', async () => {
  const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'
  const elsewhere = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: other}\n'
  const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: c}\n'
  const objects = await shown([settings, elsewhere, role])
  expect(objects.map(({ kind, metadata }) => [kind, metadata.name, metadata['namespace']])).toEqual(
    [
      ['Namespace', 'shop', undefined],
      ['ConfigMap', 'a', 'shop'],
      ['ConfigMap', 'b', 'other'],
      ['ClusterRole', 'c', undefined],
    ],
  )
  for (const [scope, namespace] of [
    ['Namespaced', 'shop'],
    ['Cluster', undefined],
  ] as const) {
    const own = (await shown([kindOf(scope), till])).find(({ kind }) => kind === 'Till')
    expect(own?.metadata['namespace']).toBe(namespace)
  }
})

test('nothing that a Secret holds is shown, whatever its keys are called', async () => {
  const objects = await shown([
    `apiVersion: v1\nkind: Secret\nmetadata: {name: a, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"data":{"colour":"${canary}"}}', note: kept}}\ndata: {colour: ${canary}}\nstringData: {size: canary-123}\n`,
  ])
  expect(JSON.stringify(objects)).not.toMatch(/canary-123|Y2FuYXJ5/)
  expect(objects.at(-1)).toMatchObject({
    metadata: { annotations: { note: 'kept' } },
    data: { colour: '(hidden)', size: '(hidden)' },
  })
  // An API server takes no `(hidden)` for base64, and any text for a value of stringData.
  expect(objects.at(-1)).not.toHaveProperty('stringData')
})
