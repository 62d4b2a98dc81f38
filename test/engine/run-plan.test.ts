import { describe, expect, test } from 'vitest'
import { type PlanPhase, runPlan } from '../../src/engine/run-plan.ts'
import type { Progress } from '../../src/lib/progress.ts'
import type { Change } from '../../src/plan/change.ts'
import type { RecordKey, RecordKind } from '../../src/plan/record.ts'

function create(kind: RecordKind, name: string, needs: RecordKey[] = []): Change {
  const key: RecordKey = `${kind}/${name}`
  return {
    key,
    action: 'create',
    before: undefined,
    after: { kind, name, spec: {}, needs },
    fields: [],
    reason: 'a test',
    risk: 'additive',
    needs,
  }
}

/** Progress that writes down how each phase went. */
function listen() {
  const reported: string[] = []
  const progress: Progress = {
    phase(title) {
      reported.push(`begin ${title}`)
      return {
        step() {},
        fraction() {},
        succeed: () => reported.push(`end ${title}`),
        fail: (message) => reported.push(`fail ${title}: ${message}`),
        skip: () => reported.push(`skip ${title}`),
      }
    },
    info() {},
    warn() {},
  }
  return { reported, progress }
}

function phases(done: string[], failing?: string): PlanPhase[] {
  const each = async (change: Change) => {
    if (change.key === failing) throw new Error('no luck')
    done.push(change.key)
  }
  return [
    { title: 'Servers', kinds: ['network', 'server'], run: { each } },
    { title: 'Nodes', kinds: ['node'], run: { each } },
    {
      title: 'Addons',
      kinds: ['addon'],
      run: {
        together: async (changes) => {
          done.push(changes.map((change) => change.key).join('+'))
        },
      },
    },
  ]
}

const changes = [
  create('network', 'n'),
  create('server', 'a', ['network/n']),
  create('server', 'b', ['network/n']),
  create('node', 'a', ['server/a']),
  create('addon', 'cilium', ['node/a']),
  create('addon', 'ccm', ['node/a', 'addon/cilium']),
]

describe('running a plan', () => {
  test('makes every change after its needs, across phases, and what belongs together at once', async () => {
    const done: string[] = []
    const { reported, progress } = listen()
    await runPlan(changes, phases(done), progress)
    expect(done.toSorted()).toEqual(
      ['network/n', 'server/a', 'server/b', 'node/a', 'addon/cilium+addon/ccm'].toSorted(),
    )
    expect(done.indexOf('node/a')).toBeGreaterThan(done.indexOf('server/a'))
    expect(done.at(-1)).toBe('addon/cilium+addon/ccm')
    expect(reported).toEqual(
      expect.arrayContaining(['begin Servers', 'end Servers', 'end Nodes', 'end Addons']),
    )
  })

  test('a failure is shown once, begins nothing new, and leaves no phase open', async () => {
    const done: string[] = []
    const { reported, progress } = listen()
    await expect(runPlan(changes, phases(done, 'node/a'), progress)).rejects.toThrow('no luck')
    expect(done).not.toContain('addon/cilium+addon/ccm')
    expect(reported.filter((line) => line.startsWith('fail'))).toEqual([
      'fail Nodes: node a: no luck',
    ])
    expect(reported.filter((line) => line.startsWith('begin'))).toHaveLength(
      reported.filter((line) => /^(end|fail)/.test(line)).length,
    )
  })

  test('a change that no phase makes is a bug, found before anything runs', async () => {
    const done: string[] = []
    const { progress } = listen()
    const all = [...changes, create('etcd', 'demo')]
    await expect(runPlan(all, phases(done), progress)).rejects.toThrow('etcd/demo')
    expect(done).toEqual([])
  })
})
