import type { ClusterContent } from '../kubernetes/cluster-content.ts'

/** One member of a simulated etcd, as the members themselves have it written down. */
export interface EtcdMember {
  readonly id: bigint
  /** Empty until it has started for the first time. */
  hostname: string
  readonly peerUrl: string
  readonly clientUrl: string
  learner: boolean
}

/** Why an etcd refuses a change, in its own words. */
export class EtcdRefused extends Error {
  override readonly name = 'EtcdRefused'
}

export const noLeader = 'etcdserver: no leader'
export const memberNotFound = 'etcdserver: member not found'
const notEnoughStarted = 'etcdserver: re-configuration failed due to not enough started members'
const unhealthy = 'etcdserver: unhealthy cluster'

/**
 * A simulated etcd cluster: who its members are, who of them runs, who leads. It is what the data
 * directories of its members hold in common, so it outlives every one of them.
 */
export class Etcd {
  readonly id: string
  /** The machine on which it was bootstrapped. */
  readonly bootstrappedOn: string
  /** What the Kubernetes in it begins with, where it was made of a snapshot. */
  readonly content: ClusterContent | undefined
  readonly members = new Map<bigint, EtcdMember>()
  /** Members that the product has told to stop, each with the instant until which that counts, for the judge. */
  readonly leaving = new Map<bigint, number>()
  /** A member whose database has reached its quota: the alarm stays until it is disarmed. */
  outOfSpace: bigint | undefined
  /** How large its database file is, and how much of that is in use, in bytes: a defragmentation gives the rest back. */
  readonly database = { size: 4_194_304n, inUse: 2_097_152n }
  readonly #started = new Set<bigint>()
  readonly #onChange: (() => void)[] = []
  #leader: bigint | undefined
  #term = 1n
  #index = 10n
  #countWrites: () => number = () => 0
  /** How many writes there were when it last had its quorum. */
  #writes = 0

  constructor(id: string, bootstrappedOn: string, content?: ClusterContent) {
    this.id = id
    this.bootstrappedOn = bootstrappedOn
    this.content = content
  }

  /** Told after each change of membership, of who runs, and of the leader. */
  onChange(listener: () => void): void {
    this.#onChange.push(listener)
  }

  get voters(): EtcdMember[] {
    return [...this.members.values()].filter(({ learner }) => !learner)
  }

  get quorum(): boolean {
    return 2 * this.voters.filter(({ id }) => this.#started.has(id)).length > this.voters.length
  }

  /** Undefined without quorum. */
  get leader(): bigint | undefined {
    return this.quorum ? this.#leader : undefined
  }

  /** How far it has come: by changes of membership, and by what Kubernetes wrote. */
  get raft(): { readonly term: bigint; readonly index: bigint } {
    this.#noteWrites()
    return { term: this.#term, index: this.#index + BigInt(this.#writes) }
  }

  /** Where the writes of the Kubernetes in it are counted. */
  countWrites(count: () => number): void {
    this.#countWrites = count
  }

  /** Nothing is written without a quorum. */
  #noteWrites(): void {
    if (this.quorum) this.#writes = this.#countWrites()
  }

  isStarted(id: bigint): boolean {
    return this.#started.has(id)
  }

  memberAt(peerUrl: string): EtcdMember | undefined {
    return [...this.members.values()].find((member) => member.peerUrl === peerUrl)
  }

  /** The first member, not started yet; no quorum is needed, since there is none. */
  found(member: EtcdMember): void {
    this.members.set(member.id, member)
  }

  /**
   * Adds a member as a learner. Throws EtcdRefused without quorum, while a voter is down, or while
   * another one learns.
   */
  addLearner(member: EtcdMember): void {
    this.#requireQuorum()
    if (this.voters.some(({ id }) => !this.#started.has(id))) throw new EtcdRefused(unhealthy)
    if ([...this.members.values()].some(({ learner }) => learner)) {
      throw new EtcdRefused('etcdserver: too many learner members in cluster')
    }
    this.members.set(member.id, { ...member, learner: true })
    this.#changed()
  }

  /** Makes a learner that has caught up a voter. */
  promote(id: bigint): void {
    this.#requireQuorum()
    const member = this.members.get(id)
    if (member !== undefined) member.learner = false
    this.#changed()
  }

  /** Its process came up on this host. Throws EtcdRefused when it is a member no longer. */
  start(id: bigint, hostname: string): void {
    const member = this.members.get(id)
    if (member === undefined) {
      throw new EtcdRefused('the member has been permanently removed from the cluster')
    }
    member.hostname = hostname
    this.#started.add(id)
    this.leaving.delete(id)
    this.#changed()
  }

  stop(id: bigint): void {
    this.#noteWrites()
    if (this.#started.delete(id)) this.#changed()
  }

  /**
   * Takes a member out for good. Throws EtcdRefused without quorum, when it is unknown, or when it
   * runs and those left would be too few.
   */
  remove(id: bigint): void {
    this.#requireQuorum()
    const member = this.members.get(id)
    if (member === undefined) throw new EtcdRefused(memberNotFound)
    if (this.voters.every((voter) => voter.id === id)) throw new EtcdRefused(notEnoughStarted)
    if (!member.learner && this.#started.has(id)) {
      const left = this.voters.filter((voter) => voter.id !== id)
      const active = left.filter((voter) => this.#started.has(voter.id)).length
      if (active < 1 + Math.floor(left.length / 2)) throw new EtcdRefused(unhealthy)
    }
    this.members.delete(id)
    this.#started.delete(id)
    this.#changed()
  }

  /** Moves the leadership away from this member: its new holder, undefined where it led not. */
  forfeit(id: bigint): EtcdMember | undefined {
    this.#requireQuorum()
    if (this.members.size === 1) {
      throw new EtcdRefused('cannot forfeit leadership, only one member')
    }
    if (this.#leader !== id) return undefined
    const next = this.voters.find((voter) => voter.id !== id && this.#started.has(voter.id))
    if (next === undefined) throw new EtcdRefused(noLeader)
    this.#elect(next.id)
    this.#changed()
    return next
  }

  #requireQuorum(): void {
    if (!this.quorum) throw new EtcdRefused(noLeader)
  }

  #changed(): void {
    if (this.quorum) this.#index += 10n
    const leads = this.#leader !== undefined && this.#started.has(this.#leader)
    const isVoter = this.voters.some(({ id }) => id === this.#leader)
    if (!leads || !isVoter) {
      this.#elect(this.voters.find(({ id }) => this.#started.has(id))?.id)
    }
    for (const listener of this.#onChange) listener()
  }

  #elect(leader: bigint | undefined): void {
    if (leader === this.#leader) return
    this.#leader = leader
    this.#term++
  }
}
