import { describe, expect, test } from 'vitest'
import {
  dispatchEvent,
  mergeGroupEvent,
  pullRequestEvent,
  pushEvent,
  type SimulatedEvent,
  scheduleEvent,
} from '../../scripts/runner-event.ts'
import { readInput } from '../../src/actions/input.ts'
import { decideMode, reconcile } from '../../src/actions/reconcile.ts'
import { readRunnerEvent } from '../../src/github/runner-event.ts'
import type { Json } from '../../src/lib/json.ts'

const repository = 'org/clusters'

function decide(event: SimulatedEvent, input: Parameters<typeof decideMode>[0] = 'auto') {
  const env = {
    GITHUB_EVENT_NAME: event.name,
    GITHUB_REF: event.ref,
    GITHUB_SHA: event.sha,
    GITHUB_REPOSITORY: repository,
  }
  const payload: Json = JSON.parse(JSON.stringify(event.payload))
  return decideMode(input, readRunnerEvent(env, payload))
}

describe('what an event asks for', () => {
  test.each([
    ['a pull request', pullRequestEvent(repository), 'plan'],
    ['a pull request from a fork', pullRequestEvent(repository, { head: 'a/b' }), 'plan'],
    ['a pull request whose fork is gone', pullRequestEvent(repository, { head: null }), 'plan'],
    ['a merge queue', mergeGroupEvent(repository), 'plan'],
    ['a push to the default branch', pushEvent(repository), 'apply'],
    ['a dispatch from the default branch', dispatchEvent(repository), 'apply'],
    ['a schedule', scheduleEvent(repository), 'drift'],
    ['an event that nobody thought of', { ...pushEvent(repository), name: 'issues' }, 'plan'],
  ])('%s: %#', (_, event, mode) => {
    expect(decide(event)).toBe(mode)
  })

  test.each([
    ['a push to another branch', pushEvent(repository, 'change'), 'auto'],
    [
      'a push to a branch that is called like the default one',
      pushEvent(repository, 'x/main'),
      'auto',
    ],
    ['a dispatch from another branch', dispatchEvent(repository, 'change'), 'auto'],
    ['a pull request that says apply', pullRequestEvent(repository), 'apply'],
    ['a merge queue that says apply', mergeGroupEvent(repository), 'apply'],
  ] as const)('%s applies nothing', (_, event, input) => {
    expect(() => decide(event, input)).toThrow(/is refused/)
  })

  test('the input decides where it is given', () => {
    expect(decide(pushEvent(repository), 'plan')).toBe('plan')
    expect(decide(pushEvent(repository, 'change'), 'plan')).toBe('plan')
    expect(decide(pushEvent(repository), 'drift')).toBe('drift')
    expect(decide(scheduleEvent(repository), 'apply')).toBe('apply')
  })

  test('another word for a mode is refused with those that there are', () => {
    const read = (mode: string) =>
      readInput(reconcile.inputs, 'mode', { input: (name) => (name === 'mode' ? mode : '') })
    expect(() => read('destroy')).toThrow('mode is destroy, and must be auto, plan, apply or drift')
    expect([read(''), read('drift')]).toEqual(['auto', 'drift'])
  })
})
