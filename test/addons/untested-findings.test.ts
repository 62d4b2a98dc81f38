import { describe, expect, test } from 'vitest'
import { untestedFindings } from '../../src/addons/untested-findings.ts'
import { defaultClusterFile } from '../../src/spec/default-cluster-file.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { sampleSpec } from './sample-spec.ts'

function findingsFor(version: string, cni: 'cilium' | 'none' = 'cilium') {
  const spec = sampleSpec()
  return untestedFindings(
    sampleSpec({
      kubernetes: { ...spec.kubernetes, version },
      cni: { ...spec.cni, type: cni },
    }),
  )
}

describe('a Kubernetes that addons do not list', () => {
  test('is one warning that names them and what they list', () => {
    const [finding, ...more] = findingsFor('1.37.2')
    expect(more).toEqual([])
    expect(finding).toMatchObject({ severity: 'warning', path: ['kubernetes', 'version'] })
    expect(finding?.message).toContain('Cilium 1.20.0 (1.33 to 1.36)')
    expect(finding?.message).toContain('1.37.2')
    expect(finding?.message).not.toContain('approver')
  })

  test('concerns the addons that are installed', () => {
    expect(findingsFor('1.37.2', 'none')[0]?.message).not.toContain('Cilium')
  })

  test('is said of one that they list no more, too', () => {
    expect(findingsFor('1.29.0')[0]?.message).toContain('1.29.0')
  })

  test('is nothing to say of the versions that they list', () => {
    expect(findingsFor('1.36.3')).toEqual([])
    expect(findingsFor('1.33.0')).toEqual([])
  })

  test('is never what a new file names', () => {
    const { spec } = loadSpec(defaultClusterFile(), { fileName: 'cluster.yaml' })
    if (!spec) throw new Error('it is a file without errors')
    expect(untestedFindings(spec)).toEqual([])
  })
})
