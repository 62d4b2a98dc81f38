import { expect } from 'vitest'
import type { RealCluster } from './real-cluster.ts'

/** Names of the nodes that Kubernetes knows, in order. */
export async function nodeNames(cluster: RealCluster): Promise<string[]> {
  const { stdout } = await cluster.kubectl(
    'get',
    'nodes',
    '--output=jsonpath={.items[*].metadata.name}',
  )
  return stdout.split(' ').filter(Boolean).sort()
}

/** Names of the nodes that are Ready and take pods, in order. */
export async function readyNodes(cluster: RealCluster): Promise<string[]> {
  const { stdout } = await cluster.kubectl('get', 'nodes', '--no-headers')
  return stdout
    .split('\n')
    .map((line) => line.split(/\s+/))
    .flatMap(([name = '', status]) => (status === 'Ready' ? [name] : []))
    .sort()
}

/** Host names of etcd's members as the member on this node tells them, in order; learners are marked. */
export async function etcdMembers(cluster: RealCluster, node: string): Promise<string[]> {
  const { code, stdout, stderr } = await cluster.talosctl(node, 'etcd', 'members')
  if (code !== 0) throw new Error(stderr)
  const [, ...lines] = stdout.trim().split('\n')
  return lines
    .map((line) => line.split(/\s+/))
    .map((columns) => `${columns[2]}${columns.at(-1) === 'true' ? ' (learner)' : ''}`)
    .sort()
}

/** The project holds none of a cluster's resources, and nothing was sent that no API knows. */
export function expectNothingLeft({ world }: RealCluster): void {
  const { servers, networks, firewalls, loadBalancers, placementGroups, volumes, sshKeys } =
    world.hetzner
  const kinds = { servers, networks, firewalls, loadBalancers, placementGroups, volumes, sshKeys }
  const left = Object.entries(kinds).flatMap(([kind, all]) =>
    [...all.values()].map(({ name }) => `${kind}: ${name}`),
  )
  expect(left).toEqual([])
  expect(world.contractErrors).toEqual([])
}
