import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actionNames, loadAction } from '../../src/actions/action-table.ts'
import { RunNote } from '../../src/actions/run-note.ts'
import type { Runner } from '../../src/github/runner.ts'
import { readRunnerEvent } from '../../src/github/runner-event.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { createRunContext } from '../../src/run/create-run-context.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { silentProgress } from '../silent-progress.ts'

let context: RunContext & AsyncDisposable

beforeAll(async () => {
  context = await createRunContext({
    environment: {},
    folder: '/nowhere',
    progress: silentProgress,
    redactor: new Redactor(),
    signal: new AbortController().signal,
    run: { id: 'run', attempt: 1, url: undefined, commit: undefined, actor: undefined },
    toolVersion: '0.0.0-test',
  })
})

afterAll(() => context[Symbol.asyncDispose]())

/** A job whose workspace holds who knows what; it may not get as far as to read its inputs. */
function runnerOf(name: string, ref: string): Runner {
  const env = { GITHUB_EVENT_NAME: name, GITHUB_REF: ref, GITHUB_REPOSITORY: 'org/clusters' }
  const nothing = () => undefined
  const unread = (input: string): string => {
    throw new Error(`the input ${input} was read`)
  }
  return {
    event: readRunnerEvent(env, { repository: { default_branch: 'main' } }),
    input: (input) => (input === 'mode' ? 'apply' : unread(input)),
    setOutput: nothing,
    writeSummary: async () => undefined,
    annotate: nothing,
    info: nothing,
    warn: nothing,
    fail: nothing,
    saveState: nothing,
    savedState: () => '',
  }
}

const main = 'refs/heads/main'

// On all of these GITHUB_REF is, or can be, the default branch, whatever the job has checked out.
const events = [
  'pull_request_target',
  'issue_comment',
  'workflow_run',
  'pull_request_review',
  'repository_dispatch',
  'merge_group',
  'release',
  'PUSH',
  '',
]

describe.each(actionNames)('the action %s changes nothing', (name) => {
  const refused = async (event: string, ref: string) => {
    const action = await loadAction(name)
    const runner = runnerOf(event, ref)
    const note = new RunNote({ runner, secrets: [], owner: context.run })
    const run = { runner, context, environment: {}, note }
    await expect(action.main(run)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('is refused'),
    })
  }

  test.each(events)('on the event "%s"', (event) => refused(event, main))

  test.each(['refs/pull/7/merge', 'refs/tags/main', 'refs/heads/x/main', 'refs/heads/main2', ''])(
    'on a push or a dispatch of %s',
    async (ref) => {
      await refused('push', ref)
      await refused('workflow_dispatch', ref)
    },
  )
})
