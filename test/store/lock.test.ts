import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import { graceMs, heartbeatMs, leaseMs, parseLock } from '../../src/store/lock/lock-record.ts'
import { createPatientClock } from '../commands/patient-clock.ts'
import {
  branch,
  fastClock,
  git,
  makeFolder,
  makeInventory,
  makeRemote,
  makeStore,
  stillClock,
} from './state-fixture.ts'

const lockBranch = `${branch}-lock/demo`
const now = { waitMs: 0 }

const writer = (run: string, attempt = 1) => ({ run, attempt, host: 'here' })

/** A clock that begins where it is told to; each pause takes eight times as long as asked for, and no time at all. */
function leapingClock(start = fastClock.now()): Clock {
  let time = start
  return {
    now: () => time,
    async sleep(milliseconds, signal) {
      await setImmediate(undefined, signal && { signal })
      time += milliseconds * 8
    },
  }
}

const threeHours = 3 * 60 * 60_000

const heldBy = async (remote: string) =>
  parseLock(Buffer.from(await git(remote, 'show', `${lockBranch}:lock.json`)))

const exists = async (remote: string) =>
  (await git(remote, 'for-each-ref', `refs/heads/${lockBranch}`)) !== ''

describe('the lock of a cluster', () => {
  it('stands beside the state branch, tells whose it is, and goes with its release', async () => {
    const remote = await makeRemote()
    const owner = { ...writer('7-apply'), url: 'https://example.com/runs/7' }
    const store = await makeStore({ remote, writer: owner })
    const lock = await store.lock(now)
    await store.update(() => ({ inventory: makeInventory() }), 'Begin')
    const record = await heldBy(remote)
    expect(record?.owner).toEqual(owner)
    expect(Date.parse(record?.expiresAt ?? '') - Date.parse(record?.renewedAt ?? '')).toBe(leaseMs)
    await lock.release()
    expect(await exists(remote)).toBe(false)
  })

  it('keeps others out and names the run that holds it', async () => {
    const remote = await makeRemote()
    const holder = await makeStore({ remote, writer: writer('first') })
    await holder.lock(now)
    const other = await makeStore({ remote, writer: writer('second') })
    await expect(other.lock(now)).rejects.toMatchObject({
      code: 'state-locked',
      message: expect.stringContaining('first on here'),
    })
    const elsewhere = await makeStore({ remote, writer: writer('third'), clusterName: 'other' })
    await elsewhere.lock(now)
  })

  it('is had by one of many that want it at once', async () => {
    const remote = await makeRemote()
    const stores = await Promise.all(
      ['a', 'b', 'c', 'd'].map((run) => makeStore({ remote, writer: writer(run) })),
    )
    const claims = await Promise.allSettled(stores.map((store) => store.lock(now)))
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is waited for, and had when the holder gives it back', async () => {
    const remote = await makeRemote()
    const holder = await makeStore({ remote, writer: writer('first') })
    const held = await holder.lock(now)
    const other = await makeStore({ remote, writer: writer('second') })
    const reasons: string[] = []
    const claim = other.lock({
      waitMs: 60 * 60_000,
      onWaiting: (reason) => {
        reasons.push(reason)
        void held.release()
      },
    })
    expect((await claim).record.owner.run).toBe('second')
    expect(reasons[0]).toContain('first on here')
  })

  it('is claimed again by the very same attempt of a run, and by no other attempt', async () => {
    const remote = await makeRemote()
    const crashed = await makeStore({ remote, clock: stillClock, writer: writer('7', 1) })
    await crashed.lock(now)
    const resumed = await makeStore({ remote, clock: stillClock, writer: writer('7', 1) })
    await resumed.lock(now)
    await expect(
      crashed.update(() => ({ inventory: makeInventory() }), 'Begin'),
    ).rejects.toMatchObject({ code: 'state-fenced' })
    const next = await makeStore({ remote, writer: writer('7', 2) })
    await expect(next.lock(now)).rejects.toMatchObject({ code: 'state-locked' })
  })

  it('is not that of another step of the same job while that step may be at work', async () => {
    const remote = await makeRemote()
    const step = (process: string) => ({ ...writer('gh-7-70-apply'), process })
    const first = await makeStore({ remote, clock: stillClock, writer: step('first') })
    await first.lock(now)
    const second = await makeStore({ remote, writer: step('second') })
    for (const isOver of [undefined, false]) {
      const claim = second.lock({ ...now, isRunOver: async () => isOver })
      await expect(claim).rejects.toMatchObject({
        code: 'state-locked',
        message: expect.stringContaining('by another step of this job'),
      })
    }
    // What speaks for the first one takes its lock at once, in its own name, and what speaks for the second does not.
    const afterSecond = await makeStore({ remote, writer: step('post-of-second') })
    const spoken = afterSecond.lock({ ...now, actsFor: 'second' })
    await expect(spoken).rejects.toMatchObject({ code: 'state-locked' })
    const afterFirst = await makeStore({ remote, clock: stillClock, writer: step('post-of-first') })
    await afterFirst.lock({ ...now, actsFor: 'first' })
    const asked: (string | undefined)[] = []
    await second.lock({
      ...now,
      isRunOver: async ({ process }) => {
        asked.push(process)
        return true
      },
    })
    expect(asked).toEqual(['post-of-first'])
    expect((await heldBy(remote))?.owner.process).toBe('second')
  })

  it('of a version that names no process is still that of its whole job', async () => {
    const remote = await makeRemote()
    const older = await makeStore({ remote, clock: stillClock, writer: writer('gh-7-70-apply') })
    await older.lock(now)
    const owner = { ...writer('gh-7-70-apply'), process: 'second' }
    await (await makeStore({ remote, writer: owner })).lock(now)
  })

  it('is broken with proof that its run is over, and not while that run goes on', async () => {
    const remote = await makeRemote()
    const dead = await makeStore({ remote, clock: stillClock, writer: writer('dead') })
    await dead.lock(now)
    const other = await makeStore({ remote, writer: writer('next') })
    const goesOn = other.lock({ ...now, isRunOver: async () => false })
    await expect(goesOn).rejects.toMatchObject({ code: 'state-locked' })
    const broken: string[] = []
    await other.lock({
      ...now,
      isRunOver: async (owner) => owner.run === 'dead',
      onBroken: (record, why) => broken.push(`${record.owner.run} ${why}`),
    })
    expect(broken).toEqual(['dead over'])
    await dead.close()
    expect((await heldBy(remote))?.owner.run).toBe('next')
  })

  it.each([-threeHours, 0, threeHours])(
    'is left alone by a claimant whose calendar differs by %d ms',
    async (difference) => {
      const remote = await makeRemote()
      const holder = await makeStore({ remote, clock: stillClock, writer: writer('alive') })
      await holder.lock(now)
      const clock = leapingClock(fastClock.now() + difference)
      const other = await makeStore({ remote, clock, writer: writer('next') })
      for (const isOver of [undefined, false]) {
        const claim = other.lock({ waitMs: leaseMs, isRunOver: async () => isOver })
        await expect(claim).rejects.toMatchObject({ code: 'state-locked' })
      }
      expect((await heldBy(remote))?.owner.run).toBe('alive')
    },
  )

  it.each([undefined, false])(
    'is broken when it has not moved for a lease and the grace, whatever is said of its job (over: %s)',
    async (isOver) => {
      const remote = await makeRemote()
      const dead = await makeStore({ remote, clock: stillClock, writer: writer('dead') })
      await dead.lock(now)
      const clock = leapingClock()
      const other = await makeStore({ remote, clock, writer: writer('next') })
      const reasons: string[] = []
      const began = clock.now()
      await other.lock({
        waitMs: leaseMs + graceMs + 5 * 60_000,
        isRunOver: async () => isOver,
        onWaiting: (reason) => reasons.push(reason),
        onBroken: (record, why) => reasons.push(`${record.owner.run} ${why}`),
      })
      expect(clock.now() - began).toBeGreaterThan(leaseMs + graceMs)
      expect(reasons[0]).toMatch(/^held by dead on here: .*it gives up its lease in 15 min/)
      expect(reasons.at(-1)).toBe('dead expired')
      expect((await heldBy(remote))?.owner.run).toBe('next')
    },
  )

  it('is watched again whenever it moves', async () => {
    const remote = await makeRemote()
    const holder = await makeStore({ remote, clock: stillClock, writer: writer('alive') })
    await holder.lock(now)
    await holder.update(() => ({ inventory: makeInventory() }), 'Begin')
    const clock = leapingClock()
    const began = clock.now()
    const other = await makeStore({ remote, clock, writer: writer('next') })
    let writes = 0
    const claim = other.lock({
      waitMs: 3 * (leaseMs + graceMs),
      async isRunOver() {
        if (writes < 2 && clock.now() - began >= writes * leaseMs) {
          writes++
          await holder.record({ fact: 'upgrade-started', node: `demo-workers-${writes}` })
        }
        return undefined
      },
    })
    await claim
    expect(writes).toBe(2)
    expect(clock.now() - began).toBeGreaterThan(2 * leaseMs + graceMs)
  })

  it('is lost to a holder that cannot renew it for a lease: by then it has stopped', async () => {
    const remote = await makeRemote()
    const store = await makeStore({ remote, clock: createPatientClock() })
    const lock = await store.lock(now)
    await rename(remote, `${remote}.away`)
    await new Promise<void>((resolve) => {
      lock.lost.addEventListener('abort', () => resolve())
    })
    expect(lock.lost.reason).toBe('expired')
    await expect(
      store.update(() => ({ inventory: makeInventory() }), 'Begin'),
    ).rejects.toMatchObject({
      code: 'state-fenced',
      message: expect.stringContaining('could not be renewed'),
    })
  })

  it('is not that of a job of the same name on another runner', async () => {
    const remote = await makeRemote()
    const leg = (runner: string) => ({ ...writer('7-apply'), job: { name: 'apply', runner } })
    const one = await makeStore({ remote, clock: stillClock, writer: leg('first') })
    await one.lock(now)
    const other = await makeStore({ remote, writer: leg('second') })
    await expect(other.lock(now)).rejects.toMatchObject({ code: 'state-locked' })
    const same = await makeStore({ remote, writer: leg('first') })
    await same.lock(now)
  })

  it('is kept alive by its heartbeat', async () => {
    const remote = await makeRemote()
    const store = await makeStore({ remote })
    await store.lock(now)
    const first = await heldBy(remote)
    let later = first
    for (let tries = 0; tries < 100 && later?.renewedAt === first?.renewedAt; tries++) {
      await fastClock.sleep(heartbeatMs)
      later = await heldBy(remote)
    }
    expect(Date.parse(later?.expiresAt ?? '')).toBeGreaterThan(Date.parse(first?.expiresAt ?? ''))
    expect(later?.nonce).toBe(first?.nonce)
  })

  it('is still its own when a renewal arrived whose answer was lost', async () => {
    const remote = await makeRemote()
    const store = await makeStore({ remote, clock: stillClock })
    await store.lock(now)
    await git(remote, 'config', 'user.name', 'test')
    await git(remote, 'config', 'user.email', 'test@localhost')
    const tree = `${lockBranch}^{tree}`
    const renewed = await git(remote, 'commit-tree', '-p', lockBranch, '-m', 'Renew', tree)
    await git(remote, 'update-ref', `refs/heads/${lockBranch}`, renewed)
    await store.update(() => ({ inventory: makeInventory() }), 'Begin')
    await store.close()
    expect(await exists(remote)).toBe(false)
  })

  it('tells its holder when another has taken it', async () => {
    const remote = await makeRemote()
    const store = await makeStore({ remote, writer: writer('slow') })
    const lock = await store.lock(now)
    const other = await makeStore({ remote, writer: writer('next') })
    await other.lock({ waitMs: 60 * 60_000, isRunOver: async () => true })
    await new Promise<void>((resolve) => {
      if (lock.lost.aborted) resolve()
      else lock.lost.addEventListener('abort', () => resolve())
    })
    await lock.release()
    expect((await heldBy(remote))?.owner.run).toBe('next')
  })

  it('is held when it cannot be read', async () => {
    const remote = await makeRemote()
    const clone = join(await makeFolder(), 'clone')
    await git(remote, 'clone', '--quiet', remote, clone)
    await writeFile(join(clone, 'lock.json'), '{"format": 99}')
    await git(clone, 'add', '--all')
    await git(clone, 'commit', '--quiet', '--message', 'Lock')
    await git(clone, 'push', '--quiet', 'origin', `HEAD:refs/heads/${lockBranch}`)
    const store = await makeStore({ remote })
    await expect(store.lock({ ...now, isRunOver: async () => true })).rejects.toMatchObject({
      code: 'state-locked',
      message: expect.stringContaining('cannot be read'),
    })
  })

  it('is given back by a run that was interrupted', async () => {
    const remote = await makeRemote()
    const interruption = new AbortController()
    const store = await makeStore({ remote, signal: interruption.signal })
    await store.lock(now)
    const write = store.update(() => ({ inventory: makeInventory() }), 'Begin')
    interruption.abort(new Error('interrupted'))
    await expect(write).rejects.toThrow('interrupted')
    await store.close()
    expect(await exists(remote)).toBe(false)
  })
})
