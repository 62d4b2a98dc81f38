import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import { graceMs, heartbeatMs, leaseMs, parseLock } from '../../src/store/lock-record.ts'
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

/** A clock that stands still until a test sets it forward; pauses are as short as the fast clock's. */
function movableClock(): Clock & { forward(milliseconds: number): void } {
  let time = fastClock.now()
  return {
    now: () => time,
    sleep: fastClock.sleep,
    forward: (milliseconds) => {
      time += milliseconds
    },
  }
}

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

  it('is broken without proof only after expiry and grace', async () => {
    const remote = await makeRemote()
    const dead = await makeStore({ remote, clock: stillClock, writer: writer('dead') })
    await dead.lock(now)
    const clock = movableClock()
    const other = await makeStore({ remote, clock, writer: writer('next') })
    clock.forward(leaseMs + graceMs - 60_000)
    await expect(other.lock(now)).rejects.toMatchObject({ code: 'state-locked' })
    clock.forward(120_000)
    await expect(other.lock({ ...now, isRunOver: async () => false })).rejects.toMatchObject({
      code: 'state-locked',
    })
    await other.lock({ ...now, isRunOver: async () => undefined })
    expect((await heldBy(remote))?.owner.run).toBe('next')
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
