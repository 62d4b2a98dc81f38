import { describe, expect, test } from 'vitest'
import { checkHetzner } from '../../src/hetzner/check-hetzner.ts'
import { formatPath } from '../../src/lib/finding.ts'
import type { ServerRecord } from '../../src/sandbox/hetzner/servers/server.ts'
import type { World } from '../../src/sandbox/world.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { clusterSpec, pool } from '../plan/specs.ts'
import { applyCluster, planCluster, startHetznerWorld } from './hetzner-world.ts'

type Sandbox = Awaited<ReturnType<typeof startHetznerWorld>>

/** What a plan says of the surroundings of a cluster that is there. */
async function findings({ client }: Sandbox, spec: ClusterSpec = clusterSpec()): Promise<string[]> {
  const { desired, live } = await planCluster(client, spec)
  return checkHetzner(spec, desired, live).map(
    ({ severity, path, message }) => `${severity} ${formatPath(path)}: ${message}`,
  )
}

function named<T extends { readonly name: string }>(all: ReadonlyMap<number, T>, name: string): T {
  const found = [...all.values()].find((one) => one.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

/** Somebody else's server, in the network of the cluster. */
function addStranger({ hetzner }: World, ip: string, aliasIps: string[] = []): ServerRecord {
  const id = hetzner.nextId()
  const [template] = hetzner.servers.values()
  if (!template) throw new Error('there is no server')
  const net = { network: named(hetzner.networks, 'demo').id, ip, aliasIps, macAddress: '' }
  const stranger = {
    ...template,
    id,
    name: `other-${id}`,
    labels: {},
    privateNets: [net],
    placementGroup: null,
  }
  hetzner.servers.set(id, stranger)
  return stranger
}

async function cluster(): Promise<Sandbox> {
  const sandbox = await startHetznerWorld()
  await applyCluster(sandbox.client)
  expect(await findings(sandbox)).toEqual([])
  return sandbox
}

describe('what others have where the cluster is', () => {
  test('is an address of a node whose server is gone, or of the load balancer', async () => {
    await using sandbox = await cluster()
    const { hetzner } = sandbox.world
    const gone = named(hetzner.servers, 'demo-workers-2')
    const address = gone.privateNets[0]?.ip ?? ''
    hetzner.servers.delete(gone.id)
    const [balancer] = hetzner.loadBalancers.values()
    if (!balancer) throw new Error('the cluster has a load balancer')
    const front = balancer.privateNets[0]?.ip ?? ''
    hetzner.loadBalancers.delete(balancer.id)
    const first = addStranger(sandbox.world, address)
    const second = addStranger(sandbox.world, '10.0.95.200', [front])
    expect((await findings(sandbox)).sort()).toEqual([
      `error network.loadBalancerRange: the address ${front} of demo is held by the server ${second.name} (id ${second.id})`,
      `error network.nodeRange: the address ${address} of demo-workers-2 is held by the server ${first.name} (id ${first.id})`,
    ])
  })

  test('is the places in the network, of which Hetzner has a hundred', async () => {
    await using sandbox = await cluster()
    for (let count = 0; count < 95; count++) addStranger(sandbox.world, `10.0.95.${count + 1}`)
    expect(await findings(sandbox)).toEqual([])
    expect(
      await findings(sandbox, clusterSpec({ workers: [pool({ name: 'workers', count: 3 })] })),
    ).toEqual([
      "error nodes: 6 nodes do not fit into the network beside 95 servers that are not this cluster's: Hetzner attaches 100 at most",
    ])
  })

  test('is a route over the range of the pods, and not one that leads to a node', async () => {
    await using sandbox = await cluster()
    const { hetzner } = sandbox.world
    const { routes } = named(hetzner.networks, 'demo')
    const node = named(hetzner.servers, 'demo-workers-1').privateNets[0]?.ip ?? ''
    routes.push(
      { destination: '10.0.128.0/24', gateway: node },
      { destination: '10.0.129.0/24', gateway: '10.0.64.77' },
      { destination: '0.0.0.0/0', gateway: '10.0.32.9' },
    )
    expect(await findings(sandbox)).toEqual([])
    routes.push({ destination: '10.0.192.0/18', gateway: '10.0.32.9' })
    const text =
      "network.podRange: the network has a route to 10.0.192.0/18 by 10.0.32.9, which is not this cluster's and lies over the pods' 10.0.128.0/17"
    expect(await findings(sandbox)).toEqual([`error ${text}`])
    const { addons } = clusterSpec()
    const without = { ...addons, hcloudCcm: { enabled: false, values: {} } }
    expect(await findings(sandbox, clusterSpec({ addons: without }))).toEqual([`warning ${text}`])
  })

  test('is the places for routes, of which Hetzner has a hundred', async () => {
    await using sandbox = await cluster()
    const { routes } = named(sandbox.world.hetzner.networks, 'demo')
    const addRoute = () => {
      const destination = `192.168.${routes.length}.0/24`
      routes.push({ destination, gateway: '10.0.32.9' })
    }
    while (routes.length < 95) addRoute()
    expect(await findings(sandbox)).toEqual([])
    addRoute()
    expect(await findings(sandbox)).toEqual([
      'error nodes: the network has 96 routes of others, and each of 5 nodes needs one: Hetzner allows 100',
    ])
    // Routes are the cloud controller's business: without it no node needs one.
    const { addons } = clusterSpec()
    const without = { ...addons, hcloudCcm: { enabled: false, values: {} } }
    expect(await findings(sandbox, clusterSpec({ addons: without }))).toEqual([])
  })

  test('is the places in a placement group, of which Hetzner has ten', async () => {
    await using sandbox = await cluster()
    const group = named(sandbox.world.hetzner.placementGroups, 'demo-workers-1')
    const strangers = Array.from({ length: 8 }, (_, index) => {
      const stranger = addStranger(sandbox.world, `10.0.95.${index + 1}`)
      stranger.placementGroup = group.id
      return stranger.id
    })
    expect(await findings(sandbox)).toEqual([])
    expect(
      await findings(sandbox, clusterSpec({ workers: [pool({ name: 'workers', count: 3 })] })),
    ).toEqual([
      `error nodes: 3 nodes do not fit into the placement group demo-workers-1 (id ${group.id}) beside 8 servers that are not this cluster's (${strangers.join(', ')}): Hetzner allows 10`,
    ])
  })

  test('is a subnet that overlaps with one that is asked for', async () => {
    await using sandbox = await cluster()
    const { network } = clusterSpec()
    const moved = clusterSpec({ network: { ...network, loadBalancerRange: '10.0.32.0/25' } })
    expect(await findings(sandbox, moved)).toEqual([
      'error network.loadBalancerRange: Hetzner cannot add the subnet 10.0.32.0/25: the network has 10.0.32.0/24, which overlaps with it and cannot be changed',
    ])
  })
})
