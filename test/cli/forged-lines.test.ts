import { expect, test } from 'vitest'
import { describeDiagnosis } from '../../src/cli/commands/cluster/doctor.ts'
import { describeRepairPlan } from '../../src/cli/commands/state/repair.ts'
import { makePlan } from '../../src/plan/plan.ts'
import { renderPlanText } from '../../src/plan/render-text.ts'

const forged = 'digest  forged'
const hostile = `something\n${forged}\r\n${forged}\u2028${forged}\rok`

/** What stands on lines of its own. */
const lines = (text: string) => text.split(/[\r\n\u2028]/)

test('what a Node says of itself is no finding of its own', () => {
  const message = `the Node demo-workers-1 is not Ready: ${hostile}`
  const shown = describeDiagnosis({ area: 'kubernetes', verdict: 'bad', message, fix: hostile })
  expect(lines(shown)).toEqual([
    expect.stringMatching(/^BAD {5}kubernetes: the Node demo-workers-1 is not Ready: something /),
    expect.stringMatching(/^ {10}→ something /),
    '',
  ])
})

test('a finding, a change and its fields are one line of a plan each', () => {
  const plan = makePlan({
    clusterName: 'demo',
    verb: 'apply',
    changes: [
      {
        key: 'node/demo-workers-1',
        action: 'update',
        before: undefined,
        after: undefined,
        fields: [{ path: 'sysctls', before: hostile, after: hostile }],
        reason: hostile,
        risk: 'live',
        needs: [],
      },
    ],
    waiting: [],
    desired: [],
    live: [],
    findings: [{ severity: 'warning', path: [], message: hostile, hint: hostile }],
  })
  expect(lines(renderPlanText({ ...plan, notes: [hostile] }))).not.toContain(forged)
})

test('what git says of a commit is no line of a repair', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567'
  const shown = describeRepairPlan({
    clusterName: 'demo',
    branch: 'hcloud-talos',
    head: commit,
    base: { generation: 1, commit, writtenAt: '2026-01-01T00:00:00.000Z', run: 'run-1' },
    lost: undefined,
    isAnchored: true,
    accepted: [
      {
        commit,
        code: 'state-corrupt',
        message: hostile,
        paths: [hostile],
        note: { commit, author: hostile, at: '2026-01-01', subject: hostile },
      },
    ],
    restored: [hostile],
    removed: [hostile],
    digest: 'real',
  })
  expect(lines(shown)).not.toContain(forged)
})
