import { describe, expect, test } from 'vitest'
import { readRunnerEvent, runUrl } from '../../src/github/runner-event.ts'

const env = {
  GITHUB_REPOSITORY: 'org/clusters',
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_REF: 'refs/pull/7/merge',
  GITHUB_SHA: 'abc',
  GITHUB_RUN_ID: '42',
  GITHUB_RUN_ATTEMPT: '2',
}

function pullRequestFrom(repository: string | null) {
  return {
    pull_request: {
      number: 7,
      head: { repo: repository === null ? null : { full_name: repository } },
    },
    repository: { default_branch: 'main' },
  }
}

describe('the event of a run', () => {
  test('of a pull request names it, and knows the default branch', () => {
    const event = readRunnerEvent(env, pullRequestFrom('org/clusters'))
    expect(event).toMatchObject({
      owner: 'org',
      repository: 'clusters',
      pullRequest: 7,
      fromFork: false,
      defaultBranch: 'main',
      attempt: 2,
    })
    expect(runUrl(event)).toBe('https://github.com/org/clusters/actions/runs/42')
  })

  test.each(['somebody/clusters', null])('a pull request from %s is from a fork', (repository) => {
    expect(readRunnerEvent(env, pullRequestFrom(repository)).fromFork).toBe(true)
  })

  test('without a payload there is no pull request and no fork', () => {
    const event = readRunnerEvent({ ...env, GITHUB_EVENT_NAME: 'push' }, null)
    expect(event).toMatchObject({
      pullRequest: undefined,
      fromFork: false,
      defaultBranch: undefined,
    })
  })
})
