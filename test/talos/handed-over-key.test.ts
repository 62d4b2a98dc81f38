import { expect, test } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import { generateMachineConfig } from '../../src/talos/config/machine-config.ts'
import { configureNode } from '../../src/talos/configure-node.ts'
import { clusterSpec } from '../plan/specs.ts'
import { addressOf, TalosBed } from '../sandbox/talos/talos-bed.ts'
import { clusterNode } from './nodes.ts'
import { testCluster } from './test-cluster.ts'

// Each connection of a hand-over is once the first that somebody stands in between of.
test.for([0, 1, 2, 3, 4])(
  'after %i connections another key is shown: no config goes to it unseen',
  async (count) => {
    const bed = new TalosBed()
    await using cleanup = new AsyncDisposableStack()
    cleanup.defer(() => bed.close())
    const { secrets, credentials } = await testCluster()
    const node = clusterNode({ privateIp: '10.0.64.1' })
    const machine = await bed.boot(node.name, { version: 'v1.13.0' })
    bed.talos.faults.otherKeyAfter(node.name, count)
    const { fresh } = await configureNode({
      name: node.name,
      address: addressOf(machine),
      config: generateMachineConfig({ spec: clusterSpec(), node, secrets }),
      credentials,
      clock: createClock(50),
    })
    expect(fresh).toBe(true)
    // That the key was shown before the config went to it, the world judges.
    expect(bed.world.contractErrors).toEqual([])
  },
)
