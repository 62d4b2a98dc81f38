import { expect, it } from 'vitest'
import { openSession } from '../../src/run/hetzner-talos/cluster-session.ts'
import { lockCluster } from '../../src/run/lock-cluster.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'

it('a run whose lock was taken over asks nothing more of Hetzner, but can still shut its rule', async () => {
  await using bench = await startBench()
  const file = clusterFile({}, bare)
  const context = bench.run()
  await using session = await openSession(context, file)
  await lockCluster(context, session)
  expect(await session.hetzner.servers.list()).toEqual([])

  const other = bench.run()
  await using thief = await openSession(other, file)
  await lockCluster(other, thief)
  const fenced = { code: 'state-fenced' }
  const inventory = {
    clusterName: 'demo',
    uid: '0123456789abcdef',
    nodes: [],
    addons: {},
    bootstrapped: false,
  }
  const write = session.store.update(() => ({ inventory }), 'Begin the cluster demo')
  await expect(write).rejects.toMatchObject(fenced)
  await expect(session.hetzner.servers.list()).rejects.toMatchObject(fenced)
  expect(await session.hetzner.withSignal(undefined).servers.list()).toEqual([])
  expect(await thief.hetzner.servers.list()).toEqual([])
})
