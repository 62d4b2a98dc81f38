import type { ClusterContent } from '../kubernetes/cluster-content.ts'
import type { Disk } from '../machine.ts'
import { refusalOf } from './components/refuse-settings.ts'
import { Etcd, type EtcdMember, EtcdRefused } from './etcd.ts'
import { pause } from './pause.ts'
import type { TalosNode } from './talos-node.ts'
import type { TalosCluster } from './talos-state.ts'

/** What a node's disk keeps of etcd: a data directory that is not empty. */
export interface EtcdData {
  readonly etcd: Etcd
  readonly memberId: bigint
}

const dataKey = 'talos.etcd'

/** Where a snapshot waits that the node was handed: beside the data, so it goes with it. */
export const snapshotKey = 'talos.etcd-snapshot'

/** The etcd of one control plane node: it joins, runs, leaves, and keeps its data on the disk. */
export class EtcdService {
  readonly #node: TalosNode
  state: 'waiting' | 'preparing' | 'running' | 'failed' | 'finished' = 'waiting'
  /** Why it failed, or what it waits for. */
  message = 'waiting for etcd to be bootstrapped, or to join'
  #learning = false
  #hasServed = false
  /** What happened to the service since the boot, the newest last. */
  readonly events: { readonly state: string; readonly message: string; readonly at: number }[] = []
  readonly log: string[] = []

  constructor(node: TalosNode) {
    this.#node = node
  }

  get data(): EtcdData | undefined {
    return etcdDataOf(this.#node.machine.disk)
  }

  /** The etcd that this node is a running member of. */
  get running(): Etcd | undefined {
    return this.state === 'running' ? this.data?.etcd : undefined
  }

  /**
   * Whether it answers clients: once it has seen a quorum since it started (etcd 3.5 and 3.6 begin to serve when
   * the member has published itself), and from then on also without one.
   */
  get serves(): boolean {
    if (this.running?.quorum) this.#hasServed = true
    return this.running !== undefined && this.#hasServed
  }

  /** Whether it is to become a member, and is none yet. */
  get isToJoin(): boolean {
    return this.state === 'waiting' || this.state === 'preparing'
  }

  /** Starts it where its time has come; to be called whenever something changed. */
  reconcile(): void {
    const { data } = this
    if (this.state === 'running' && data !== undefined) this.#attend(data)
    if (this.state !== 'waiting') return
    if (data !== undefined) this.#begin(() => this.#resume(data))
    else {
      const etcd = this.#joinable()
      if (etcd !== undefined) this.#begin(() => this.#join(etcd))
    }
  }

  /** Founds an etcd of which this node is the only member, empty or with what a snapshot holds. */
  bootstrap(content?: ClusterContent): Etcd {
    const node = this.#node
    const { cluster } = node
    if (cluster === undefined) throw new Error('bootstrap without a config')
    this.#dropLost(cluster)
    const etcd = new Etcd(node.world.hex(8), node.name, content)
    etcd.onChange(() => node.state.changed())
    cluster.etcds.set(etcd.id, etcd)
    cluster.bootstraps.push({
      node: node.name,
      at: node.world.clock.now(),
      etcd: etcd.id,
      recovered: content !== undefined,
    })
    const member = this.#newMember()
    etcd.found(member)
    const data = { etcd, memberId: member.id }
    node.machine.disk.state.set(dataKey, data)
    this.#begin(() => this.#resume(data))
    return etcd
  }

  /** Leaves for good: no member any longer, no data. Throws EtcdRefused where the others cannot agree. */
  leave(): void {
    const { data } = this
    if (data === undefined) return
    const { etcd, memberId } = data
    if (etcd.members.has(memberId)) etcd.remove(memberId)
    this.#node.machine.disk.state.delete(dataKey)
    this.state = 'finished'
    this.message = 'left the cluster'
    this.#node.state.changed()
  }

  /** The process ends; the member stays one. */
  stop(): void {
    const { data } = this
    this.state = 'finished'
    this.#hasServed = false
    if (data !== undefined) data.etcd.stop(data.memberId)
  }

  /** Forgets everything, as wiping EPHEMERAL does; the others still count on the member. */
  wipe(): void {
    this.stop()
    this.#node.machine.disk.state.delete(dataKey)
    this.#node.machine.disk.state.delete(snapshotKey)
  }

  /** An etcd of whose data no disk holds anything any more is gone, and the Kubernetes in it. */
  #dropLost({ etcds, kubernetes }: TalosCluster): void {
    const disks = [...this.#node.world.machines.values()].map(({ disk }) => disk)
    for (const [id, etcd] of [...etcds]) {
      const isHeld = disks.some((disk) => etcdDataOf(disk)?.etcd === etcd)
      if (isHeld) continue
      etcds.delete(id)
      void kubernetes.get(id)?.end()
      kubernetes.delete(id)
    }
  }

  #begin(work: () => Promise<void>): void {
    this.state = 'preparing'
    this.#node.background(work)
  }

