import { type Cidr, cidrHasAddress, cidrHost, cidrSize, parseCidr } from '../lib/cidr.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { ClusterSpec, NodePool } from '../spec/cluster-spec.ts'
import type { ClusterNode } from './cluster-node.ts'
import type { Inventory, InventoryNode } from './inventory.ts'

/** Where node addresses begin in a range that has room; the first hosts stay free for gateways and people. */
const firstHostIndex = 10

/** What of a spec asks for nodes by their number. */
type PooledSpec = Pick<ClusterSpec, 'clusterName' | 'network' | 'controlPlane' | 'workers'>

/**
 * The nodes that a spec asks for. What the inventory remembers keeps its slot, name and address for
 * life; new nodes take the lowest free slot of their pool and the first free address of the node
 * range that is not among `taken`, which others have; a shrinking pool gives up its highest slots. Nothing
 * depends on the order of the pools.
 */
export function allocateNodes(
  spec: PooledSpec,
  inventory: Inventory | undefined,
  taken: readonly string[] = [],
): ClusterNode[] {
  const known = inventory?.nodes ?? []
  const addresses = new AddressPool(spec.network.nodeRange, [
    ...known.map((node) => node.privateIp),
    ...taken,
  ])
  const allocate = (pool: NodePool) =>
    takeSlots(pool, known).map((slot) => {
      const name = `${spec.clusterName}-${pool.name}-${slot}`
      const former = known.find((node) => node.name === name)
      const privateIp = former?.privateIp ?? addresses.take()
      return toNode(pool, { name, slot, privateIp, location: locationOf(pool, slot, former) })
    })
  const controlPlane = allocate(spec.controlPlane)
  // Addresses are handed out in the order of the pools' names, not of their places in the file.
  const byPool = new Map([...spec.workers].sort(byName).map((pool) => [pool, allocate(pool)]))
  return [...controlPlane, ...spec.workers.flatMap((pool) => byPool.get(pool) ?? [])]
}

function byName(a: NodePool, b: NodePool): number {
  return a.name < b.name ? -1 : 1
}

function takeSlots(pool: NodePool, known: readonly InventoryNode[]): number[] {
  const kept = known
    .filter((node) => node.pool === pool.name)
    .map((node) => node.slot)
    .sort((a, b) => a - b)
    .slice(0, pool.count)
  const taken = new Set(kept)
  for (let slot = 1; taken.size < pool.count; slot++) taken.add(slot)
  return [...taken].sort((a, b) => a - b)
}

/** New slots take turns among the pool's locations; a node stays where it is while its pool names the place. */
function locationOf(
  { locations }: NodePool,
  slot: number,
  former: InventoryNode | undefined,
): string | undefined {
  const { location } = former ?? {}
  if (location !== undefined && locations.includes(location)) return location
  return locations[(slot - 1) % locations.length]
}

function toNode(
  pool: NodePool,
  place: { name: string; slot: number; privateIp: string; location: string | undefined },
): ClusterNode {
  const { name, slot, privateIp, location } = place
  return {
    name,
    role: pool.role,
    pool: pool.name,
    slot,
    location,
    privateIp,
    publicIpv4: pool.publicIpv4,
    publicIpv6: pool.publicIpv6,
    labels: pool.labels,
    annotations: pool.annotations,
    taints: pool.taints,
    patches: pool.patches,
  }
}

/** Hands out the addresses of a range that nobody has, from the lowest. */
class AddressPool {
  readonly #range: Cidr
  readonly #text: string
  readonly #taken: Set<string>
  #next: number

  constructor(range: string, taken: readonly string[]) {
    const parsed = parseCidr(range)
    if (!parsed) throw new Error(`not a range: ${range}`)
    this.#range = parsed
    this.#text = range
    this.#taken = new Set(taken.filter((address) => cidrHasAddress(parsed, address)))
    this.#next = cidrSize(parsed) > 4 * firstHostIndex ? firstHostIndex : 2
  }

  take(): string {
    for (; this.#next < cidrSize(this.#range) - 1; this.#next++) {
      const address = cidrHost(this.#range, this.#next)
      if (this.#taken.has(address)) continue
      this.#taken.add(address)
      return address
    }
    throw new ClusterError('spec-invalid', `no address is left for nodes in ${this.#text}`, {
      hint: 'Widen network.nodeRange.',
    })
  }
}
