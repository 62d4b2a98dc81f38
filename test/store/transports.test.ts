import { describe, expect, it } from 'vitest'
import {
  branch,
  git,
  machineConfig,
  makeInventory,
  makeStore,
  secretsBundle,
  stillClock,
} from './state-fixture.ts'
import { type Reached, transports } from './transports.ts'

const now = { waitMs: 0 }
const writer = (run: string) => ({ run, attempt: 1, host: 'here' })
const inventory = makeInventory()

/** Refs of the repository, and the number of commits of the state branch. */
const refs = async (remote: string) =>
  (await git(remote, 'for-each-ref', '--format=%(refname)')).split('\n').filter(Boolean)
const commits = async (remote: string) => Number(await git(remote, 'rev-list', '--count', branch))

describe.each(transports)('by %s', (_, reach) => {
  const open = ({ options }: Reached, run = 'run-1') =>
    makeStore({ ...options, writer: writer(run) })

  it('a state is started, written on under a lock, read by others, and taken off again', async () => {
    const reached = await reach()
    const store = await open(reached)
    expect(await store.read()).toBeUndefined()
    await store.lock(now)
    await store.update(() => ({ inventory, secrets: secretsBundle }), 'Begin')
    await store.update(() => ({ nodeConfigs: { 'demo-1': machineConfig } }), 'Keep')
    await store.update(() => ({ nodeConfigs: { 'demo-1': undefined } }), 'Drop')
    const reader = await open(reached, 'run-2')
    expect((await reader.read())?.manifest.generation).toBe(3)
    expect(await reader.readSecrets()).toContain('canary-bundle-secret')
    expect(await reader.audit()).toMatchObject({ problems: [], commits: 3 })
    expect(await git(reached.remote, 'log', '--format=%s', branch)).toBe('Drop\nKeep\nBegin')

    await store.remove('Destroy')
    expect(await git(reached.remote, 'ls-tree', '-r', branch)).toBe('')
    expect(await reader.audit()).toMatchObject({ problems: [], commits: 4 })
    await store.update(() => ({ inventory: makeInventory('demo', 'f'.repeat(16)) }), 'Begin again')
    await store.close()
    expect(await refs(reached.remote)).toEqual([`refs/heads/${branch}`])
    expect(await (await open(reached)).audit()).toMatchObject({ problems: [], commits: 5 })
  })

  it('a lost race is made again on what the faster writer wrote', async () => {
    const reached = await reach()
    const [first, second] = [await open(reached, 'one'), await open(reached, 'two')]
    await first.update(() => ({ inventory }), 'Begin')
    await second.read()
    await first.record({ fact: 'etcd-bootstrap-started' })
    const seen: number[] = []
    const { journal } = await second.update((generation) => {
      seen.push(generation?.manifest.generation ?? 0)
      return { facts: [{ fact: 'etcd-bootstrapped' }] }
    }, 'Second')
    // By another way it may be asked twice about the same generation.
    expect([...new Set(seen)]).toEqual([1, 2])
    expect(journal.map(({ run }) => run)).toEqual(['one', 'two'])
  })

  it('a state is started by one of those who try at once', async () => {
    const reached = await reach()
    const stores = await Promise.all(['one', 'two', 'three'].map((run) => open(reached, run)))
    const begin = { inventory, facts: [{ fact: 'secrets-minted' } as const] }
    await Promise.all(stores.map((store) => store.update(() => begin, 'Begin')))
    const { problems, generations } = await (await open(reached)).audit()
    expect(problems).toEqual([])
    expect(new Set(generations.at(-1)?.journal.map(({ run }) => run)).size).toBe(3)
  })

  it('a write whose answer was lost is found and not made twice', async () => {
    const reached = await reach()
    const store = await open(reached)
    await store.lock(now)
    await store.update(() => ({ inventory }), 'Begin')
    await reached.loseNextAnswer()
    await store.record({ fact: 'etcd-bootstrap-started' })
    await store.record({ fact: 'etcd-bootstrapped' })
    expect(await commits(reached.remote)).toBe(3)
    await store.close()
    expect(await refs(reached.remote)).toEqual([`refs/heads/${branch}`])
  })

  it('a holder whose lock was taken writes nothing', async () => {
    const reached = await reach()
    const stale = await makeStore({
      ...reached.options,
      clock: stillClock,
      writer: writer('stale'),
    })
    await stale.lock(now)
    await stale.update(() => ({ inventory }), 'Begin')
    const next = await open(reached, 'next')
    await expect(next.lock(now)).rejects.toMatchObject({ code: 'state-locked' })
    await next.lock({ ...now, isRunOver: async () => true })
    const head = await git(reached.remote, 'rev-parse', branch)
    await expect(stale.record({ fact: 'etcd-bootstrapped' })).rejects.toMatchObject({
      code: 'state-fenced',
    })
    expect(await git(reached.remote, 'rev-parse', branch)).toBe(head)
    await next.record({ fact: 'etcd-bootstrap-started' })
    expect((await next.read())?.journal.map(({ run }) => run)).toEqual(['next'])
  })
})
