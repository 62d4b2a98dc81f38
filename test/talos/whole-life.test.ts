import { expect, test } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import type { Hardware } from '../../src/sandbox/hardware.ts'
import { readBootId } from '../../src/talos/api/node-file.ts'
import { getVersion } from '../../src/talos/api/node-version.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { generateMachineConfig } from '../../src/talos/config/machine-config.ts'
import { configureNode } from '../../src/talos/configure-node.ts'
import type { ControlPlane } from '../../src/talos/control-plane.ts'
import { bootstrapEtcd } from '../../src/talos/etcd/bootstrap-etcd.ts'
import { etcdProblems } from '../../src/talos/etcd/etcd-health.ts'
import { upgradeTalosNode, waitForTalosVersion } from '../../src/talos/upgrade-talos-node.ts'
import { clusterSpec, pool } from '../plan/specs.ts'
import { addressOf, TalosBed } from '../sandbox/talos/talos-bed.ts'
import { clusterNode } from './nodes.ts'
import { testCluster } from './test-cluster.ts'

const clock = createClock(50)

const upgrades = [
  { from: 'v1.11.0', to: 'v1.12.0' },
  { from: 'v1.12.0', to: 'v1.13.0' },
  { from: 'v1.13.0', to: 'v1.13.1' },
]

test.for(upgrades)(
  'a cluster on $from comes up, and goes to $to node by node',
  async (versions) => {
    await using cleanup = new AsyncDisposableStack()
    const bed = new TalosBed()
    cleanup.defer(() => bed.close())
    const { secrets, credentials } = await testCluster()
    const base = clusterSpec()
    const spec = clusterSpec({
      talos: { ...base.talos, version: versions.from },
      kubernetes: { ...base.kubernetes, version: '1.34.1' },
      controlPlane: pool({ name: 'control-plane', count: 3 }),
      workers: [pool({ name: 'workers', count: 1 })],
    })
    const nodes = [
      ...[1, 2, 3].map((slot) => clusterNode({ slot, privateIp: `10.0.64.${slot}` })),
      clusterNode({ role: 'worker', privateIp: '10.0.64.4' }),
    ]
    const machines: Hardware[] = []
    for (const { name } of nodes) machines.push(await bed.boot(name, { version: versions.from }))

    const configure = () =>
      Promise.all(
        nodes.map((node, index) => {
          const [machine] = machines.slice(index)
          if (machine === undefined) throw new Error('a node without a machine')
          return configureNode({
            name: node.name,
            address: addressOf(machine),
            config: generateMachineConfig({ spec, node, secrets }),
            credentials,
            clock,
          })
        }),
      )
    expect((await configure()).map(({ fresh }) => fresh)).toEqual([true, true, true, true])

    const [first, ...others]: ControlPlane[] = machines.slice(0, 3).map((machine) => {
      const client = new TalosClient({ address: addressOf(machine), credentials })
      cleanup.use(client)
      return { name: machine.name, client }
    })
    if (first === undefined) throw new Error('no control plane')
    const controlPlanes = [first, ...others] as const
    expect(await bootstrapEtcd({ controlPlanes, clock })).toBe('bootstrapped')
    expect(await bootstrapEtcd({ controlPlanes, clock })).toBe('already bootstrapped')
    const whole = () =>
      bed.until('etcd is healthy', async () => (await etcdProblems(controlPlanes)).length === 0)
    await whole()

    // A second time there is nothing to do.
    expect(await configure()).toMatchObject(nodes.map(() => ({ fresh: false, rebooted: false })))

    for (const { client } of controlPlanes) {
      const formerBootId = await readBootId(client)
      const image = `factory.talos.dev/hcloud-installer/${'c'.repeat(64)}:${versions.to}`
      await upgradeTalosNode(client, { image, fromVersion: versions.from })
      await waitForTalosVersion(client, { version: versions.to, formerBootId, clock })
      expect((await getVersion(client)).tag).toBe(versions.to)
      await whole()
    }
    expect(bed.world.contractErrors).toEqual([])
  },
)
