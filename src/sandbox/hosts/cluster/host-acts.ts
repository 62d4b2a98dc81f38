import { flagAt, textAt } from '../../kubernetes/model/read-json.ts'
import type { World } from '../../world.ts'
import type { HostCluster } from './host-cluster.ts'
import type { HostNode } from './host-node.ts'

/** How long what hosts join with may be good for, in milliseconds, and what clocks may differ by. */
const tokenLifeMs = 2 * 3_600_000
const clockSlackMs = 5 * 60_000

/** Holds what is done to hosts against the invariants. */
export class HostActs {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** An authority is made on a host. */
  makesPki(node: HostNode, others: readonly HostNode[]): void {
    const shown = others.filter(
      (other) => other !== node && other.host.folder.has('etc/kubernetes/pki/ca.crt'),
    )
    if (shown.length === 0) return
    const names = shown.map(({ host }) => host.name).join(', ')
    this.#world.judge.broken('one-authority', `${node.host.name} made one, and ${names} has one`)
  }

  /** A control plane begins to join. */
  joins(cluster: HostCluster, name: string): void {
    const others = [...cluster.joining].filter((other) => other !== name)
    if (others.length > 0) {
      this.#world.judge.broken('one-join-at-a-time', `${name} joins beside ${others.join(', ')}`)
    }
  }

  /** A voter is taken out of etcd, or its etcd is stopped for good. */
  losesVoter(cluster: HostCluster, lost: bigint): void {
    const { etcd } = cluster
    const hostName = etcd.members.get(lost)?.hostname ?? ''
    const away = etcd.voters.filter(({ id }) => id !== lost && !etcd.isStarted(id))
    if (away.length === 0) return
    const names = away.map(({ hostname }) => hostname || 'one that never started').join(', ')
    this.#world.judge.suspect('one-voter-away', `${hostName}, while ${names} is away`, () =>
      isGone(cluster),
    )
  }

  /** The data of a member changes, or goes, under an etcd that runs. */
  changesData({ host }: HostNode): void {
    this.#world.judge.broken('data-at-rest', `that of ${host.name} changed while its etcd runs`)
  }

  /** A member starts with data of another etcd than that which the cluster goes on with. */
  startsOther({ host }: HostNode, { etcd }: HostCluster): void {
    const running = etcd.voters.filter(({ id }) => etcd.isStarted(id))
    const names = running.map(({ hostname }) => hostname).join(', ') || 'none'
    this.#world.judge.broken('one-etcd', `${host.name} starts another one than ${names}`)
  }

  /** Data of a snapshot begins where that ends: whoever watches has seen later revisions. */
  goesBack({ host }: HostNode): void {
    this.#world.judge.broken('revisions-go-on', `a snapshot is restored on ${host.name}`)
  }

  /** A host is reset that a node is on. */
  async resets(node: HostNode): Promise<void> {
    const { cluster, host } = node
    // What a join left half done has nothing to be drained.
    if (!cluster?.isAvailable || !node.hasJoined) return
    const busy = await busyNode(cluster, node)
    if (busy === undefined) return
    this.#world.judge.suspect('drained-before-reset', `${host.name}: ${busy}`, () =>
      isGone(cluster),
    )
  }

  async restartsRuntime(node: HostNode): Promise<void> {
    const { cluster, host } = node
    if (!cluster) return
    const busy = await busyNode(cluster, node)
    if (busy === undefined) return
    this.#world.judge.broken('runtime-restarted-drained', `${host.name}: ${busy}`)
  }

  /** The file of a static pod that runs is another one, or its container is stopped. */
  changesPod(node: HostNode, pod: string): void {
    const others = node.cluster?.nodes.filter((one) => one !== node && one.host.isOn()) ?? []
    const away = others.flatMap(({ unsettled, host: { name } }) =>
      unsettled.map((one) => `${one} of ${name}`),
    )
    if (away.length === 0) return
    this.#world.judge.broken(
      'one-control-plane-at-a-time',
      `${pod} of ${node.host.name}, and ${away.join(', ')} is not there yet`,
    )
  }

  /** kubeadm does something else than to initialise a cluster. */
  async usesSuperAdmin(nodes: readonly HostNode[]): Promise<void> {
    for (const { host, hasJoined } of nodes) {
      if (!hasJoined) continue
      const manifest = await host.folder.find('etc/kubernetes/manifests/kube-vip.yaml')
      if (manifest?.includes('super-admin.conf') !== true) continue
      this.#world.judge.broken('super-admin-for-init-alone', `that of ${host.name} has them`)
    }
  }

  /** Who has the virtual IP now. */
  holdsVip(nodes: readonly HostNode[], vip: string): void {
    const holders = nodes.filter(({ addresses, host }) => host.isOn() && addresses.has(vip))
    if (holders.length < 2) return
    const names = holders.map(({ host }) => host.name).join(' and ')
    this.#world.judge.broken('one-vip-holder', `${names} have ${vip}`)
  }

  /** A token was made, or its life was changed. */
  makesToken(id: string, expires: number): void {
    const life = expires - this.#world.calendar.now()
    if (life <= tokenLifeMs + clockSlackMs) return
    this.#world.judge.broken('tokens-end', `${id} is good for ${Math.round(life / 60_000)} minutes`)
  }
}

/** Why a node still has work; undefined where it has none, or is no node. */
async function busyNode(cluster: HostCluster, node: HostNode): Promise<string | undefined> {
  const { store } = cluster.kubernetes.context
  const name = await node.nodeName()
  const live = store.get('nodes', name)
  if (live === undefined) return undefined
  if (!flagAt(live, 'spec', 'unschedulable')) return 'it takes pods'
  const pod = store.list('pods').find((one) => {
    const { ownerReferences = [], annotations = {} } = one.metadata
    const stays =
      'kubernetes.io/config.mirror' in annotations ||
      ownerReferences.some(({ kind }) => kind === 'DaemonSet')
    const hasEnded = ['Succeeded', 'Failed'].includes(textAt(one, 'status', 'phase'))
    return textAt(one, 'spec', 'nodeName') === name && !stays && !hasEnded
  })
  return pod && `${pod.metadata.namespace}/${pod.metadata.name} runs there`
}

/** Whether nothing of a cluster is left: what is destroyed as a whole need not outlive its parts. */
function isGone({ nodes }: HostCluster): boolean {
  return nodes.length === 0
}
