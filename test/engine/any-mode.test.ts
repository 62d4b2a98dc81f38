import { expect, test } from 'vitest'
import { Disruptions } from '../../src/engine/disruptions.ts'
import {
  type NodeService,
  returnToService,
  takeOutOfService,
} from '../../src/engine/node-service.ts'
import { plainSteps } from '../../src/engine/run-step.ts'
import { waitForNodes } from '../../src/engine/wait-for-nodes.ts'
import { getNode } from '../../src/kubernetes/nodes.ts'
import type { HostsSpec } from '../../src/spec/hosts/hosts-spec.ts'
import { listeningProgress } from '../commands/listening-progress.ts'
import { rackSpec } from '../kubeadm/config/rack.ts'
import { registerNode, startSimCluster } from '../kubernetes/sim-cluster.ts'

/** Nodes are healthy without a network of ours, as far as they can be. */
function specWithoutNetwork(): HostsSpec {
  const spec = rackSpec()
  return { ...spec, cni: { ...spec.cni, type: 'none' } }
}

async function startNode() {
  const { sim, client: kubernetes, world } = await startSimCluster()
  registerNode(sim, 'rack-1', 1)
  const steps: string[] = []
  const progress = listeningProgress(steps).phase('Stop a node')
  const { clock } = world
  const { signal } = new AbortController()
  const service: NodeService = {
    name: 'rack-1',
    spec: specWithoutNetwork(),
    kubernetes,
    inspection: {
      waitForComponents: async () => {
        steps.push('its own components are healthy')
      },
      expected: async () => ({ bootId: 'boot-1', kubeletVersion: 'v1.32.0' }),
    },
    clock,
    signal,
    run: 'run-1',
    step: plainSteps('rack-1', progress),
  }
  return { service, steps, progress, kubernetes, clock, signal }
}

test('a node of a mode without Talos is drained through the gate, and comes back when it is healthy', async () => {
  const { service, steps, kubernetes, signal } = await startNode()
  const disruptions = new Disruptions(1, signal)
  await disruptions.during('rack-1', async () => {
    await takeOutOfService(service, async () => {
      steps.push('etcd was asked')
    })
    expect(await getNode(kubernetes, 'rack-1')).toMatchObject({
      unschedulable: true,
      cordonedBy: 'run-1',
    })
    await returnToService(service)
  })
  expect(await getNode(kubernetes, 'rack-1')).toMatchObject({
    unschedulable: false,
    cordonedBy: undefined,
  })
  const order = ['etcd was asked', 'rack-1: drain it', 'its own components are healthy']
  expect(steps.filter((step) => order.includes(step))).toEqual(order)
})

test('an apply of a mode without Talos ends when Kubernetes knows all nodes, and takes old cordons off', async () => {
  const { service, progress, kubernetes, clock, signal } = await startNode()
  await takeOutOfService(service, async () => {})
  const isReady = await waitForNodes({
    spec: service.spec,
    kubernetes,
    nodes: [{ name: 'rack-1' }],
    kept: new Map(),
    wait: { clock, signal, withinMs: 60_000 },
    progress,
  })
  expect(isReady).toBe(false)
  expect(await getNode(kubernetes, 'rack-1')).toMatchObject({ unschedulable: false })
})
