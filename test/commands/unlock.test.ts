import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStateStore, readClusterFile } from '../../src/commands/cluster-session.ts'
import type { RunContext } from '../../src/commands/run-context.ts'
import { unlockCluster } from '../../src/commands/unlock-cluster.ts'
import { isRunOver } from '../../src/github/run-status.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { FoundLock } from '../../src/store/break-lock.ts'
import { graceMs, leaseMs } from '../../src/store/lock-record.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { refs } from './world-facts.ts'

const file = clusterFile()
const lockBranch = 'hcloud-talos-lock/demo'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

/** What GitHub says of runs, as a terminal with a token asks it. */
function githubProof() {
  const { api, token, repository: name } = bench.sandbox.endpoints.github
  const [owner = '', repository = ''] = name.split('/')
  const place = { apiUrl: api, token, owner, repository }
  return (run: string, attempt: number) => isRunOver(run, attempt, place)
}

function terminal(partial: Partial<RunContext> = {}): RunContext {
  const context = bench.run(partial)
  return { ...context, run: { ...context.run, isRunOver: githubProof() } }
}

/** The lock of a run that stopped living: nobody gives it back, and its heart does not beat. */
async function lockedBy(run: string): Promise<void> {
  const still: Clock = { now: Date.now, sleep: () => new Promise(() => undefined) }
  const context = bench.run({ clock: still })
  const store = await openStateStore(
    { ...context, run: { ...context.run, id: run, url: `https://example.com/${run}` } },
    readClusterFile(file).spec,
  )
  await store.lock({ waitMs: 0, isRunOver: async () => true })
}

const isLocked = async () => (await refs(bench))[lockBranch] !== undefined

function clockAhead(milliseconds: number): Clock {
  return { now: () => Date.now() + milliseconds, sleep: async () => undefined }
}

describe('unlock', () => {
  it('says so where nobody holds the lock', async () => {
    expect(await unlockCluster(terminal(), file)).toEqual({
      clusterName: 'demo',
      lock: undefined,
      because: undefined,
    })
  })

  it('shows whose it is, and leaves it alone while its run goes on', async () => {
    await lockedBy('gh-7-apply')
    bench.sandbox.github.runs.set(7, { status: 'in_progress', conclusion: null })
    const found: FoundLock[] = []
    await expect(
      unlockCluster(terminal({ clock: clockAhead(leaseMs + graceMs + 60_000) }), file, (lock) =>
        found.push(lock),
      ),
    ).rejects.toMatchObject({
      code: 'state-locked',
      message: expect.stringContaining('its run is still going'),
    })
    expect(found[0]?.record?.owner).toMatchObject({
      run: 'gh-7-apply',
      url: 'https://example.com/gh-7-apply',
    })
    expect(await isLocked()).toBe(true)
  })

  it('breaks it when GitHub says that its run has ended', async () => {
    bench.sandbox.github.runs.set(7, { status: 'completed', conclusion: 'cancelled' })
    const { because, lock } = await unlockCluster(terminal(), file)
    expect({ because, run: lock?.owner.run }).toEqual({ because: 'over', run: 'gh-7-apply' })
    expect(await isLocked()).toBe(false)
  })

  it('without proof tells how long to wait, and breaks it after that', async () => {
    await lockedBy('somewhere-else')
    const hasToWait = (minutes: number, ahead: number) =>
      expect(unlockCluster(terminal({ clock: clockAhead(ahead) }), file)).rejects.toMatchObject({
        code: 'state-locked',
        hint: expect.stringContaining(`try again in ${minutes} min`),
      })
    await hasToWait(15, 0)
    await hasToWait(6, leaseMs - 30_000)
    await hasToWait(1, leaseMs + graceMs - 30_000)
    expect(await isLocked()).toBe(true)
    const late = terminal({ clock: clockAhead(leaseMs + graceMs + 1_000) })
    expect(await unlockCluster(late, file)).toMatchObject({ because: 'expired' })
    expect(await isLocked()).toBe(false)
  })

  it('leaves a lock alone that it cannot read', async () => {
    await lockedBy('gh-8-apply')
    bench.sandbox.github.runs.set(8, { status: 'completed', conclusion: 'success' })
    // A commit without a lock in it.
    const { folder } = bench.sandbox.endpoints.git
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        encoding: 'utf8',
        input: '',
      }).trim()
    const tree = git('mktree')
    git('update-ref', `refs/heads/${lockBranch}`, git('commit-tree', '-m', 'Odd', tree))
    await expect(unlockCluster(terminal(), file)).rejects.toMatchObject({
      code: 'state-locked',
      message: expect.stringContaining('cannot be read'),
      hint: expect.stringContaining('by hand'),
    })
    expect(await isLocked()).toBe(true)
    git('update-ref', '-d', `refs/heads/${lockBranch}`)
  })
})
