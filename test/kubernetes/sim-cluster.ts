import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { createTransport } from '../../src/kubernetes/api-transport.ts'
import type { ApiConnection } from '../../src/kubernetes/kubeconfig.ts'
import { clientOver, type KubernetesClient } from '../../src/kubernetes/kubernetes-client.ts'
import { createClock } from '../../src/lib/clock.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { SimKubernetes } from '../../src/sandbox/kubernetes/sim-kubernetes.ts'
import { World } from '../../src/sandbox/world.ts'
import { createAuthority } from './api-server.ts'

export interface SimCluster {
  readonly world: World
  readonly sim: SimKubernetes
  readonly client: KubernetesClient
  readonly connection: ApiConnection
}

/** A simulated cluster without nodes, and a client for it. Its time runs a hundred times as fast. */
export async function startSimCluster(version = 'v1.32.0'): Promise<SimCluster> {
  const world = new World({ clock: createClock(100) })
  const authority = createAuthority()
  const sim = new SimKubernetes({
    world,
    clusterName: 'demo',
    version,
    ca: authority.ca,
    podCidr: '10.0.128.0/17',
    serviceCidr: '10.0.96.0/19',
    serverSans: () => ['127.0.0.1'],
  })
  const port = await freePort(sim)
  const connection = authority.connection(`https://127.0.0.1:${port}`)
  const client = clientOver(createTransport(connection, 30_000), {
    clock: world.clock,
    random: seededRandom(1),
  })
  onTestFinished(async () => {
    client.close()
    await world.close()
  })
  return { world, sim, client, connection }
}

/** A port that nobody had a moment ago. */
async function anyPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}

/** Serves on a port that nobody has; the fixture must know it, so 0 will not do. */
async function freePort(sim: SimKubernetes): Promise<number> {
  for (;;) {
    const port = await anyPort()
    try {
      const served = await sim.serve('127.0.0.1', port, () => true)
      onTestFinished(() => served.close())
      return port
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!taken) throw error
    }
  }
}

export function registerNode(
  sim: SimKubernetes,
  name: string,
  serverId: number,
  controlPlane = false,
) {
  sim.registerNode({
    name,
    internalIp: `10.0.64.${serverId}`,
    roleControlPlane: controlPlane,
    labels: {},
    annotations: {},
    taints: controlPlane
      ? [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }]
      : [],
    osImage: 'Talos (v1.9.0)',
    kubeletVersion: 'v1.32.0',
    bootId: `boot-${serverId}`,
    serverId,
  })
}
