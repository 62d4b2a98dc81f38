import { expect, test } from 'vitest'
import { RunNote } from '../../src/actions/run-note.ts'

const owner = { id: 'gh-7-70-apply', attempt: 1 }
const secrets = ['github-token', 'hetzner-token', '']
const held = {
  clusterName: 'demo',
  state: { branch: 'hcloud-talos', recipients: [], signers: ['hts1abc'], encrypt: 'secrets' },
} as const
const lock = { ...held, state: { ...held.state, recipients: [], signers: ['hts1abc'] } }
const uid = '0123456789abcdef'

/** Saved state as the runner carries it: by name, the newest value counts. */
function savedState() {
  const values = new Map<string, string>()
  return {
    values,
    saveState: (name: string, value: string) => void values.set(name, value),
    savedState: (name: string) => values.get(name) ?? '',
  }
}

test('post reads what main noted, piece by piece', () => {
  const runner = savedState()
  const main = new RunNote({ runner, secrets, owner })
  expect(new RunNote({ runner, secrets, owner }).read()).toBeUndefined()
  main.add(lock)
  expect(new RunNote({ runner, secrets, owner }).read()).toEqual(lock)
  main.add({ clusterName: 'demo', uid })
  expect(new RunNote({ runner, secrets, owner }).read()).toEqual({ ...lock, uid })
})

test('a note is bound to its run, to its step and to its words', () => {
  const runner = savedState()
  new RunNote({ runner, secrets, owner }).add({ clusterName: 'demo', uid })
  const [key = '', saved = ''] = [...runner.values][0] ?? []
  const read = (change: Partial<ConstructorParameters<typeof RunNote>[0]> = {}) =>
    new RunNote({ runner, secrets, owner, ...change }).read()
  expect(read({ secrets: ['other', 'tokens'] })).toBe('forged')
  expect(read({ owner: { ...owner, attempt: 2 } })).toBe('forged')
  expect(read({ owner: { ...owner, id: 'gh-7-71-apply' } })).toBe('forged')
  for (const text of [
    saved.replace('demo', 'live'),
    saved.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    '{"clusterName":"demo"}',
    `${'0'.repeat(64)} {`,
    'x',
  ]) {
    runner.saveState(key, text)
    expect(read()).toBe('forged')
  }
  runner.saveState(key, saved)
  expect(read()).toEqual({ clusterName: 'demo', uid })
})

test('without a secret nothing is noted, and nothing is believed', () => {
  const runner = savedState()
  new RunNote({ runner, secrets: ['', undefined], owner }).add({ clusterName: 'demo', uid })
  expect(runner.values.size).toBe(0)
  runner.saveState('held', `${'0'.repeat(64)} {"clusterName":"demo"}`)
  expect(new RunNote({ runner, secrets: [], owner }).read()).toBe('forged')
})
