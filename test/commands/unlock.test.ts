import { execFileSync } from 'node:child_process'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unlockCluster } from '../../src/commands/state/unlock-cluster.ts'
import { isJobOver } from '../../src/github/run-status.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { RunOwner } from '../../src/lib/run-identity.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import type { GithubRun } from '../../src/sandbox/github/github-state.ts'
import type { FoundLock } from '../../src/store/lock/break-lock.ts'
import { graceMs, leaseMs } from '../../src/store/lock/lock-record.ts'
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
  return (other: RunOwner) => isJobOver(other, place)
}

function terminal(partial: Partial<RunContext> = {}): RunContext {
  const context = bench.run(partial)
  return { ...context, run: { ...context.run, isRunOver: githubProof() } }
}

/** The lock of a run whose heart does not beat by itself; answers with how to renew it once. */
async function lockedBy(run: string): Promise<() => Promise<unknown>> {
  const still: Clock = { now: Date.now, sleep: () => new Promise(() => undefined) }
  const context = bench.run({ clock: still })
  const store = await openStateStore(
    { ...context, run: { ...context.run, id: run, url: `https://example.com/${run}` } },
    readClusterFile(file).spec,
  )
  await store.lock({ waitMs: 0, isRunOver: async () => true })
  const inventory = { clusterName: 'demo', uid: '0123456789abcdef', nodes: [], addons: {} }
  let heartbeats = 0
  return () =>
    store.update(() => {
      heartbeats++
      return { inventory: { ...inventory, bootstrapped: heartbeats % 2 === 1 } }
    }, 'Renew')
}

const isLocked = async () => (await refs(bench))[lockBranch] !== undefined

/** A clock whose pauses are eight times as long as asked for, and take no time at all. */
function leapingClock(start: number): Clock {
  let time = start
  return {
    now: () => time,
    async sleep(milliseconds) {
      await setImmediate()
      time += milliseconds * 8
    },
  }
}

type Status = GithubRun['status']

/** A run with a job that held the lock, and a clean-up after it. */
function runOf(status: Status, holder: Status): GithubRun {
  const job = (id: number, name: string, status: Status) => {
    const conclusion = status === 'completed' ? 'failure' : null
    return { id, attempt: 1, name, status, conclusion, runner: 'GitHub Actions 3' } as const
  }
  const jobs = [job(70, 'Apply to production', holder), job(71, 'clean-up', 'in_progress')]
  return { status, conclusion: null, jobs }
}

describe('unlock', () => {
  it('says so where nobody holds the lock', async () => {
    expect(await unlockCluster(terminal(), file)).toEqual({
      clusterName: 'demo',
      lock: undefined,
      because: undefined,
    })
  })

  it('shows whose it is, watches it, and leaves it alone when it is renewed', async () => {
    const heartbeats = await lockedBy('gh-7-70-apply')
    bench.sandbox.github.runs.set(7, runOf('in_progress', 'in_progress'))
    const found: FoundLock[] = []
    const waiting: string[] = []
    const unlocking = unlockCluster(terminal(), file, {
      onFound: (lock) => found.push(lock),
      onWaiting(reason) {
        waiting.push(reason)
        void heartbeats()
      },
    })
    await expect(unlocking).rejects.toMatchObject({
      code: 'state-locked',
      message: expect.stringContaining('renewed while it was watched'),
      hint: 'Let that run end, or cancel it where it runs.',
    })
    expect(waiting[0]).toContain('its job is still running')
    expect(found[0]?.record?.owner).toMatchObject({
      run: 'gh-7-70-apply',
      url: 'https://example.com/gh-7-70-apply',
    })
    expect(await isLocked()).toBe(true)
  })

  it('breaks it when GitHub says that its job has ended, though the run waits for a reviewer', async () => {
    bench.sandbox.github.runs.set(7, runOf('waiting', 'completed'))
    const { because, lock } = await unlockCluster(terminal(), file)
    expect({ because, run: lock?.owner.run }).toEqual({ because: 'over', run: 'gh-7-70-apply' })
    expect(await isLocked()).toBe(false)
  })

  it.each([-3, 0, 3])(
    'without proof breaks it only after having watched it, with a clock that is %d hours ahead',
    async (hours) => {
      await lockedBy('somewhere-else')
      const clock = leapingClock(Date.now() + hours * 3_600_000)
      const began = clock.now()
      const waiting: string[] = []
      const onWaiting = (reason: string) => waiting.push(reason)
      const unlocked = await unlockCluster(terminal({ clock }), file, { onWaiting })
      expect(unlocked).toMatchObject({ because: 'expired' })
      expect(clock.now() - began).toBeGreaterThan(leaseMs + graceMs)
      expect(waiting[0]).toContain('gives up its lease in 15 min')
      expect(await isLocked()).toBe(false)
    },
  )

  it('breaks it after that also while GitHub takes its job for alive', async () => {
    await lockedBy('gh-7-70-apply')
    bench.sandbox.github.runs.set(7, runOf('in_progress', 'in_progress'))
    const clock = leapingClock(Date.now())
    expect(await unlockCluster(terminal({ clock }), file)).toMatchObject({ because: 'expired' })
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
