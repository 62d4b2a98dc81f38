import { describe, expect, it } from 'vitest'
import { newLock, parseLock } from '../../../src/store/lock/lock-record.ts'

const owner = {
  run: 'gh-12-34-apply',
  attempt: 2,
  host: 'runner-1',
  url: 'https://github.com/org/clusters/actions/runs/12',
  job: { name: 'apply', runner: 'Hosted Agent ü', leg: '3' },
  process: '0123abcd-4711-89ef0123',
}
const lock = newLock('demo', owner, '0123456789abcdef', 0)
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))

describe('a lock that anybody could have written', () => {
  it('is read when it is as we write it', () => {
    expect(parseLock(bytes(lock))).toEqual(lock)
  })

  it.each([
    ['a run that is a command', { owner: { ...owner, run: 'x\n::stop-commands::token' } }],
    ['a host with an escape sequence', { owner: { ...owner, host: 'a\u001b[2J' } }],
    ['a host without an end', { owner: { ...owner, host: 'h'.repeat(256) } }],
    ['an address that is none', { owner: { ...owner, url: 'javascript:alert(1)' } }],
    ['an address with Markdown around it', { owner: { ...owner, url: 'https://x/`<b>' } }],
    ['a job with a line end', { owner: { ...owner, job: { name: 'a\rb' } } }],
    ['a process with a blank', { owner: { ...owner, process: 'a b' } }],
    ['a cluster that is a path', { cluster: '../demo' }],
    ['a nonce of any length', { nonce: 'n'.repeat(200) }],
    ['an attempt beyond all', { owner: { ...owner, attempt: 1e300 } }],
    ['a time that is a word', { renewedAt: 'yesterday' }],
    ['fields that fill it', { more: 'm'.repeat(10_000) }],
  ])('is unreadable with %s', (_, change) => {
    expect(parseLock(bytes({ ...lock, ...change }))).toBeUndefined()
  })
})
