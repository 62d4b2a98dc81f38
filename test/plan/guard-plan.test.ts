import { describe, expect, test } from 'vitest'
import type { Action, Change } from '../../src/plan/change.ts'
import type { KnownEtcd } from '../../src/plan/guard-control-planes.ts'
import { guardPlan, type Orderable } from '../../src/plan/guard-plan.ts'
import type { ClusterRecord } from '../../src/plan/record.ts'
import { clusterSpec } from './specs.ts'

const etcd: KnownEtcd = {
  bootstrapped: true,
  members: [1, 2, 3].map((slot) => ({ name: `demo-control-plane-${slot}`, serverGone: false })),
  fileIsApplied: false,
  asked: new Set(),
}
const known = { orderable: (): ReturnType<Orderable> => ({ orderable: true }), etcd }

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
        guardPlan(clusterSpec(), [change(action, server('worker', 'workers'))], known),
      ).toEqual([])
    },
  )

  test.each(['delete', 'replace'] as const)(
    'refuses the %s of a network, which would cut every node off',
    (action) => {
      const network: ClusterRecord = { kind: 'network', name: 'demo', spec: {}, needs: [] }
      const [finding] = guardPlan(clusterSpec(), [change(action, network)], known)
      expect(finding).toMatchObject({ severity: 'error', path: ['network'] })
      expect(guardPlan(clusterSpec(), [change('update', network)], known)).toEqual([])
    },
  )

  test('refuses to order what cannot be had, and names what to take instead', () => {
    const retired: Orderable = () => ({
      orderable: false,
      reason: 'cpx21 is retired in hel1',
      instead: 'cpx22',
    })
    const [finding] = guardPlan(clusterSpec(), [change('create', server('worker', 'workers'))], {
      ...known,
      orderable: retired,
    })
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
      guardPlan(clusterSpec(), [change('update', server('worker', 'workers'))], {
        ...known,
        orderable: retired,
      }),
    ).toEqual([])
  })
})
