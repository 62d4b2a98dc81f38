import type { Etcd } from '../../src/sandbox/talos/etcd.ts'
import type { World } from '../../src/sandbox/world.ts'
import type { Bench } from './harness.ts'
import { newestCluster } from './world-facts.ts'

/** The etcd of the cluster that was made last. */
export function onlyEtcd(world: World): Etcd {
  const [etcd, ...others] = newestCluster(world).etcds.values()
  if (!etcd || others.length > 0) throw new Error('a cluster has one etcd')
  return etcd
}

/** Its voters by host name, each with whether it runs. */
export function voters(world: World): Record<string, boolean> {
  const etcd = onlyEtcd(world)
  return Object.fromEntries(etcd.voters.map(({ hostname, id }) => [hostname, etcd.isStarted(id)]))
}

/** What a cluster of so many control planes, all of them well, has as voters. */
export function healthyEtcd(count: number): Record<string, boolean> {
  const slots = Array.from({ length: count }, (_, index) => index + 1)
  return Object.fromEntries(slots.map((slot) => [`demo-control-plane-${slot}`, true]))
}

export interface EtcdWatch {
  /** How many members there were, each time that it changed, the first one included. */
  readonly sizes: number[]
  /** The fewest voters that ran at any moment. */
  fewest: number
  /** What must never happen, and did. */
  readonly broken: string[]
}

/**
 * Looks at etcd whenever it changes, and at every server that somebody asks to delete, until `end`: etcd
 * never loses its quorum, and no server goes whose member etcd still lists.
 */
export function watchEtcd({ sandbox: { world } }: Bench): EtcdWatch & { end(): EtcdWatch } {
  const etcd = onlyEtcd(world)
  const watch = {
    sizes: [etcd.members.size],
    fewest: Number.POSITIVE_INFINITY,
    broken: [] as string[],
  }
  let watching = true
  etcd.onChange(() => {
    if (!watching) return
    if (watch.sizes.at(-1) !== etcd.members.size) watch.sizes.push(etcd.members.size)
    watch.fewest = Math.min(watch.fewest, etcd.voters.filter(({ id }) => etcd.isStarted(id)).length)
    if (!etcd.quorum) watch.broken.push(`no quorum among ${etcd.voters.length}`)
  })
  world.onRequest(({ front, method, path }) => {
    const id = Number(/^\/servers\/(\d+)$/.exec(path)?.[1])
    if (!watching || front !== 'hetzner' || method !== 'DELETE') return
    const name = world.hetzner.servers.get(id)?.name
    const listed = [...etcd.members.values()].some(({ hostname }) => hostname === name)
    if (listed) watch.broken.push(`${name} was deleted as a member`)
  })
  return {
    ...watch,
    end() {
      watching = false
      return watch
    },
  }
}
