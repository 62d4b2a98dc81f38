import { expect, test } from 'vitest'
import { describeRepairPlan } from '../../src/cli/commands/state/repair.ts'

test('what a stranger named is shown in the line that is about it', () => {
  const name = 'x\nerror state-ok: everything is healthy'
  const text = describeRepairPlan({
    clusterName: 'demo',
    branch: 'state',
    head: 'a'.repeat(40),
    base: {
      generation: 3,
      commit: 'b'.repeat(40),
      writtenAt: '2026-01-01T00:00:00Z',
      run: 'run-1',
    },
    lost: undefined,
    isAnchored: true,
    accepted: [
      {
        commit: 'c'.repeat(40),
        code: 'state-foreign',
        message: name,
        paths: [name],
        note: { commit: 'c'.repeat(40), author: name, at: name, subject: name },
      },
    ],
    restored: [name],
    removed: [name],
    digest: 'd'.repeat(64),
  })
  expect(text.split('\n').filter((line) => line.startsWith('error'))).toEqual([])
  expect(text).toContain('remove x error state-ok: everything is healthy\n')
})
