import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import type { OpenStoreOptions } from '../../src/store/open-store.ts'
import type { StateStore } from '../../src/store/state-store.ts'
import type { AgeIdentity } from '../../src/store/trust/identity.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { hangLimitMs } from '../hang-limit.ts'
import {
  fastClock,
  git,
  machineConfig,
  makeIdentity,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
  stillClock,
} from './state-fixture.ts'

const names = ['demo', 'other']

/** What a run does to a branch: a write, a hand-over to a new key, a compaction, a destroy. */
type Work = 'write' | 'rotate' | 'compact' | 'destroy'

/**
 * How it goes: well, three at once, it dies before or after its push arrived, or its lock is taken over and it wakes
 * up late.
 */
type Fate = 'well' | 'race' | 'die-before' | 'die-after' | 'wake-late'

interface Step {
  readonly work: Work
  readonly fate: Fate
  readonly cluster: string
}

const step: fc.Arbitrary<Step> = fc.record({
  work: fc.constantFrom('write', 'write', 'write', 'rotate', 'compact', 'destroy'),
  fate: fc.constantFrom('well', 'well', 'race', 'die-before', 'die-after', 'wake-late'),
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

/** A branch that goes through steps; each write has a number of its own, each cluster keys of its own. */
async function makeLife() {
  const { remote, breakAt } = await makeFragileRemote()
  let serial = 0
  const rings = new Map<string, AgeIdentity[]>()
  for (const name of names) rings.set(name, [await makeIdentity()])

  /** As the cluster file of that time has it: all signers, the newest recipient. */
  const open = (clusterName: string, partial: Partial<OpenStoreOptions> = {}) => {
    const identities = [...(rings.get(clusterName) ?? [])]
    const signers = identities.map((identity) => deriveSigningKey(identity).signer)
    const recipients = identities.slice(-1).map(({ recipient }) => recipient)
    const keys = { identities, signers, recipients, dropsRecipients: true }
    return makeStore({ remote, clusterName, ...keys, ...partial })
  }

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

  const works: Record<Work, (store: StateStore, clusterName: string) => Promise<unknown>> = {
    write,
    destroy: (store) => store.remove('Destroy'),
    async rotate(store) {
      if (!(await store.read())) return
      const facts = [{ fact: 'keys-rotated' }] as const
      await store.update(() => ({ reseal: true, facts }), 'Rotate')
    },
    async compact(store) {
      if (!(await store.read())) return
      await store.compact((head) => ({ fact: 'history-compacted', detail: { head } }))
    },
  }

  /** It dies where it would wait before looking what became of its push. */
  async function die(clusterName: string, work: Work): Promise<void> {
    const death = new AbortController()
    const sleep = async () => {
      death.abort(new Error('died'))
      throw new Error('died')
    }
    const clock: Clock = { now: fastClock.now, sleep }
    const dying = await open(clusterName, { clock, signal: death.signal })
    await works[work](dying, clusterName).catch((error: unknown) => {
      if (!String(error).includes('died')) throw error
    })
  }

  const fates: Record<Fate, (clusterName: string, work: Work) => Promise<unknown>> = {
    well: async (name, work) => works[work](await open(name), name),
    race: async (name, work) => {
      const stores = await Promise.all([open(name), open(name), open(name)])
      const [first, ...others] = stores
      // One does the work while the others write; a cluster that goes is gone for all.
      const rest = work === 'destroy' ? [] : others
      await Promise.all([
        first && works[work](first, name),
        ...rest.map((store) => write(store, name)),
      ])
    },
    'die-before': async (name, work) => {
      await breakAt('pre-receive')
      await die(name, work)
      await repair('pre-receive')
    },
    'die-after': async (name, work) => {
      await breakAt('post-receive')
      await die(name, work)
      await repair('post-receive')
    },
    'wake-late': wakeLate,
  }
  /** Two appliers; what the late one would write is refused. */
  async function wakeLate(clusterName: string, work: Work): Promise<void> {
    const takeOver = { waitMs: 0, isRunOver: async () => true }
    const as = (run: string) => ({ run: `${run}-${++serial}`, attempt: 1, host: 'here' })
    const late = await open(clusterName, { clock: stillClock, writer: as('late') })
    await late.lock(takeOver)
    await write(late, clusterName)
    const next = await open(clusterName, { writer: as('next') })
    await next.lock(takeOver)
    await write(next, clusterName)
    await expect(write(late, clusterName)).rejects.toMatchObject({ code: 'state-fenced' })
    await works[work](next, clusterName)
    await Promise.all([late.close(), next.close()])
  }

  return {
    open,
    async go({ work, fate, cluster }: Step): Promise<void> {
      // The key is in the reviewed file before any run rotates.
      if (work === 'rotate') rings.get(cluster)?.push(await makeIdentity())
      await fates[fate](cluster, work)
    },
  }

  /** Where nothing was pushed, nothing has died. */
  async function repair(hook: string): Promise<void> {
    await rm(join(remote, `${hook}-dies`), { force: true })
  }
}

it(
  'a branch is whole after any life: writes, rotations, compactions, races, and runs that died at their push',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const { open, go } = await makeLife()
        for (const each of steps) await go(each)
        for (const name of names) {
          const reader = await open(name)
          const { problems, generations } = await reader.audit()
          // Where another cluster compacted the branch, nothing of ours says so: that is signed for by a repair.
          const isCutByOther = steps.some(
            ({ work, cluster }) => work === 'compact' && cluster !== name,
          )
          const unexplained = problems.filter(
            ({ error }) => !(isCutByOther && error.message.includes('begins with generation')),
          )
          expect(unexplained).toEqual([])
          const read = await reader.read()
          expect(read?.manifest ?? generations.at(-1)?.manifest).toEqual(
            generations.at(-1)?.manifest,
          )
        }
      }),
      { numRuns: 6 },
    )
  },
  hangLimitMs,
)

it('the hooks of that remote bite', async () => {
  const { remote, breakAt } = await makeFragileRemote()
  await breakAt('pre-receive')
  const store = await makeStore({ remote })
  await store.update(() => ({ inventory: makeInventory() }), 'Begin')
  await expect(readFile(join(remote, 'pre-receive-dies'))).rejects.toThrow('ENOENT')
  expect(await git(remote, 'rev-list', '--all', '--count')).toBe('1')
})
