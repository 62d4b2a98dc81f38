import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isClusterError } from '../../../src/lib/cluster-error.ts'
import { applyPatches } from '../../../src/talos/config/apply-patch.ts'
import type { ConfigDocument } from '../../../src/talos/config/config-document.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { machineConfigDocuments } from '../../../src/talos/config/machine-config.ts'
import { validateConfig } from '../../../src/talos/config/validate/validate-config.ts'
import { formatYamlDocuments } from '../../../src/talos/config/yaml-documents.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { acceptedPatches, refusedPatches } from '../../talos/config/validate/patch-cases.ts'
import { clusterNode } from '../../talos/nodes.ts'
import { testPki } from '../../talos/pki-environment.ts'
import { minors } from './mod-files.ts'
import { randomPatch } from './random-patches.ts'
import { startTalosJudge, type TalosJudge } from './talos-judge.ts'

const roles = ['control-plane', 'worker'] as const
const versions = {
  9: { talos: 'v1.9.5', kubernetes: '1.32.0' },
  10: { talos: 'v1.10.0', kubernetes: '1.33.0' },
  11: { talos: 'v1.11.6', kubernetes: '1.34.0' },
  12: { talos: 'v1.12.6', kubernetes: '1.35.0' },
  13: { talos: 'v1.13.9', kubernetes: '1.36.0' },
  14: { talos: 'v1.14.1', kubernetes: '1.37.0' },
}

/** Where we do not say what machinery says, and why. */
const differences: readonly (readonly [why: string, theirs: RegExp, ours: RegExp])[] = [
  [
    'Go reads an empty list or mapping as an address, or a size, that is not set',
    /^accepted$/,
    /must be an? (IP address|address with|hardware address|range|size).*, but is a (list|mapping)$/,
  ],
]

describe.each(minors)('Talos 1.%i', (minor) => {
  let judge: TalosJudge
  const configs = new Map<string, readonly ConfigDocument[]>()
  beforeAll(async () => {
    judge = await startTalosJudge(minor)
    const secrets = await generateSecretsBundle(testPki)
    const base = clusterSpec()
    const { talos, kubernetes } = versions[minor]
    const spec = clusterSpec({
      talos: { ...base.talos, version: talos },
      kubernetes: { ...base.kubernetes, version: kubernetes },
    })
    for (const role of roles) {
      configs.set(role, machineConfigDocuments({ spec, node: clusterNode({ role }), secrets }))
    }
  })
  afterAll(() => judge[Symbol.asyncDispose]())

  /** The config with a patch, as a text; undefined where the patch cannot be merged. */
  function patched(role: string, text: string): readonly ConfigDocument[] | undefined {
    try {
      return applyPatches(configs.get(role) ?? [], [{ text, source: 'the patch' }])
    } catch (error) {
      if (isClusterError(error, 'spec-invalid')) return undefined
      throw error
    }
  }

  async function verdicts(documents: readonly ConfigDocument[]) {
    const { error, warnings = [] } = await judge.judge(formatYamlDocuments(documents))
    const problems = validateConfig(documents, minor)
    const [first] = problems.filter(({ severity }) => severity === 'error')
    return {
      theirs: error ?? 'accepted',
      ours: first?.message ?? 'accepted',
      theirWarnings: warnings.length,
      ourWarnings: problems.filter(({ severity }) => severity === 'warning').length,
    }
  }

  test('the configs that we make are taken without a word', async () => {
    for (const role of roles) {
      const outcomes = await verdicts(configs.get(role) ?? [])
      expect(outcomes).toEqual({
        theirs: 'accepted',
        ours: 'accepted',
        theirWarnings: 0,
        ourWarnings: 0,
      })
    }
  })

  const refused = refusedPatches.filter(
    ({ since = 9, until = 14 }) => minor >= since && minor <= until,
  )
  test.each(refused)('is refused by both: $why', async ({ role = 'control-plane', patch }) => {
    const documents = patched(role, patch)
    if (!documents) throw new Error('the patch cannot be merged')
    const { theirs, ours } = await verdicts(documents)
    expect([theirs === 'accepted', ours === 'accepted'], `${theirs}, ${ours}`).toEqual([
      false,
      false,
    ])
  })

  const accepted = acceptedPatches.filter(
    ({ since = 9, until = 14 }) => minor >= since && minor <= until,
  )
  test.each(accepted)(
    'is taken by both: $why',
    async ({ role = 'control-plane', patch, ...rest }) => {
      const warns = rest.warns ?? minor >= (rest.warnsSince ?? 99)
      const documents = patched(role, patch)
      if (!documents) throw new Error('the patch cannot be merged')
      const { theirs, ours, theirWarnings, ourWarnings } = await verdicts(documents)
      expect({ theirs, ours }).toEqual({ theirs: 'accepted', ours: 'accepted' })
      expect([theirWarnings > 0, ourWarnings > 0]).toEqual([warns, warns])
    },
  )

  test('whatever a patch does, both take the config or neither does', async () => {
    const seen = { accepted: 0, refused: 0 }
    const property = fc.asyncProperty(
      randomPatch(minor),
      fc.constantFrom(...roles),
      async (patch, role) => {
        const documents = patched(role, formatYamlDocuments(patch))
        if (!documents) return
        const { theirs, ours, theirWarnings, ourWarnings } = await verdicts(documents)
        if (differences.some(([, one, other]) => one.test(theirs) && other.test(ours))) return
        expect(outcome(ours), `${theirs}, ${ours}`).toBe(outcome(theirs))
        seen[outcome(theirs)]++
        if (outcome(theirs) === 'refused' || documents.some(needsHardware)) return
        expect(ourWarnings > 0).toBe(theirWarnings > 0)
      },
    )
    await fc.assert(property, { numRuns: 500 })
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(100)
  })
})

function outcome(outcomes: string): 'accepted' | 'refused' {
  return outcomes === 'accepted' ? 'accepted' : 'refused'
}

/** Whether it has any effect, a node warns of by what it is made of. */
function needsHardware({ kind }: ConfigDocument): boolean {
  return kind === 'PCIDriverRebindConfig'
}
