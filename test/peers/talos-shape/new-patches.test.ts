import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import { isClusterError } from '../../../src/lib/cluster-error.ts'
import type { Json } from '../../../src/lib/json.ts'
import { applyPatches } from '../../../src/talos/config/apply-patch.ts'
import type { ConfigDocument } from '../../../src/talos/config/config-document.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { machineConfigDocuments } from '../../../src/talos/config/machine-config.ts'
import { reshapeConfig } from '../../../src/talos/config/reshape/reshape-config.ts'
import { formatYamlDocuments } from '../../../src/talos/config/yaml-documents.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { clusterNode } from '../../talos/nodes.ts'
import { testPki } from '../../talos/pki-environment.ts'
import { differences, documentsOf } from '../talos/config-differences.ts'
import { startTalosPatcher, type TalosPatcher } from '../talos-versions/talos-judge.ts'
import { newPatches } from './new-patches.ts'

let patcher: TalosPatcher
let base: readonly ConfigDocument[]
beforeAll(async () => {
  patcher = await startTalosPatcher(14)
  const { talos, kubernetes } = clusterSpec()
  const flannel = JSON.stringify({ cluster: { network: { cni: { name: 'flannel' } } } })
  const spec = clusterSpec({
    talos: { ...talos, version: 'v1.14.1', patches: [flannel] },
    kubernetes: { ...kubernetes, version: '1.37.0' },
  })
  const node = clusterNode({ labels: { 'example.com/disk': 'ssd' } })
  const secrets = await generateSecretsBundle(testPki)
  base = reshapeConfig(machineConfigDocuments({ spec, node, secrets })).documents
})
afterAll(() => patcher[Symbol.asyncDispose]())

test.each(newPatches)('is merged as by machinery, or by neither: $0', async (...patches) => {
  const texts = patches.map((patch) => JSON.stringify({ apiVersion: 'v1alpha1', ...patch }))
  const [theirs, ours] = [await mergedByThem(texts), mergedByUs(texts)]
  if (theirs === undefined || ours === undefined) return expect(ours).toEqual(theirs)
  const different = differences(sorted(theirs), sorted(ours))
  // They write down what is empty in some places, and read it as nothing.
  expect(
    different.filter((each) => !/: (undefined -> |(\{\}|\[\]) -> undefined$)/.test(each)),
  ).toEqual([])
})

async function mergedByThem(texts: readonly string[]): Promise<string | undefined> {
  let config = formatYamlDocuments(base)
  for (const text of texts) {
    const { text: merged, error } = await patcher.patch(config, text)
    if (error !== undefined) return undefined
    config = merged ?? ''
  }
  return config
}

function mergedByUs(texts: readonly string[]): string | undefined {
  try {
    const patches = texts.map((text) => ({ text, source: 'the patch' }))
    return formatYamlDocuments(applyPatches(base, patches))
  } catch (error) {
    if (isClusterError(error, 'spec-invalid')) return undefined
    throw error
  }
}

/** The documents with keys in one order, also in lists. */
function sorted(config: string): unknown {
  const documents: Record<string, Json> = JSON.parse(JSON.stringify(documentsOf(config)))
  return JSON.parse(canonicalJson(documents))
}
