import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadSpec } from '../../../src/spec/load-spec.ts'
import { publicConfig } from '../../../src/talos/config/config-digest.ts'
import { validateConfig } from '../../../src/talos/config/validate/validate-config.ts'
import { contractOfSpec } from '../../../src/talos/config/version-contract.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { clusterNode } from '../nodes.ts'

const kubernetes = new Map([
  [9, '1.32.0'],
  [10, '1.33.0'],
  [11, '1.34.0'],
  [12, '1.35.0'],
  [13, '1.36.0'],
  [14, '1.37.0'],
])
const minors = [...kubernetes.keys()]

function specOf(minor: number, contract?: number) {
  const base = clusterSpec()
  return clusterSpec({
    talos: {
      ...base.talos,
      version: `v1.${minor}.0`,
      contract: contract === undefined ? undefined : `v1.${contract}`,
    },
    kubernetes: { ...base.kubernetes, version: kubernetes.get(minor) ?? '' },
  })
}

test('a contract that is given stays through upgrades, and no node gets one that it cannot read', () => {
  for (const minor of minors) {
    for (const contract of minors) {
      expect(contractOfSpec(specOf(minor, contract)).minor).toBe(Math.min(minor, contract))
    }
    expect(contractOfSpec(specOf(minor)).minor).toBe(Math.min(minor, 13))
  }
})

test('nodes take configs of every older contract without a word', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...minors),
      fc.constantFrom(...minors),
      fc.constantFrom('control-plane' as const, 'worker' as const),
      (minor, contract, role) => {
        const config = publicConfig(specOf(minor, contract), clusterNode({ role }))
        expect(validateConfig(config, minor)).toEqual([])
      },
    ),
  )
})

test('the contract alone decides of which shape configs are', () => {
  const node = clusterNode({ role: 'worker' })
  const kinds = (minor: number, contract?: number) =>
    publicConfig(specOf(minor, contract), node).map(({ kind }) => kind)
  expect(kinds(14, 11)).toEqual(kinds(11))
  expect(kinds(14)).toEqual(kinds(13))
  expect(kinds(14, 14)).toContain('KubeletConfig')
  expect(kinds(12, 11)).not.toEqual(kinds(12))
})

test.each([
  ['v1.13.9', 'v1.12', []],
  ['v1.14.1', 'v1.13', []],
  ['v1.14.1', 'v1.14', []],
  ['v1.13.9', 'v1.14', ['talos.contract is v1.14, which Talos v1.13.9 cannot read']],
  ['v1.14.1', 'v1.15', ['talos.contract is v1.15, but configs are made from v1.9 to v1.14']],
  ['v1.13.9', 'v1.8', ['talos.contract is v1.8, but configs are made from v1.9 to v1.14']],
  ['v1.12.11', 'v1.13', ['talos.contract is v1.13, which Talos v1.12.11 cannot read']],
])('of Talos %s a contract %s is judged when the file is read', (version, contract, expected) => {
  const text = JSON.stringify({
    clusterName: 'demo',
    hetzner: { region: 'hel1' },
    nodes: { controlPlane: { count: 3, type: 'cx23' }, workers: { count: 1, type: 'cx33' } },
    talos: { version, contract },
    kubernetes: { version: '1.35.4' },
  })
  const { findings } = loadSpec(text, { fileName: 'cluster.yaml' })
  const messages = findings.filter(({ path }) => path.at(-1) === 'contract').map((f) => f.message)
  expect(messages).toEqual(expected)
})
