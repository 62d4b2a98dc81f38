import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { createTemporaryRule } from '../../src/hetzner/temporary-rules.ts'
import { cordon, deleteNode, nodeRef } from '../../src/kubernetes/nodes.ts'
import { connectHetzner, readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import type { Hardware } from '../../src/sandbox/hardware.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import type { Fact } from '../../src/store/files/journal.ts'
import { byHand, deleteServerByHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { examine, findings } from './doctors-eye.ts'
import { type Bench, startBench } from './harness.ts'
import { withKubernetes } from './lost-etcd.ts'
import { editByHand } from './node-hands.ts'
import { expectTidy, inventoryOf, newestCluster } from './world-facts.ts'

// Each test breaks something, finds it with its command, and carries the command out: then nothing is left to find.
const firewall = { talosApi: ['127.0.0.0/8'], kubernetesApi: ['127.0.0.0/8'] }
const fileOf = (workers: number, talos = 'v1.13.0', more = {}) =>
  clusterFile(
    { controlPlanes: 3, workers },
    { ...bare, firewall, talos: { version: talos }, ...more },
  )
const file = fileOf(1)
const first = 'demo-control-plane-1'
const third = 'demo-control-plane-3'
const worker = 'demo-workers-1'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function machine(name: string): Hardware {
  const found = [...bench.sandbox.world.machines.values()].find((one) => one.name === name)
  if (!found) throw new Error(`there is no machine ${name}`)
  return found
}

const look = () => findings(bench, file)
const apply = () => applyCluster(bench.run(), { file })
const finding = (text: string, command: string) =>
  expect.stringMatching(new RegExp(`${text}.* → ${command}`))
const etcd = () => {
  const [found] = newestCluster(bench.sandbox.world).etcds.values()
  if (!found) throw new Error('there is no etcd')
  return found
}

async function record(facts: readonly Fact[]): Promise<void> {
  await using store = await openStateStore(bench.run(), readClusterFile(file).spec)
  await store.read()
  await store.lock({ waitMs: 0 })
  for (const fact of facts) await store.record(fact)
}

describe('the doctor of a cluster', () => {
  it('finds nothing where everything is as it should be, and says what it looked at', async () => {
    expect(await look()).toEqual([])
    const areas = new Set((await examine(bench, file)).map(({ area }) => area))
    for (const area of [
      'servers',
      'etcd',
      'nodes',
      'kubernetes',
      'journal',
      'firewall',
      'changes',
    ]) {
      expect(areas).toContain(area)
    }
  })

  it('a server that is off: apply switches it on', async () => {
    const id = idOf(bench.sandbox.world.hetzner.servers, third)
    await byHand(bench, 'POST', `/servers/${id}/actions/poweroff`)
    await expect.poll(() => machine(third).power).toBe('off')
    expect(await look()).toContainEqual(
      finding(
        `bad servers: the server of the control plane ${third} is off`,
        'hcloud-talos apply$',
      ),
    )
    await apply()
    expect(await look()).toEqual([])
  })

  it('a control plane whose server was deleted: apply recreates it', async () => {
    await deleteServerByHand(bench, third)
    const found = await look()
    expect(found).toContainEqual(
      finding(
        `bad servers: the server of the control plane ${third} is gone`,
        'hcloud-talos apply$',
      ),
    )
    expect(found.some((line) => line.startsWith('bad etcd: etcd has no quorum'))).toBe(false)
    await apply()
    expect(await look()).toEqual([])
  })

  it('a worker that hangs: it is replaced by name', async () => {
    talosState(bench.sandbox.world).faults.hang(worker)
    expect(await look()).toContainEqual(
      finding(`bad nodes: ${worker} does not answer`, `hcloud-talos apply --replace ${worker}`),
    )
    talosState(bench.sandbox.world).faults.release(worker)
    expect(await look()).toEqual([])
  })

  it('a Node that somebody deleted: apply registers it', async () => {
    await withKubernetes(bench, file, (client) => deleteNode(client, worker))
    expect(await look()).toContainEqual(
      finding(
        `bad kubernetes: ${worker} runs, and Kubernetes does not know it`,
        'hcloud-talos apply$',
      ),
    )
    await apply()
    expect(await look()).toEqual([])
  })

  it('a Node with the provider id of another server: apply registers it again', async () => {
    const spec = { providerID: 'hcloud://1' }
    await withKubernetes(bench, file, (client) => client.patch(nodeRef(worker), { spec }))
    expect(await look()).toContainEqual(
      finding(`the Node ${worker} is that of another server \\(hcloud://1`, 'hcloud-talos apply$'),
    )
    await withKubernetes(bench, file, (client) => deleteNode(client, worker))
    await apply()
    expect(await look()).toEqual([])
  })

  it('a cordon of a run that ended early: apply takes it off; one by hand is somebody’s', async () => {
    await withKubernetes(bench, file, (client) => cordon(client, worker, 'dead-run'))
    expect(await look()).toEqual([
      finding(`bad kubernetes: ${worker} is cordoned: the run dead-run`, 'hcloud-talos apply$'),
    ])
    await apply()
    expect(await look()).toEqual([])
    const patch = (unschedulable: boolean | null) =>
      withKubernetes(bench, file, (client) =>
        client.patch(nodeRef(worker), { spec: { unschedulable } }),
      )
    await patch(true)
    expect(await look()).toEqual([
      finding(`weak kubernetes: ${worker} was cordoned by hand`, 'Run `kubectl uncordon'),
    ])
    await patch(null)
  })

  it('etcd out of space: defragment, then lower the alarm', async () => {
    const { database } = etcd()
    etcd().outOfSpace = etcd().leader
    Object.assign(database, { size: 2_147_483_648n, inUse: 100_000_000n })
    expect(await look()).toContainEqual(
      finding(
        'bad etcd: etcd raises an alarm: .* is out of space',
        'hcloud-talos talos etcd defrag$',
      ),
    )
    database.size = database.inUse
    expect(await look()).toContainEqual(
      finding('bad etcd: etcd raises an alarm', 'hcloud-talos talos etcd alarm disarm$'),
    )
    etcd().outOfSpace = undefined
    expect(await look()).toEqual([])
  })

  it('etcd almost full, with and without what a defragmentation gives back', async () => {
    const { database } = etcd()
    Object.assign(database, { size: 1_900_000_000n, inUse: 100_000_000n })
    expect(await look()).toEqual([
      finding(
        'weak etcd: the database .* 1811 MiB of its quota of 2048 MiB',
        'hcloud-talos talos etcd defrag$',
      ),
    ])
    database.inUse = 1_850_000_000n
    expect(await look()).toEqual([
      finding('weak etcd: the database', 'Set a larger quota-backend-bytes'),
    ])
    Object.assign(database, { size: 4_194_304n, inUse: 2_097_152n })
  })

  it('a member of etcd that is none of ours, and one that never started', async () => {
    const stranger = {
      id: 77n,
      hostname: 'stranger',
      peerUrl: 'https://10.0.9.9:2380',
      clientUrl: 'https://10.0.9.9:2379',
      learner: false,
    }
    etcd().members.set(stranger.id, stranger)
    expect(await look()).toContainEqual(
      finding(
        'bad etcd: etcd has a member that is no control plane of this cluster: stranger',
        'hcloud-talos talos etcd members',
      ),
    )
    etcd().members.delete(stranger.id)
  })

  it('a temporary firewall rule that a dead run left open: apply removes it', async () => {
    const { uid, clusterName } = await inventoryOf(bench)
    const hetzner = connectHetzner(bench.run())
    const identity = { uid, clusterName }
    await createTemporaryRule(hetzner, { identity, runId: 'dead-run', address: '192.0.2.7' })
    expect(await look()).toEqual([
      finding(
        'bad firewall: the run dead-run has ended and left its temporary firewall rule open',
        'hcloud-talos apply$',
      ),
    ])
    const alive = { ...bench.run().run, isRunOver: async () => false }
    expect(await findings(bench, file, { run: alive })).toEqual([])
    const unsure = { ...bench.run().run, isRunOver: undefined }
    expect(await findings(bench, file, { run: unsure })).toEqual([
      expect.stringMatching(/^unknown firewall: .*dead-run is open/),
    ])
    await apply()
    expect(await look()).toEqual([])
  })

  it('an upgrade that stopped at a node: upgrade continues with it', async () => {
    const newer = fileOf(1, 'v1.13.9')
    const { faults } = talosState(bench.sandbox.world)
    faults.failUpgrade(worker, 100)
    await expect(upgradeCluster(bench.run(), { file: newer })).rejects.toMatchObject({
      code: 'talos-upgrade-failed',
    })
    const found = await findings(bench, newer)
    expect(found).toContainEqual(
      finding(`bad journal: the upgrade of ${worker} was started at`, 'hcloud-talos upgrade$'),
    )
    expect(found).toContainEqual(
      finding(`bad kubernetes: ${worker} is cordoned: its upgrade`, 'hcloud-talos upgrade$'),
    )
    expect(found).toContainEqual(
      finding('weak versions: an upgrade has 1 change to make', 'hcloud-talos upgrade$'),
    )
    faults.release(worker)
    await upgradeCluster(bench.run(), { file: newer })
    expect(await findings(bench, newer)).toEqual([])
    // From here on the file is the newer one's.
  })
})

describe('the doctor of a cluster that was changed', () => {
  const newer = fileOf(1, 'v1.13.9')

  it('a config that was changed by hand, and a file that asks for more: apply', async () => {
    await editByHand(bench, newer, worker, (config) => ({
      ...config,
      sysctls: { 'vm.swappiness': '1' },
    }))
    expect(await findings(bench, newer)).toEqual([
      finding(
        `weak changes: an apply has 1 change to make: update node/${worker}`,
        'hcloud-talos apply$',
      ),
    ])
    await applyCluster(bench.run(), { file: newer })
    const more = fileOf(2, 'v1.13.9')
    expect(await findings(bench, more)).toEqual([
      finding(
        'weak changes: an apply has 3 changes to make: create .*create server/demo-workers-2',
        'hcloud-talos apply$',
      ),
    ])
    expect(await findings(bench, newer)).toEqual([])
  })

  it('a destroy, a replacement of the CA and a departure that were started', async () => {
    await record([{ fact: 'authority-accepted' }])
    expect(await findings(bench, newer)).toEqual([
      finding(
        'bad journal: the replacement of the CA of the Talos API was started at',
        'hcloud-talos revoke$',
      ),
    ])
    await record([{ fact: 'authority-dropped' }, { fact: 'destroy-started' }])
    expect(await findings(bench, newer)).toEqual([
      finding(
        'bad journal: the destruction of the cluster was started at',
        'hcloud-talos destroy$',
      ),
    ])
  })

  it('says what it could not look at, and looks at the rest', async () => {
    const state = { ...bench.run().state, identity: undefined }
    expect(await findings(bench, newer, { state })).toContainEqual(
      finding(
        'unknown nodes: etcd, the nodes and the API servers were not looked at',
        'Set HCLOUD_TALOS_AGE_IDENTITY_FILE.',
      ),
    )
    const blind = await findings(bench, newer, { hetznerToken: 'wrong' })
    expect(blind).toContainEqual(finding('unknown servers: ', '.'))
    const all = await examine(bench, newer, { hetznerToken: 'wrong' })
    for (const area of ['etcd', 'nodes', 'kubernetes']) {
      expect(all).toContainEqual(expect.objectContaining({ area, verdict: 'good' }))
    }
    for (const { rules } of bench.sandbox.world.hetzner.firewalls.values()) {
      rules.splice(0, rules.length)
    }
    const shut = await findings(bench, newer)
    for (const area of ['etcd', 'nodes', 'kubernetes']) {
      expect(shut).toContainEqual(
        expect.stringMatching(new RegExp(`^unknown ${area}: .* firewall\\.`)),
      )
    }
  })

  it('no quorum and a survivor: its data comes first; nobody left: a snapshot', async () => {
    await deleteServerByHand(bench, third)
    await deleteServerByHand(bench, 'demo-control-plane-2')
    const found = await findings(bench, newer)
    expect(found).toContainEqual(
      finding(
        `bad servers: the server of the control plane ${third} is gone`,
        'hcloud-talos snapshot survivor/',
      ),
    )
    await deleteServerByHand(bench, first)
    expect(await findings(bench, newer)).toContainEqual(
      finding(
        `bad servers: the server of the control plane ${first} is gone`,
        'hcloud-talos restore --snapshot',
      ),
    )
  })
})
