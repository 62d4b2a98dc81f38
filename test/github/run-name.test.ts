import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRunnerJob, runName } from '../../src/github/run-name.ts'
import { readRunnerEvent } from '../../src/github/runner-event.ts'

const event = readRunnerEvent({ GITHUB_RUN_ID: '12345678901' }, null)

/** The name of a job, by what its runner says. */
function nameOf(job: string, input = '') {
  return runName(event, readRunnerJob(input, { GITHUB_JOB: job }, 'reconcile'))
}

const anyJob = fc.string({ minLength: 1, maxLength: 120 })
const anyId = fc.constantFrom('', '1', '51725241954')

describe('the name of a job', () => {
  test('is made of the run, the id of the job where the runner knows it, and its key', () => {
    expect(nameOf('apply', '51725241954|0|1|null')).toBe('gh-12345678901-51725241954-apply')
    expect(nameOf('apply', '|0|1|null')).toBe('gh-12345678901-apply')
    expect(nameOf('apply')).toBe('gh-12345678901-apply')
  })

  test('is what Hetzner takes as the value of a label, whatever the job is called', () => {
    fc.assert(
      fc.property(anyJob, anyId, (job, id) => {
        const name = nameOf(job, `${id}|1|2|null`)
        expect(name).toMatch(/^gh-12345678901-[a-z0-9-]*[a-z0-9]$/)
        expect(name.length).toBeLessThanOrEqual(63)
      }),
    )
  })

  test('is never the same for two jobs', () => {
    fc.assert(
      fc.property(anyJob, anyJob, anyId, anyId, (one, other, id, otherId) => {
        fc.pre(one !== other)
        expect(nameOf(one, `${id}|0|1|null`)).not.toBe(nameOf(other, `${otherId}|0|1|null`))
      }),
    )
    expect(nameOf('deploy_')).not.toBe(nameOf('deploy-'))
  })

  test('tells the legs of a matrix apart, by whatever the runner says of them', () => {
    const values = (version: number) => `{\n  "version": "1.${version}"\n}`
    const legs = [
      ['100|0|2|null', '101|1|2|null'],
      ['|0|2|null', '|1|2|null'],
      [`|||${values(1)}`, `|||${values(2)}`],
    ] as const
    for (const [one, other] of legs) {
      expect(nameOf('apply', one)).not.toBe(nameOf('apply', other))
      expect(nameOf('apply', one)).toBe(nameOf('apply', one))
    }
  })
})

test('what the runner says of a job goes into its lock, and nothing that it does not say', () => {
  const environment = { GITHUB_JOB: 'apply', RUNNER_NAME: 'GitHub Actions 3' }
  expect(readRunnerJob('7|1|2|{"a": 1}', environment, 'reconcile')).toEqual({
    id: '7',
    name: 'apply',
    runner: 'GitHub Actions 3',
    leg: '1',
  })
  expect(readRunnerJob('', {}, 'reconcile')).toEqual({ id: undefined, name: 'reconcile' })
})
