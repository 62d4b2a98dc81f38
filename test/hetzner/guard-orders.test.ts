import { describe, expect, test } from 'vitest'
import { guardOrders, type Orderable } from '../../src/hetzner/guard-orders.ts'
import type { Action, Change } from '../../src/plan/change.ts'
import type { ClusterRecord } from '../../src/plan/record.ts'
import { clusterSpec } from '../plan/specs.ts'

const orderable: Orderable = () => ({ orderable: true })

function change(action: Action, record: ClusterRecord, fields: Change['fields'] = []): Change {
  return {
    key: `${record.kind}/${record.name}`,
    action,
    before: action === 'create' ? undefined : record,
    after: action === 'delete' ? undefined : record,
    fields,
    reason: 'a test',
    risk: 'additive',
    needs: [],
  }
}

function server(role: string, pool: string): ClusterRecord {
  return {
    kind: 'server',
    name: `demo-${pool}-1`,
    spec: { role, pool, serverType: 'cpx21', location: 'hel1' },
    needs: [],
  }
}

describe('the guard', () => {
  test.each(['create', 'update', 'delete', 'replace'] as const)(
    'lets the %s of a worker pass',
    (action) => {
      expect(
        guardOrders(clusterSpec(), [change(action, server('worker', 'workers'))], orderable),
      ).toEqual([])
    },
  )

  test.each(['delete', 'replace'] as const)(
    'refuses the %s of a network, which would cut every node off',
    (action) => {
      const network: ClusterRecord = { kind: 'network', name: 'demo', spec: {}, needs: [] }
      const [finding] = guardOrders(clusterSpec(), [change(action, network)], orderable)
      expect(finding).toMatchObject({ severity: 'error', path: ['network'] })
      expect(guardOrders(clusterSpec(), [change('update', network)], orderable)).toEqual([])
    },
  )

  test('refuses to order what cannot be had, and names what to take instead', () => {
    const retired: Orderable = () => ({
      orderable: false,
      reason: 'cpx21 is retired in hel1',
      instead: 'cpx22',
    })
    const [finding] = guardOrders(
      clusterSpec(),
      [change('create', server('worker', 'workers'))],
      retired,
    )
    expect(finding).toMatchObject({
      severity: 'error',
      path: ['nodes', 'workers', 0, 'type'],
      hint: 'Take cpx22.',
    })
    expect(finding?.message).toContain('cpx21 is retired in hel1')
  })

  test('does not ask whether a server that exists could be ordered today', () => {
    const retired: Orderable = () => ({ orderable: false, reason: 'retired', instead: undefined })
    expect(
      guardOrders(clusterSpec(), [change('update', server('worker', 'workers'))], retired),
    ).toEqual([])
  })
})
