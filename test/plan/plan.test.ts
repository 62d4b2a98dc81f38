import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import type { Change, Risk } from '../../src/plan/change.ts'
import { type DiffRules, diffRecords } from '../../src/plan/diff-records.ts'
import { withoutHarmless } from '../../src/plan/harmless-difference.ts'
import { makePlan, type Plan, unmintedUid } from '../../src/plan/plan.ts'
import {
  type ClusterRecord,
  type RecordKey,
  recordKey,
  recordKinds,
} from '../../src/plan/record.ts'
import { judgePlan, toApprovedPlan } from '../../src/plan/verdict.ts'

const rules: DiffRules = {
  create: () => ({ risk: 'additive', reason: 'it is not there' }),
  delete: () => ({ risk: 'data-loss', reason: 'it is no longer asked for' }),
  update: () => ({ action: 'update', risk: 'live', reason: 'it differs' }),
}

/** Worlds of up to ten records whose needs always point at earlier kinds. */
const worlds = fc
  .uniqueArray(
    fc.record({
      kind: fc.constantFrom(...recordKinds),
      name: fc.constantFrom('a', 'b', 'c', 'node-2', 'node-10'),
      size: fc.nat({ max: 3 }),
      labels: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2')),
    }),
    { maxLength: 10, selector: ({ kind, name }) => `${kind}/${name}` },
  )
  .map((seeds) =>
    seeds.map(({ kind, name, size, labels }): ClusterRecord => {
      const earlier = seeds.filter((s) => recordKinds.indexOf(s.kind) < recordKinds.indexOf(kind))
      return {
        kind,
        name,
        spec: { size, labels },
        needs: earlier.map(recordKey),
        monthlyCost: size,
      }
    }),
  )

function plan(desired: readonly ClusterRecord[], live: readonly ClusterRecord[]): Plan {
  const changes = diffRecords(desired, live, rules)
  return makePlan({ clusterName: 'demo', verb: 'apply', changes, desired, live })
}

/** What the world is after the changes were made one after the other. */
function carryOut(changes: readonly Change[], live: readonly ClusterRecord[]): ClusterRecord[] {
  const world = new Map(live.map((record) => [recordKey(record), record]))
  for (const change of changes) {
    if (change.after) world.set(change.key, change.after)
    else world.delete(change.key)
  }
  return [...world.values()]
}

/** The changes that stand before one that they need, or after one that needs their record removed first. */
function misplacedChanges(changes: readonly Change[]): string[] {
  const position = new Map(changes.map((change, index) => [change.key, index]))
  const removed = new Set(changes.filter((c) => c.action === 'delete').map((c) => c.key))
  return changes.flatMap((change, index) => [
    ...change.needs
      .filter((key) => (position.get(key) ?? -1) >= index)
      .map((key) => `${change.key} comes before ${key}`),
    ...(change.action === 'delete' ? (change.before?.needs ?? []) : [])
      .filter((key) => removed.has(key) && (position.get(key) ?? -1) <= index)
      .map((key) => `${change.key} is removed after ${key}`),
  ])
}

describe('a plan', () => {
  test('of a world that is as desired is empty', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        expect(plan(world, world).changes).toEqual([])
      }),
    )
  })

  test('leads to a world whose next plan is empty', () => {
    fc.assert(
      fc.property(worlds, worlds, (desired, live) => {
        const after = carryOut(plan(desired, live).changes, live)
        expect(plan(desired, after).changes).toEqual([])
      }),
    )
  })

  test('does not depend on the order of what it is made from', () => {
    fc.assert(
      fc.property(worlds, worlds, (desired, live) => {
        const shuffled = plan(desired.toReversed(), live.toReversed())
        expect(shuffled).toEqual(plan(desired, live))
      }),
    )
  })

  test('touches nothing that is neither desired nor live', () => {
    fc.assert(
      fc.property(worlds, worlds, (desired, live) => {
        const known = new Set<RecordKey>([...desired, ...live].map(recordKey))
        for (const { key } of plan(desired, live).changes) expect(known).toContain(key)
      }),
    )
  })

  test('makes everything after what it needs, and removes everything before it', () => {
    fc.assert(
      fc.property(worlds, worlds, (desired, live) => {
        expect(misplacedChanges(plan(desired, live).changes)).toEqual([])
      }),
    )
  })

  test('takes no notice of a value that is known only after another change', () => {
    const after = record('server', 'a', { ip: { knownAfter: 'load-balancer/a' }, size: 1 })
    expect(plan([after], [record('server', 'a', { ip: '10.0.0.1', size: 1 })]).changes).toEqual([])
  })

  test('names exactly the fields that differ', () => {
    const before = record('server', 'a', { labels: { a: '1', b: '1' }, size: 1 })
    const after = record('server', 'a', { labels: { a: '2' }, size: 1 })
    expect(plan([after], [before]).changes[0]?.fields).toEqual([
      { path: 'labels.a', before: '1', after: '2' },
      { path: 'labels.b', before: '1', after: undefined },
    ])
  })

  test('carries the worst risk of its changes and the cost of both worlds', () => {
    const all = plan([record('network', 'a', {}, 1.1)], [record('server', 'b', {}, 2.2)])
    expect(all.risk).toBe('data-loss')
    expect(all.cost).toEqual({ before: 2.2, after: 1.1 })
  })

  test('numbers in names are ordered as people order them', () => {
    const desired = [record('server', 'node-10', {}), record('server', 'node-2', {})]
    expect(plan(desired, []).changes.map((change) => change.key)).toEqual([
      'server/node-2',
      'server/node-10',
    ])
  })
})

