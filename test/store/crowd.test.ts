import { describe, expect, it } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import { hangLimitMs } from '../hang-limit.ts'
import { branch, git, makeInventory, makeRemote, makeStore } from './state-fixture.ts'

/** The wall itself: pauses are measured by what an attempt takes, which on a busy machine is long. */
const clock = createClock()
const now = { waitMs: 0 }
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`)

describe('a crowd on one branch', () => {
  it(
    'of fifty writers loses no write, and lets each one through',
    async () => {
      const remote = await makeRemote()
      const begin = await makeStore({ remote })
      await begin.update(() => ({ inventory: makeInventory() }), 'Begin')
      const runs = names('run', 50)
      await Promise.all(
        runs.map(async (run) => {
          const store = await makeStore({
            remote,
            clock,
            writer: { run, attempt: 1, host: 'here' },
          })
          await store.record({ fact: 'upgrade-started', node: run })
          await store.close()
        }),
      )
      const { problems, generations } = await begin.audit()
      expect(problems).toEqual([])
      expect(generations).toHaveLength(51)
      const written = generations.at(-1)?.journal.map(({ run }) => run)
      expect([...(written ?? [])].sort()).toEqual([...runs].sort())
      expect(await git(remote, 'for-each-ref', '--format=%(refname:short)')).toBe(branch)
    },
    hangLimitMs,
  )

  it(
    'of twenty clusters, each under its own lock, keeps all of them whole',
    async () => {
      const remote = await makeRemote()
      const clusters = names('cluster', 20)
      await Promise.all(
        clusters.map(async (clusterName, index) => {
          const writer = { run: clusterName, attempt: 1, host: 'here' }
          const store = await makeStore({ remote, clusterName, clock, writer })
          await store.lock(now)
          const inventory = makeInventory(clusterName, index.toString(16).padStart(16, '0'))
          await store.update(() => ({ inventory }), `Begin ${clusterName}`)
          await store.record({ fact: 'etcd-bootstrap-started' })
          await store.record({ fact: 'etcd-bootstrapped' })
          await store.close()
        }),
      )
      expect(await git(remote, 'rev-list', '--count', branch)).toBe('60')
      for (const clusterName of clusters) {
        const store = await makeStore({ remote, clusterName })
        const { problems, generations } = await store.audit()
        expect(problems).toEqual([])
        expect(generations.map(({ manifest }) => manifest.generation)).toEqual([1, 2, 3])
      }
      expect(await git(remote, 'for-each-ref', '--format=%(refname:short)')).toBe(branch)
    },
    hangLimitMs,
  )
})