  async #resume({ etcd, memberId }: EtcdData): Promise<void> {
    const node = this.#node
    await pause(node, 'etcd-start')
    if (await this.#refused()) return
    try {
      etcd.start(memberId, node.hostname)
      this.#isUp()
    } catch (error) {
      this.#fail(error)
    }
  }

  async #join(etcd: Etcd): Promise<void> {
    const node = this.#node
    const member = this.#newMember()
    if (etcd.memberAt(member.peerUrl) !== undefined) {
      this.#fail(new EtcdRefused('member has already been bootstrapped'))
      return
    }
    try {
      etcd.addLearner(member)
      node.machine.disk.state.set(dataKey, { etcd, memberId: member.id })
      await pause(node, 'etcd-start')
      if (await this.#refused()) return
      etcd.start(member.id, node.hostname)
      this.#isUp()
    } catch (error) {
      this.#retry(error)
    }
  }

  /** Talos tries to join for half an hour: whatever changes next lets it try again. */
  #retry(error: unknown): void {
    if (!(error instanceof EtcdRefused)) throw error
    this.message = error.message
    if (this.data === undefined) this.state = 'waiting'
  }

  #joinable(): Etcd | undefined {
    const etcds = [...(this.#node.cluster?.etcds.values() ?? [])]
    const learning = (etcd: Etcd) => [...etcd.members.values()].some(({ learner }) => learner)
    return etcds.find((etcd) => etcd.quorum && !learning(etcd))
  }

  /** Notices that it was removed, or, as a learner, becomes a voter when it has learned enough. */
  #attend({ etcd, memberId }: EtcdData): void {
    if (etcd.quorum) this.#hasServed = true
    const member = etcd.members.get(memberId)
    if (member === undefined) {
      this.#fail(new EtcdRefused('the member has been permanently removed from the cluster'))
    } else if (member.learner && etcd.quorum && !this.#learning) {
      this.#learning = true
      this.#node.background(async () => {
        await pause(this.#node, 'etcd-learn')
        this.#learning = false
        if (etcd.quorum) etcd.promote(memberId)
      })
    }
  }

  /** Ends at its start, again and again, where it does not know an argument: nothing but a boot reads others. */
  async #refused(): Promise<boolean> {
    const { config, world, signal } = this.#node
    const refusal = config && refusalOf('etcd', config.components.etcd)
    if (refusal === undefined) return false
    this.state = 'failed'
    while (!signal.aborted) {
      this.log.push(...refusal.split('\n'))
      const usage = refusal.slice(refusal.indexOf('\n') + 1).trimEnd()
      this.message = `Error running Containerd(etcd), going to restart forever: task "etcd" failed: exit code 2 (last log ${JSON.stringify(usage)})`
      this.#record('Waiting')
      await world.clock.sleep(5_000, signal)
    }
    return true
  }

  #record(state: string): void {
    this.events.push({ state, message: this.message, at: this.#node.world.clock.now() })
    this.#node.serviceChanged('etcd')
  }

  #isUp(): void {
    this.state = 'running'
    this.message = 'Health check successful'
    this.#record('Running')
    this.#node.state.changed()
  }

  #fail(error: unknown): void {
    if (!(error instanceof EtcdRefused)) throw error
    this.state = 'failed'
    this.message = error.message
    this.#record('Failed')
  }

  #newMember(): EtcdMember {
    const address = this.#node.etcdAddress
    return {
      id: BigInt(`0x${this.#node.world.hex(8)}`),
      hostname: '',
      peerUrl: `https://${address}:2380`,
      clientUrl: `https://${address}:2379`,
      learner: false,
    }
  }
}

/** What a disk keeps of etcd. */
export function etcdDataOf({ state }: Disk): EtcdData | undefined {
  const data = state.get(dataKey)
  return isEtcdData(data) ? data : undefined
}

function isEtcdData(value: unknown): value is EtcdData {
  return (
    typeof value === 'object' && value !== null && 'etcd' in value && value.etcd instanceof Etcd
  )
}
