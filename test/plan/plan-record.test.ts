import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/plan/change.ts'
import { withoutHarmless } from '../../src/plan/harmless-difference.ts'
import { makePlan, type Plan } from '../../src/plan/plan.ts'
import { approvedBy, formatPlanRecord, parsePlanRecord } from '../../src/plan/plan-record.ts'
import type { ClusterRecord } from '../../src/plan/record.ts'
import { renderPlanMarkdown } from '../../src/plan/render-markdown.ts'
import { judgePlan, toApprovedPlan } from '../../src/plan/verdict.ts'

const origin = { file: 'f'.repeat(64), commit: 'c'.repeat(40), toolVersion: '1.2.3' }

function server(name: string, spec: ClusterRecord['spec'] = {}): ClusterRecord {
  return { kind: 'server', name, spec: { serverType: 'cx33', ...spec }, needs: [] }
}

function update(name: string, fields: readonly [string, string, string][]): Change {
  return {
    key: `server/${name}`,
    action: 'update',
    before: server(name),
    after: server(name),
    fields: fields.map(([path, before, after]) => ({ path, before, after })),
    reason: 'it differs',
    risk: 'live',
    needs: [],
  }
}

function create(name: string, spec: ClusterRecord['spec']): Change {
  const after = server(name, spec)
  return {
    key: `server/${name}`,
    action: 'create',
    before: undefined,
    after,
    fields: [],
    reason: 'there is none yet',
    risk: 'additive',
    needs: [],
  }
}

function planOf(changes: readonly Change[], notes: readonly string[] = []): Plan {
  return makePlan({ clusterName: 'demo', verb: 'apply', changes, desired: [], live: [], notes })
}

const recordOf = (plan: Plan) =>
  parsePlanRecord(JSON.parse(JSON.stringify(formatPlanRecord(plan, origin))))

const changes = fc.uniqueArray(
  fc.record({ name: fc.string({ minLength: 1, maxLength: 20 }), value: fc.string() }),
  { selector: ({ name }) => name, maxLength: 8 },
)

describe('the record of a plan', () => {
  it('shows and approves what the plan does, whatever stands in it', () => {
    fc.assert(
      fc.property(changes, fc.array(fc.string(), { maxLength: 3 }), (named, notes) => {
        const all = named.map(({ name, value }) => update(name, [['backups', value, `${value}.`]]))
        const plan = planOf(all, notes)
        const record = recordOf(plan)
        expect(record?.plan.digest).toBe(plan.digest)
        expect(record && renderPlanMarkdown(record.plan)).toBe(renderPlanMarkdown(plan))
        expect(record && judgePlan(plan, approvedBy(record))).toEqual({ verdict: 'identical' })
      }),
      { numRuns: 50 },
    )
  })

  it('does not say of itself what it is worth: digest and risk are worked out', () => {
    const json = formatPlanRecord(planOf([update('a', [['backups', 'no', 'yes']])]), origin)
    expect(parsePlanRecord({ ...json, risk: 'additive' })).toBeUndefined()
    expect(parsePlanRecord({ ...json, digest: 'f'.repeat(64) })).toBeUndefined()
    expect(parsePlanRecord({ ...json, format: 2 })).toBeUndefined()
    expect(parsePlanRecord({ ...json, file: 'main' })).toBeUndefined()
  })
})

describe('what may come on top of an approved plan', () => {
  const approved = toApprovedPlan(planOf([update('a', [['backups', 'no', 'yes']])]))
  const verdict = (change: Change) => judgePlan(planOf([change]), approved).verdict

  it('is a label that is restored, alone or with what was approved', () => {
    expect(verdict(update('b', [['labels.pool', 'mine', 'workers']]))).toBe('part')
    const both = update('a', [
      ['backups', 'no', 'yes'],
      ['labels.pool', 'mine', 'workers'],
    ])
    expect(verdict(both)).toBe('part')
  })

  it('is nothing that only looks like one', () => {
    for (const path of ['labelsOf', 'firewall.labels', 'nodeLabels.pool', 'role']) {
      expect(verdict(update('b', [[path, 'mine', 'workers']]))).toBe('moved')
    }
    const label = update('b', [['labels.pool', 'mine', 'workers']])
    expect(verdict({ ...label, risk: 'replace' })).toBe('moved')
    expect(verdict({ ...label, action: 'replace' })).toBe('moved')
    expect(verdict({ ...label, key: 'node/b' })).toBe('moved')
    expect(verdict({ ...label, fields: [] })).toBe('moved')
  })

  it('is another address of a server that is made, and nothing else of it', () => {
    const shown = toApprovedPlan(planOf([create('c', { privateIp: '10.0.64.5' })]))
    const made = (spec: ClusterRecord['spec']) => judgePlan(planOf([create('c', spec)]), shown)
    expect(made({ privateIp: '10.0.64.6' }).verdict).toBe('part')
    expect(made({ privateIp: '10.0.64.5', serverType: 'cx43' }).verdict).toBe('moved')
    expect(
      withoutHarmless({ key: 'network/demo', action: 'create', after: { privateIp: 'x' } }),
    ).toEqual({ key: 'network/demo', action: 'create', after: { privateIp: 'x' } })
  })
})
