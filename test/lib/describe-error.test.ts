import { describe, expect, test } from 'vitest'
import { ClusterError } from '../../src/lib/cluster-error.ts'
import { describeError, describeFinding } from '../../src/lib/describe-error.ts'
import { urlHost } from '../../src/lib/url-host.ts'

async function failingToCleanUp(): Promise<void> {
  await using _rule = {
    [Symbol.asyncDispose]: async () => {
      throw new ClusterError('hetzner-unreachable', 'the rule does not close')
    },
  }
  throw new ClusterError('drain-blocked', 'a budget forbids it', { hint: 'make room' })
}

describe('a failure', () => {
  test('is told with what was being done and what to do, and has its exit code', () => {
    const error = new ClusterError('state-locked', 'it is locked', {
      operation: 'lock the cluster',
      target: 'demo',
      hint: 'wait',
    })
    expect(describeError(error)).toEqual({
      headline: 'state-locked: it is locked',
      details: ['while: lock the cluster demo', 'hint: wait'],
      exitCode: 36,
    })
  })

  test('whose cleaning up fails as well is told first, and is no bug', async () => {
    const thrown = await failingToCleanUp().catch((error) => error)
    const { headline, details, exitCode } = describeError(thrown)
    expect(headline).toBe('drain-blocked: a budget forbids it')
    expect(details).toEqual(['hint: make room', 'then, while cleaning up: the rule does not close'])
    expect(exitCode).toBe(72)
  })

  test('has one headline, also where a stranger chose a part of its message', () => {
    const { headline } = describeError(
      new ClusterError('state-foreign', 'it has x\nerror ok: \u001b[2J'),
    )
    expect(headline).toBe('state-foreign: it has x error ok: \\u001b[2J')
  })

  test('has one line for each part, whoever worded it', () => {
    const forged = 'x\r\nerror ok: \u001b[2J\u2028'
    const { details } = describeError(
      new ClusterError('state-foreign', forged, {
        operation: forged,
        target: forged,
        hint: forged,
        evidence: [forged],
      }),
    )
    const bug = describeError(new TypeError(forged))
    const finding = { severity: 'error', path: [forged], message: forged, hint: forged } as const
    const lines = [...details, bug.headline, ...bug.details, describeFinding(forged, finding)]
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.filter((line) => /[\p{Cc}\p{Zl}]|^error ok/u.test(line))).toEqual([])
  })

  test('that nobody expected is a bug, with its stack', () => {
    const { headline, details, exitCode } = describeError(new TypeError('x is undefined'))
    expect(headline).toBe('a bug in hcloud-talos: x is undefined')
    expect(details.some((line) => line.includes('describe-error.test'))).toBe(true)
    expect(exitCode).toBe(1)
  })
})

test('an IPv6 address stands in brackets in a URL, nothing else does', () => {
  expect(['10.0.0.1', 'api.example.com', '2a01:4f8::1'].map(urlHost)).toEqual([
    '10.0.0.1',
    'api.example.com',
    '[2a01:4f8::1]',
  ])
})
