import type { ClusterNode } from '../plan/cluster-node.ts'
import type { ClusterRecord } from '../plan/record.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { poolOf } from './pool-of.ts'

/**
 * The nodes where they are to stand. A server stays where it is while its pool names that place; one that is made,
 * or takes another's place (`made`), goes where the file puts its slot.
 */
export function placeNodes(
  spec: ClusterSpec,
  nodes: readonly ClusterNode[],
  servers: readonly ClusterRecord[],
  made: ReadonlySet<string> = new Set(),
): ClusterNode[] {
  const present = locationsOf(servers)
  return nodes.map((node) => {
    const staying = made.has(node.name) ? undefined : present.get(node.name)
    const stays = staying !== undefined && poolOf(spec, node).locations.includes(staying)
    const location = stays ? staying : slotLocation(spec, node)
    return location === node.location ? node : { ...node, location }
  })
}

/** Nodes that stay where the file would not put them, as sentences: one for each pool. */
export function describeMisplaced(
  spec: ClusterSpec,
  nodes: readonly ClusterNode[],
  servers: readonly ClusterRecord[],
): string[] {
  const present = locationsOf(servers)
  const misplaced = nodes.flatMap((node) => {
    const [is, wanted] = [present.get(node.name), slotLocation(spec, node)]
    return is === undefined || is !== node.location || is === wanted ? [] : [{ node, wanted }]
  })
  const pools = [...new Set(misplaced.map(({ node }) => node.pool))]
  return pools.map((pool) => {
    const own = misplaced.filter(({ node }) => node.pool === pool)
    const places = own
      .slice(0, mostNamed)
      .map(({ node, wanted }) => `${node.name} is in ${node.location} instead of ${wanted}`)
    const more = own.length > mostNamed ? [`and ${own.length - mostNamed} more`] : []
    const [first] = own
    return `locations of ${pool}: ${[...places, ...more].join(', ')}. A server moves only when it is replaced, by \`hcloud-talos apply --replace ${first?.node.name}\``
  })
}

const mostNamed = 5

function locationsOf(servers: readonly ClusterRecord[]): Map<string, string> {
  return new Map(
    servers
      .filter(({ kind }) => kind === 'server')
      .map(({ name, spec }) => [name, String(spec['location'])]),
  )
}

/** Slots take turns among the locations of their pool. */
function slotLocation(spec: ClusterSpec, node: ClusterNode): string {
  const all = poolOf(spec, node).locations
  return all[(node.slot - 1) % all.length] ?? spec.hetzner.region
}
