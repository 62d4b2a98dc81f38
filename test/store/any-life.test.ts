import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import type { OpenStoreOptions } from '../../src/store/open-store.ts'
import type { StateStore } from '../../src/store/state-store.ts'
import {
  fastClock,
  git,
  machineConfig,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
  stillClock,
} from './state-fixture.ts'

const names = ['demo', 'other']

/**
 * What happens to a branch: a write, three at once, a destroy, runs that die before or after their push arrived, and
 * one that wakes up after its lock was taken over.
 */
interface Step {
  readonly kind: 'write' | 'race' | 'destroy' | 'die-before' | 'die-after' | 'wake-late'
  readonly cluster: string
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    'write',
    'write',
    'race',
    'destroy',
    'die-before',
    'die-after',
    'wake-late',
  ),
  cluster: fc.constantFrom(...names),
})

/** A remote that can be told to drop the next connection, before or after it took what was pushed. */
async function makeFragileRemote() {
  const remote = await makeRemote()
  for (const hook of ['pre-receive', 'post-receive']) {
    const script = `#!/bin/sh\n[ -e ${hook}-dies ] && rm ${hook}-dies && kill -9 $PPID\nexit 0\n`
    await writeFile(join(remote, 'hooks', hook), script, { mode: 0o755 })
  }
  return {
    remote,
    breakAt: (hook: 'pre-receive' | 'post-receive') => writeFile(join(remote, `${hook}-dies`), ''),
  }
}

/** A branch that goes through steps; each write has a number of its own. */
async function makeLife() {
  const { remote, breakAt } = await makeFragileRemote()
  let serial = 0
  const open = (clusterName: string, partial: Partial<OpenStoreOptions> = {}) =>
    makeStore({ remote, clusterName, ...partial })

  async function write(store: StateStore, clusterName: string): Promise<void> {
    const number = ++serial
    const begun = makeInventory(clusterName, number.toString(16).padStart(16, '0'))
    const nodeConfigs = { [`node-${number % 3}`]: number % 2 ? machineConfig : undefined }
    await store.update(
      (generation) => ({
        ...(generation ? {} : { inventory: begun, secrets: secretsBundle }),
        nodeConfigs,
        facts: [{ fact: 'upgrade-started', detail: { number: String(number) } }],
      }),
      `Write ${number}`,
    )
  }

  /** It dies where it would wait before looking what became of its push. */
  async function die(clusterName: string): Promise<void> {
    const death = new AbortController()
    const sleep = async () => {
      death.abort(new Error('died'))
      throw new Error('died')
    }
    const clock: Clock = { now: fastClock.now, sleep }
    const dying = await open(clusterName, { clock, signal: death.signal })
    await expect(write(dying, clusterName)).rejects.toThrow('died')
  }

  const acts: Record<Step['kind'], (clusterName: string) => Promise<void>> = {
    write: async (name) => write(await open(name), name),
    destroy: async (name) => (await open(name)).remove('Destroy'),
    race: async (name) => {
      const stores = await Promise.all([open(name), open(name), open(name)])
      await Promise.all(stores.map((store) => write(store, name)))
    },
    'wake-late': wakeLate,
    'die-before': async (name) => {
      await breakAt('pre-receive')
      await die(name)
    },
    'die-after': async (name) => {
      await breakAt('post-receive')
      await die(name)
    },
  }
  /** Two appliers; what the late one would write is refused. */
  async function wakeLate(clusterName: string): Promise<void> {
    const takeOver = { waitMs: 0, isRunOver: async () => true }
    const as = (run: string) => ({ run: `${run}-${++serial}`, attempt: 1, host: 'here' })
    const late = await open(clusterName, { clock: stillClock, writer: as('late') })
    await late.lock(takeOver)
    await write(late, clusterName)
    const next = await open(clusterName, { writer: as('next') })
    await next.lock(takeOver)
    await write(next, clusterName)
    await expect(write(late, clusterName)).rejects.toMatchObject({ code: 'state-fenced' })
    await write(next, clusterName)
    await Promise.all([late.close(), next.close()])
  }

  return { open, go: ({ kind, cluster }: Step) => acts[kind](cluster) }
}

it('a branch is whole after any life: writes, races, and runs that died at their push', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const { open, go } = await makeLife()
      for (const each of steps) await go(each)
      for (const name of names) {
        const reader = await open(name)
        const { problems, generations } = await reader.audit()
        expect(problems).toEqual([])
        const read = await reader.read()
        expect(read?.manifest ?? generations.at(-1)?.manifest).toEqual(generations.at(-1)?.manifest)
      }
    }),
    { numRuns: 6 },
  )
}, 120_000)

it('the hooks of that remote bite', async () => {
  const { remote, breakAt } = await makeFragileRemote()
  await breakAt('pre-receive')
  const store = await makeStore({ remote })
  await store.update(() => ({ inventory: makeInventory() }), 'Begin')
  await expect(readFile(join(remote, 'pre-receive-dies'))).rejects.toThrow('ENOENT')
  expect(await git(remote, 'rev-list', '--all', '--count')).toBe('1')
})
