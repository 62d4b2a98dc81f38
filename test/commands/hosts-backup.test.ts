import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeRestore } from '../../src/planner/restore-plan.ts'
import { configMap, putObject } from '../../src/sandbox/hosts/cluster/cluster-objects.ts'
import { type HostsCluster, startHostsCluster } from './hosts-run.ts'
import { listeningProgress } from './listening-progress.ts'

let folder: string
beforeAll(async () => {
  folder = `${await mkdtemp(join(tmpdir(), 'hosts-backup-'))}/`
})
afterAll(() => rm(folder, { recursive: true }))

function clusterOf({ hosts }: HostsCluster) {
  const [cluster] = hosts.clusters.all
  if (!cluster) throw new Error('there is no cluster')
  return cluster
}

function write(rack: HostsCluster, name: string): void {
  putObject(clusterOf(rack), configMap(name, { name }, 'default'))
}

const has = (rack: HostsCluster, name: string) =>
  clusterOf(rack).kubernetes.context.store.get('configmaps', `default/${name}`) !== undefined

/** The disk of a control plane loses what etcd kept on it; it comes up again. */
async function loseEtcd({ hosts }: HostsCluster, name: string): Promise<void> {
  const { host } = hosts.host(name)
  await host.powerOff()
  await host.folder.remove('var/lib/etcd/member')
  await host.powerOn()
}

/** Nothing of a restore is left on a host, neither what it brought nor what it stopped. */
function expectTidy({ hosts }: HostsCluster, name: string): void {
  const { folder: disk } = hosts.host(name).host
  const left = ['var/lib/etcd/.hcloud-talos', 'var/lib/hcloud-talos/etcdutl'].filter(disk.has)
  expect([...left, ...['etc/kubernetes/hcloud-talos-stopped'].filter(disk.has)]).toEqual([])
}

describe.skipIf(userInfo().uid !== 0)('a cluster on hosts that exist', () => {
  test('goes back to its snapshot, also where nothing of etcd is left, and keeps a copy of what it discards', async () => {
    const names = ['cp-1', 'worker-1']
    await using rack = await startHostsCluster({ hosts: names })
    await rack.apply(names)
    write(rack, 'kept')
    const taken = await rack.snapshot(names, folder)
    expect(taken).toMatchObject({ node: 'cp-1', quorum: true })
    write(rack, 'later')

    const snapshot = taken.place
    await expect(rack.restore(names, { snapshot })).rejects.toMatchObject({
      code: 'etcd-alive',
      message: expect.stringContaining('the etcd of cp-1 is alive'),
    })
    expect(has(rack, 'later')).toBe(true)
    const { plan, left } = await rack.restore(names, { snapshot, discardEtcd: true })
    expect(plan).toMatchObject({ wipes: ['cp-1'], alive: ['cp-1'], newer: ['cp-1'] })
    expect([has(rack, 'kept'), has(rack, 'later'), left]).toEqual([true, false, 0])
    expectTidy(rack, 'cp-1')

    const replaced = (await readdir(folder)).find((name) => name.startsWith('rack-replaced-cp-1-'))
    await loseEtcd(rack, 'cp-1')
    const again = await rack.restore(names, { snapshot: join(folder, replaced ?? '') })
    expect(again.plan).toMatchObject({ wipes: [], newer: [], resumes: false })
    expect(describeRestore(again.plan)).toContain('is lost: since')
    expect([has(rack, 'later'), again.left]).toEqual([true, 0])
    expect(await rack.plan(names)).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })

  test('without a quorum comes back from what a survivor has, and a restore that was killed goes on', async () => {
    const names = ['cp-1', 'cp-2', 'cp-3']
    await using rack = await startHostsCluster({ hosts: names })
    await rack.apply(names)
    write(rack, 'kept')
    await loseEtcd(rack, 'cp-2')
    await loseEtcd(rack, 'cp-3')
    expect(clusterOf(rack).etcd.quorum).toBe(false)
    const survivor = await rack.snapshot(names, folder)
    expect(survivor).toMatchObject({ node: 'cp-1', quorum: false })
    const snapshot = survivor.place

    const killed = new AbortController()
    const silent = listeningProgress([])
    const progress = {
      ...silent,
      phase(title: string) {
        if (title === 'Begin etcd with the snapshot') killed.abort(new Error('it was killed'))
        return silent.phase(title)
      },
    }
    const context = { progress, signal: killed.signal }
    await expect(rack.restore(names, { snapshot }, context)).rejects.toThrow('it was killed')
    expect(rack.hosts.host('cp-1').host.folder.has('var/lib/etcd/member')).toBe(false)
    expect(await rack.plan(names)).toContainEqual(
      expect.stringContaining(`error a restore from ${snapshot} was started`),
    )

    const { left } = await rack.restore(names, { snapshot })
    const cluster = clusterOf(rack)
    expect(cluster.etcd.voters.map(({ hostname }) => hostname).toSorted()).toEqual(names)
    expect([has(rack, 'kept'), left]).toEqual([true, 0])
    for (const name of names) expectTidy(rack, name)
    expect(await rack.plan(names)).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })
})
