import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runName } from '../../src/github/run-status.ts'
import { readRunnerEvent } from '../../src/github/runner-event.ts'

const event = readRunnerEvent({ GITHUB_RUN_ID: '12345678901' }, null)

describe('the name of a run', () => {
  test('is made of the run and the job', () => {
    expect(runName(event, 'apply')).toBe('gh-12345678901-apply')
  })

  test('is what Hetzner takes as the value of a label, whatever the job is called', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 120 }), (job) => {
        const name = runName(event, job)
        expect(name).toMatch(/^gh-12345678901-[a-z0-9-]*[a-z0-9]$/)
        expect(name.length).toBeLessThanOrEqual(63)
      }),
    )
  })

  test('is never the same for two jobs', () => {
    const job = fc.string({ minLength: 1, maxLength: 120 })
    fc.assert(
      fc.property(job, job, (one, other) => {
        fc.pre(one !== other)
        expect(runName(event, one)).not.toBe(runName(event, other))
      }),
    )
    expect(runName(event, 'deploy_')).not.toBe(runName(event, 'deploy-'))
  })
})
