import { describe, expect, it } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import { hangLimitMs } from '../hang-limit.ts'
import { branch, git, makeInventory, makeRemote, makeStore } from './state-fixture.ts'

describe('writers that race', () => {
  it('redo their change on what the faster one wrote', async () => {
    const remote = await makeRemote()
    const [first, second] = [await makeStore({ remote }), await makeStore({ remote })]
    await first.update(() => ({ inventory: makeInventory() }), 'Begin')
    await second.read()
    await first.record({ fact: 'etcd-bootstrap-started' })
    const seen: number[] = []
    const result = await second.update((generation) => {
      seen.push(generation?.manifest.generation ?? 0)
      return { facts: [{ fact: 'etcd-bootstrapped' }] }
    }, 'Second')
    expect(seen).toEqual([1, 2])
    expect(result.journal.map(({ fact }) => fact)).toEqual([
      'etcd-bootstrap-started',
      'etcd-bootstrapped',
    ])
  })

  it('create the branch only once', async () => {
    const remote = await makeRemote()
    const stores = await Promise.all(
      ['one', 'two', 'three'].map((clusterName) => makeStore({ remote, clusterName })),
    )
    await Promise.all(
      ['one', 'two', 'three'].map((name, index) =>
        stores[index]?.update(() => ({ inventory: makeInventory(name) }), `Begin ${name}`),
      ),
    )
    expect(await git(remote, 'rev-list', '--count', branch)).toBe('3')
    for (const store of stores) expect((await store.read())?.manifest.generation).toBe(1)
  })

  it(
    'lose nothing, twenty at once on one cluster',
    async () => {
      const remote = await makeRemote()
      const begin = await makeStore({ remote })
      await begin.update(() => ({ inventory: makeInventory() }), 'Begin')
      const names = Array.from({ length: 20 }, (_, index) => `demo-workers-${index + 1}`)
      await Promise.all(
        names.map(async (node) => {
          const writer = { run: node, attempt: 1, host: 'here' }
          const store = await makeStore({ remote, writer, clock: createClock(50) })
          await store.record({ fact: 'upgrade-started', node })
        }),
      )
      const end = await begin.read()
      expect(end?.manifest.generation).toBe(21)
      expect(new Set(end?.journal.map(({ node }) => node))).toEqual(new Set(names))
      expect(await git(remote, 'rev-list', '--count', branch)).toBe('21')
    },
    hangLimitMs,
  )
})
