import { expect, test } from 'vitest'
import { risks } from '../../src/plan/change.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { bare, clusterFile } from '../commands/cluster-files.ts'

test('policy.unapproved knows every risk that a plan can have', () => {
  for (const unapproved of ['none', ...risks]) {
    const { text, path } = clusterFile({ workers: 0 }, { ...bare, policy: { unapproved } })
    const { spec, findings } = loadSpec(text, { fileName: path })
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(spec?.policy.unapproved).toBe(unapproved)
  }
})