describe('the uid of a cluster', () => {
  const labelled = (uid: string) => [record('server', 'a', { labels: { uid } })]

  test('makes no difference to a digest: a plan before it was minted is the same plan', () => {
    const parts = { clusterName: 'demo', verb: 'apply', live: [] } as const
    const before = labelled(unmintedUid)
    const after = labelled('0123456789abcdef')
    const first = makePlan({ ...parts, desired: before, changes: diffRecords(before, [], rules) })
    const later = makePlan({
      ...parts,
      desired: after,
      changes: diffRecords(after, [], rules),
      uid: '0123456789abcdef',
    })
    expect(judgePlan(later, toApprovedPlan(first))).toEqual({ verdict: 'identical' })
  })
})

describe('the verdict on an approved plan', () => {
  const desired = [record('network', 'a', { size: 1 }), record('server', 'a', { size: 1 })]

  test('a plan is identical to itself, whatever words and live facts it was made with', () => {
    fc.assert(
      fc.property(worlds, worlds, (wanted, live) => {
        const reworded = live.map((one) => ({ ...one, facts: { id: 7 } }))
        const verdict = judgePlan(plan(wanted, reworded), toApprovedPlan(plan(wanted, live)))
        expect(verdict).toEqual({ verdict: 'identical' })
      }),
    )
  })

  test('what is left after a part was done is a part of the approval', () => {
    fc.assert(
      fc.property(worlds, worlds, fc.nat({ max: 10 }), (wanted, live, count) => {
        const approved = plan(wanted, live)
        const midway = carryOut(approved.changes.slice(0, count), live)
        expect(judgePlan(plan(wanted, midway), toApprovedPlan(approved)).verdict).not.toBe('moved')
      }),
    )
  })

  test('a change that nobody approved is named', () => {
    const approved = toApprovedPlan(plan(desired.slice(0, 1), []))
    expect(judgePlan(plan(desired, []), approved)).toEqual({
      verdict: 'moved',
      risk: 'additive',
      unapproved: ['create server/a'],
    })
  })

  test('the second half of an approved replacement is approved: to make the new one as it was to be', () => {
    const [before, after] = [record('server', 'a', { size: 1 }), record('server', 'a', { size: 2 })]
    const larger = record('server', 'a', { size: 3 })
    const replacing = {
      ...rules,
      update: () => ({ action: 'replace', risk: 'replace', reason: '' }) as const,
    }
    const parts = { clusterName: 'demo', verb: 'apply', desired: [], live: [] } as const
    const changes = diffRecords([after], [before], replacing)
    const approved = toApprovedPlan(makePlan({ ...parts, changes }))
    const judge = (wanted: ClusterRecord, risk: Risk) => {
      const create = diffRecords([wanted], [], { ...rules, create: () => ({ risk, reason: '' }) })
      return judgePlan(makePlan({ ...parts, changes: create }), approved).verdict
    }
    expect(judge(after, 'additive')).toBe('part')
    expect(judge(after, 'replace')).toBe('part')
    expect(judge(after, 'quorum')).toBe('moved')
    expect(judge(larger, 'additive')).toBe('moved')
  })

  test('the same record with another content was not approved', () => {
    const approved = toApprovedPlan(plan(desired, []))
    const other = [record('network', 'a', { size: 2 })]
    expect(judgePlan(plan(other, []), approved)).toEqual({
      verdict: 'moved',
      risk: 'additive',
      unapproved: ['create network/a (size: approved 1, now 2)'],
    })
  })

  test('what moved is told field by field, with what it was believed to be', () => {
    const live = [record('server', 'a', { size: 1, tags: { x: '1' } })]
    const wanted = [record('server', 'a', { size: 2, tags: { x: '2' } })]
    const approved = toApprovedPlan(plan(wanted, live))
    const movedLive = [record('server', 'a', { size: 2, tags: { x: '3' } })]
    expect(judgePlan(plan(wanted, movedLive), approved)).toEqual({
      verdict: 'moved',
      risk: 'live',
      unapproved: [
        'update server/a (size: approved 1 → 2, now as it is; tags.x: approved 1 → 2, now 3 → 2)',
      ],
    })
    expect(judgePlan(plan([], live), approved)).toEqual({
      verdict: 'moved',
      risk: 'data-loss',
      unapproved: [
        expect.stringMatching(
          /^delete server\/a \(action: approved update, now delete; risk: approved live, now data-loss; /,
        ),
      ],
    })
  })

  test('whatever moved is told, and nothing of what did not', () => {
    fc.assert(
      fc.property(worlds, worlds, worlds, (wanted, live, other) => {
        const [approved, now] = [plan(wanted, live), plan(other, live)]
        const verdict = judgePlan(now, toApprovedPlan(approved))
        if (verdict.verdict !== 'moved') return
        for (const line of verdict.unapproved) expect(line).not.toMatch(/\(\)$/)
        const keys = verdict.unapproved.map((line) => line.split(' ')[1])
        const same = approved.identities.map((one) => JSON.stringify(withoutHarmless(one)))
        const moved = now.identities.filter((one) => {
          const left = withoutHarmless(one)
          return left !== undefined && !same.includes(JSON.stringify(left))
        })
        expect(keys).toEqual(moved.map(({ key }) => key))
      }),
    )
  })
})

function record(
  kind: ClusterRecord['kind'],
  name: string,
  spec: Record<string, Json>,
  monthlyCost = 0,
): ClusterRecord {
  const content: JsonObject = spec
  return { kind, name, spec: content, needs: [], monthlyCost }
}
