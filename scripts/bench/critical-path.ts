import type { Delay } from '../../src/sandbox/delay.ts'
import { type DelayIndex, indexDelays } from './delay-index.ts'
import { beginning, followedBy, type Moment, whenAll, whenAny } from './moment.ts'

/** What a first apply brings up, as far as the order of things depends on it. */
export interface Shape {
  /** Servers on which images are built; none where the snapshots exist already. */
  readonly builders: readonly string[]
  readonly loadBalancers: readonly string[]
  /** The first is the one that etcd is bootstrapped on. */
  readonly controlPlanes: readonly [string, ...string[]]
  readonly workers: readonly string[]
}

/** Pods that no addon of ours brought: the cluster's own, which an apply does not wait for. */
const foreignPods = /^kube-system\/coredns-/

/**
 * The longest chain of delays that no client can avoid, in the order that docs/performance.md draws: what
 * the world took for each single server, node and pod, never the sum of the worst of each kind. A lower
 * bound: requests, polling and everything that the client does itself count as nothing. Pure.
 */
export function criticalPath(delays: readonly Delay[], shape: Shape): Moment {
  const index = indexDelays(delays)
  const image = whenAll(shape.builders.map((builder) => imageBuilt(index, builder)))
  const network = followedBy(beginning, index.all('network', 'add_subnet'))
  const nodes = [...shape.controlPlanes, ...shape.workers]
  const booted = new Map(nodes.map((node) => [node, nodeBooted(index, node, image, network)]))
  const bootedOf = (node: string) => booted.get(node) ?? beginning

  const configured = new Map(configure(index, shape, bootedOf))
  const configuredOf = (node: string) => configured.get(node) ?? beginning
  const { serving, voting } = startEtcd(index, shape.controlPlanes, configuredOf)
  const api = whenAny([...serving.values()])
  const registered = new Map(
    nodes.map((node) => {
      const reachable = serving.get(node) ?? whenAll([api, configuredOf(node)])
      return [node, followedBy(reachable, index.firsts(node, 'kubelet'))]
    }),
  )
  const pods = startPods(index, api, registered)
  const open = whenAll([
    ...shape.loadBalancers.map((name) => balancerReady(index, name, network)),
    ...shape.builders.map((name) =>
      followedBy(imageBuilt(index, name), index.firsts(name, 'delete_server')),
    ),
    ...voting,
    ...registered.values(),
    ...pods,
  ])
  // The rule of the run is shut when nothing more is to be asked of a node.
  return followedBy(open, longest(index.ofKind('remove_firewall')))
}

function imageBuilt(index: DelayIndex, builder: string): Moment {
  return followedBy(
    beginning,
    index.firsts(
      builder,
      'create_server',
      'enable_rescue',
      'start_server',
      'boot-rescue',
      'image-download',
      'shutdown_server',
      'create_image',
    ),
  )
}

function balancerReady(index: DelayIndex, name: string, network: Moment): Moment {
  const created = followedBy(beginning, index.firsts(name, 'create_load_balancer'))
  const attached = followedBy(whenAll([created, network]), index.firsts(name, 'attach_to_network'))
  const kinds = ['disable_public_interface', 'add_target', 'add_service']
  // One at a time: Hetzner refuses two changes of one load balancer at once.
  return followedBy(attached, index.firsts(name, ...kinds))
}

/** In maintenance, or on its way to its own services where it came up with a config. */
function nodeBooted(index: DelayIndex, node: string, image: Moment, network: Moment): Moment {
  const created = followedBy(image, index.firsts(node, 'create_server'))
  const attached = followedBy(whenAll([created, network]), index.firsts(node, 'attach_to_network'))
  return followedBy(attached, index.firsts(node, 'start_server', 'boot-talos'))
}

/** A worker gets its certificate from a control plane, so it is never configured before one of them. */
function configure(
  index: DelayIndex,
  { controlPlanes, workers }: Shape,
  bootedOf: (node: string) => Moment,
): [string, Moment][] {
  const own = (node: string) => followedBy(bootedOf(node), index.firsts(node, 'configure'))
  const issuer = whenAny(controlPlanes.map(own))
  return [
    ...controlPlanes.map((node): [string, Moment] => [node, own(node)]),
    ...workers.map((node): [string, Moment] => [node, whenAll([own(node), issuer])]),
  ]
}

/**
 * Etcd begins on the first control plane when all are configured (an unknown one may hold a member), and
 * takes the others in one by one, since it has room for one learner. Returns when each API server
 * answers, and when each member votes.
 */
function startEtcd(
  index: DelayIndex,
  [first, ...others]: Shape['controlPlanes'],
  configuredOf: (node: string) => Moment,
): { serving: Map<string, Moment>; voting: Moment[] } {
  const apiOf = (node: string, member: Moment) =>
    followedBy(member, index.firsts(node, 'kubernetes-api'))
  const founded = whenAll([first, ...others].map(configuredOf))
  const member = followedBy(founded, index.firsts(first, 'etcd-start'))
  const serving = new Map([[first, apiOf(first, member)]])
  const voting = [member]
  for (const node of inJoiningOrder(index, others)) {
    const joined = followedBy(voting.at(-1) ?? member, index.firsts(node, 'etcd-start'))
    serving.set(node, apiOf(node, joined))
    voting.push(followedBy(joined, index.firsts(node, 'etcd-learn')))
  }
  return { serving, voting }
}

function inJoiningOrder(index: DelayIndex, nodes: readonly string[]): string[] {
  const begins = (node: string) => index.all(node, 'etcd-start')[0]?.at ?? Number.POSITIVE_INFINITY
  return [...nodes].sort((a, b) => begins(a) - begins(b))
}

/**
 * Pods of the node's own network start when the node is registered; all others when it is Ready, which
 * is when its cilium agent runs.
 */
function startPods(
  index: DelayIndex,
  api: Moment,
  registered: ReadonlyMap<string, Moment>,
): Moment[] {
  const podsOf = (kind: string, node: string) => [
    ...Map.groupBy(index.all(node, kind), ({ subject = '' }) => subject),
  ]
  return [...registered].flatMap(([node, known]) => {
    const from = whenAll([api, known])
    const own = podsOf('host-pod', node).map(([pod, delays]) => ({
      pod,
      up: followedBy(from, delays),
    }))
    const network = own.find(({ pod }) => /\/cilium-[^-]+$/.test(pod))
    const others = podsOf('pod', node)
      .filter(([pod]) => !foreignPods.test(pod))
      .map(([, delays]) => followedBy(network?.up ?? from, delays))
    return [...own.map(({ up }) => up), ...others]
  })
}

function longest(delays: readonly Delay[]): Delay[] {
  return [...delays].sort((a, b) => b.ms - a.ms).slice(0, 1)
}
