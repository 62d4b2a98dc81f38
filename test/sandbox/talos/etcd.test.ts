import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Etcd, type EtcdMember, EtcdRefused } from '../../../src/sandbox/talos/etcd.ts'

function member(id: number): EtcdMember {
  const address = `10.0.64.${id}`
  return {
    id: BigInt(id),
    hostname: '',
    peerUrl: `https://${address}:2380`,
    clientUrl: `https://${address}:2379`,
    learner: false,
  }
}

/** An etcd of this many voters, all of them running. */
function etcdOf(size: number): Etcd {
  const etcd = new Etcd('e', 'n1')
  etcd.found(member(1))
  etcd.start(1n, 'n1')
  for (let id = 2; id <= size; id++) {
    etcd.addLearner(member(id))
    etcd.start(BigInt(id), `n${id}`)
    etcd.promote(BigInt(id))
  }
  return etcd
}

test('a lone member leads itself', () => {
  const etcd = etcdOf(1)
  expect(etcd.leader).toBe(1n)
  expect(() => etcd.remove(1n)).toThrow('not enough started members')
  expect(() => etcd.forfeit(1n)).toThrow('cannot forfeit leadership, only one member')
})

test('the leadership moves on when it is forfeited, or its holder stops', () => {
  const etcd = etcdOf(3)
  expect(etcd.forfeit(1n)?.hostname).toBe('n2')
  expect(etcd.forfeit(1n)).toBeUndefined()
  etcd.stop(2n)
  expect(etcd.leader).toBe(1n)
})

test('without quorum nothing can be changed', () => {
  const etcd = etcdOf(3)
  etcd.stop(1n)
  expect(etcd.quorum).toBe(true)
  etcd.stop(2n)
  expect(etcd.quorum).toBe(false)
  expect(etcd.leader).toBeUndefined()
  expect(() => etcd.remove(1n)).toThrow('no leader')
  expect(() => etcd.addLearner(member(4))).toThrow('no leader')
})

test('a dead voter keeps new members out until it is removed', () => {
  const etcd = etcdOf(3)
  etcd.stop(3n)
  expect(() => etcd.addLearner(member(4))).toThrow('unhealthy cluster')
  etcd.remove(3n)
  etcd.addLearner(member(4))
  expect(() => etcd.addLearner(member(5))).toThrow('too many learner members')
})

test('a running member is not removed where that would cost the quorum', () => {
  const etcd = etcdOf(3)
  etcd.stop(3n)
  expect(() => etcd.remove(2n)).toThrow('unhealthy cluster')
  expect(() => etcd.remove(9n)).toThrow('member not found')
})

test('a member that was removed never comes back', () => {
  const etcd = etcdOf(3)
  etcd.remove(3n)
  expect(() => etcd.start(3n, 'n3')).toThrow('permanently removed')
})

type Act = [kind: 'add' | 'start' | 'stop' | 'promote' | 'remove', id: number]

/** Does it, or is refused. */
function act(etcd: Etcd, [kind, number]: Act): void {
  const id = BigInt(number)
  const acts = {
    add: () => etcd.members.has(id) || etcd.addLearner(member(number)),
    start: () => etcd.start(id, `n${id}`),
    stop: () => etcd.stop(id),
    promote: () => etcd.promote(id),
    remove: () => etcd.remove(id),
  }
  try {
    acts[kind]()
  } catch (error) {
    if (!(error instanceof EtcdRefused)) throw error
  }
}

test('whatever happens, it has a leader exactly when most of its voters run, and that is one of them', () => {
  const kinds = fc.constantFrom<Act[0][]>('add', 'start', 'stop', 'promote', 'remove')
  const acts = fc.array(fc.tuple(kinds, fc.nat(6)), { maxLength: 40 })
  fc.assert(
    fc.property(acts, (course) => {
      const etcd = etcdOf(1)
      for (const step of course) {
        act(etcd, step)
        const running = etcd.voters.filter(({ id }) => etcd.isStarted(id)).map(({ id }) => id)
        expect(etcd.leader !== undefined).toBe(2 * running.length > etcd.voters.length)
        if (etcd.leader !== undefined) expect(running).toContain(etcd.leader)
        expect(etcd.voters.length).toBeGreaterThan(0)
      }
    }),
  )
})
