import { describe, expect, test } from 'vitest'
import { Judge } from '../../src/sandbox/judge/judge.ts'
import { applyCluster, startHetznerWorld } from '../hetzner/hetzner-world.ts'

describe('a verdict', () => {
  test('names what was broken, once', () => {
    const judge = new Judge()
    judge.broken('others-untouched', 'DELETE /servers/7 on theirs')
    expect(judge.verdict()).toEqual([expect.stringContaining('DELETE /servers/7 on theirs')])
    expect(judge.verdict()).toEqual([])
  })

  test('leaves out what a test said that it would break, and names it if that holds', () => {
    const [one, other] = [new Judge(), new Judge()]
    for (const judge of [one, other]) judge.expect('one-voter-away', 'two are switched off')
    one.broken('one-voter-away', 'the reboot of a')
    for (const judge of [one, other]) judge.close()
    expect(one.verdict()).toEqual([])
    expect(other.verdict()).toEqual([
      'one-voter-away was to be broken and holds: two are switched off',
    ])
  })

  test('waits with what may be excused until the world ends', () => {
    const judge = new Judge()
    let isDestroyed = false
    judge.suspect('one-voter-away', 'a, in a destroy', () => isDestroyed)
    judge.suspect('one-voter-away', 'b, in an apply', () => false)
    expect(judge.verdict()).toEqual([])
    isDestroyed = true
    judge.close()
    expect(judge.verdict()).toEqual([expect.stringContaining('b, in an apply')])
  })

  test('finds a secret of a config in any output, and quotes no more than its beginning', () => {
    const judge = new Judge()
    judge.outputs.config({
      machine: { token: 'abcdef.0123456789abcdef' },
      cluster: { id: 'plain' },
    })
    judge.outputs.output('the log', 'it said abcdef.0123456789abcdef and plain')
    judge.outputs.output('a comment', 'nothing')
    judge.close()
    expect(judge.verdict()).toEqual([expect.stringMatching(/the log holds abcdef…$/)])
  })
})

describe('a fact', () => {
  const entry = { fact: 'member-removed', node: 'a', at: '2026-11-28T00:00:00Z', run: '1' }

  test('that stands for one act does not stand for the next', async () => {
    const { written } = new Judge()
    let facts = [entry]
    written.reader = async () => new Map([['demo', { facts, nodes: ['a'] }]])
    const has = () => written.has('demo', 'member-removed', { node: 'a', once: true })
    expect([await has(), await has()]).toEqual([true, false])
    facts = [entry, { ...entry, run: '2' }]
    expect(await has()).toBe(true)
    expect(await written.has('other', 'member-removed')).toBe(false)
  })

  test('of a state that is gone is missed', async () => {
    const { written } = new Judge()
    let clusters = new Map([['demo', { facts: [entry], nodes: ['a'] }]])
    written.reader = async () => clusters
    expect(await written.isGone('demo')).toBe(false)
    clusters = new Map()
    expect([await written.isGone('demo'), await written.isGone('never')]).toEqual([true, false])
  })
})

test('after a failure a run continues with what it had started, and another run starts over', () => {
  const { runs } = new Judge()
  const about = (path: string) => ({ front: 'hetzner', method: 'POST', path, mutates: true, at: 0 })
  const requests = [about('/servers/1'), about('/servers/2')]
  const isAbout = (id: string) => (request: { readonly path: string }) => request.path.endsWith(id)
  runs.heard('one', 0)
  expect(runs.isNew(requests, isAbout('3'))).toBe(false)
  runs.failed('one', 2)
  expect(['1', '2', '3'].map((id) => runs.isNew(requests, isAbout(id)))).toEqual([
    false,
    false,
    true,
  ])
  runs.heard('two', 2)
  expect(runs.isNew(requests, isAbout('3'))).toBe(false)
})

test('the product is judged by what it does to a project, and nobody else is', async () => {
  await using sandbox = await startHetznerWorld()
  const { world, client } = sandbox
  await applyCluster(client)
  const id = world.hetzner.nextId()
  const [own] = world.hetzner.firewalls.values()
  if (own === undefined) throw new Error('a cluster has a firewall')
  world.hetzner.firewalls.set(id, { ...own, id, name: 'theirs', uses: [] })
  expect(world.judge.verdict()).toEqual([])
  await client.firewalls.delete(id)
  expect(world.judge.verdict()).toEqual([
    expect.stringContaining(`DELETE /firewalls/${id} on theirs`),
  ])
})
