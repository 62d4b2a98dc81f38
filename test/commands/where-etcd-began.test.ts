import { describe, expect, it } from 'vitest'
import { whereEtcdBegan } from '../../src/planner/where-etcd-began.ts'
import { type Fact, journalEntry } from '../../src/store/files/journal.ts'

const nodes = ['demo-1', 'demo-2', 'demo-3'].map((name) => ({ name }))
const journal = (...facts: Fact[]) =>
  facts.map((fact) => journalEntry(fact, { run: 'run-7', attempt: 1, host: 'here' }, 0))
const order = (...facts: Fact[]) => whereEtcdBegan(nodes, journal(...facts)).map(({ name }) => name)

describe('the node on which etcd begins', () => {
  it('is the first control plane of a new cluster', () => {
    expect(order()).toEqual(['demo-1', 'demo-2', 'demo-3'])
    expect(order({ fact: 'secrets-minted' })).toEqual(['demo-1', 'demo-2', 'demo-3'])
  })

  it('is the one on which a run began it that died before it knew', () => {
    const begun: Fact = { fact: 'etcd-bootstrap-started', node: 'demo-2' }
    expect(order(begun)).toEqual(['demo-2', 'demo-1', 'demo-3'])
    expect(order({ fact: 'etcd-bootstrapped', node: 'demo-1' }, begun)).toEqual([
      'demo-2',
      'demo-1',
      'demo-3',
    ])
  })

  it('is none when that one is gone: it may have an etcd of its own', () => {
    const gone = () => order({ fact: 'etcd-bootstrap-started', node: 'demo-9' })
    expect(gone).toThrow(/run-7 began etcd on demo-9/)
  })

  it('is free again once etcd was seen to come', () => {
    const begun: Fact = { fact: 'etcd-bootstrap-started', node: 'demo-9' }
    expect(order(begun, { fact: 'etcd-bootstrapped', node: 'demo-9' })[0]).toBe('demo-1')
  })
})
