import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { isClusterError } from '../../lib/cluster-error.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { refuseEnded } from '../../planner/hetzner-talos/refuse-ended.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import type { StateStore } from '../../store/state-store.ts'
import { askAny } from '../../talos/ask-any.ts'
import { bundleEnds } from '../../talos/config/authority-ends.ts'
import type { DecidedAddresses } from '../../talos/config/config-input.ts'
import { generateSecretsBundle } from '../../talos/config/generate-secrets-bundle.ts'
import { reissueAuthorities } from '../../talos/config/reissue-authorities.ts'
import { type SecretsBundle, secretLeaves } from '../../talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../../talos/config/secrets-bundle-yaml.ts'
import { etcdAlarms } from '../../talos/etcd/etcd-health.ts'
import type { MemberName } from '../../talos/etcd/etcd-member.ts'
import { waitForHealthyEtcd } from '../../talos/etcd/wait-for-healthy-etcd.ts'
import type { RunContext } from '../run-context.ts'
import { ClusterAccess, type NodeAddress } from './cluster-access.ts'
import { NodeAddresses } from './node-addresses.ts'
import { readSecrets } from './read-secrets.ts'

/** How long etcd may take to be healthy, in milliseconds: a member may be joining, or back from a reboot. */
const etcdWithinMs = 10 * 60_000

/** How a control plane that cannot be asked fails. */
const unanswered = [
  'talos-unreachable',
  'talos-refused',
  'talos-identity',
  'certificate-ended',
  'clock-wrong',
] as const

/** How long the only member of etcd may take to answer before it is taken for broken, in milliseconds. */
const lonelyWithinMs = 30_000

/** As much of a cluster as it takes to reach into it. */
export interface ReachableCluster extends Pick<ClusterView, 'spec' | 'nodes' | 'generation'> {
  readonly hetzner: Pick<ClusterView['hetzner'], 'records' | 'ids'>
}

/**
 * What a run needs to reach into its cluster, each made when it is first asked for: the secrets, the
 * credentials minted from them, the addresses of the servers, the Kubernetes API.
 */
export class ClusterReach implements Disposable {
  readonly addresses = new NodeAddresses()
  readonly #context: RunContext
  readonly #store: StateStore
  readonly #view: ReachableCluster
  /** Names of control planes that take no part at the moment. */
  readonly #excluded = new Set<string>()
  #loadBalancerIp: string | undefined
  #secrets: Promise<SecretsBundle> | undefined
  #access: Promise<ClusterAccess> | undefined

  constructor(context: RunContext, store: StateStore, view: ReachableCluster) {
    this.#context = context
    this.#store = store
    this.#view = view
    for (const { kind, name, facts } of view.hetzner.records) {
      if (kind === 'server') this.addresses.learn(name, facts)
      if (kind === 'load-balancer') this.learnLoadBalancer(facts)
    }
  }

  learnLoadBalancer(facts: JsonObject | undefined): void {
    const address = facts?.['publicIp']
    if (typeof address === 'string') this.#loadBalancerIp = address
  }

  decidedAddresses(): DecidedAddresses {
    return { loadBalancerPublicIp: this.#loadBalancerIp }
  }

  /**
   * Makes the cluster's secrets and stores them before anything uses them. Called only by the change
   * that creates them; never to replace any.
   */
  async mintSecrets(): Promise<void> {
    const { keys, calendar, random } = this.#context
    const bundle = await generateSecretsBundle({ keys, clock: calendar, random })
    this.#hide(bundle)
    await this.#store.update((generation) => {
      if (generation?.hasSecrets) throw new Error('the cluster has secrets already')
      return {
        secrets: formatSecretsBundle(bundle),
        facts: [{ fact: 'secrets-minted', detail: untilOf(bundle) }],
      }
    }, 'Mint the secrets')
    this.#secrets = Promise.resolve(bundle)
  }

  /** Issues the cluster's authorities once more over their keys, and stores them before any node gets them. */
  async renewAuthorities(): Promise<void> {
    const { keys, calendar, random } = this.#context
    const renewed = reissueAuthorities(await this.secrets(), { keys, clock: calendar, random })
    await this.#store.update(
      () => ({
        secrets: formatSecretsBundle(renewed),
        replacesSecrets: true,
        facts: [{ fact: 'authorities-renewed', detail: untilOf(renewed) }],
      }),
      'Renew the certificate authorities',
    )
    this.#secrets = Promise.resolve(renewed)
  }

  /** The cluster's secrets. Throws `identity-missing`, `state-undecryptable`, `state-missing`. */
  secrets(): Promise<SecretsBundle> {
    this.#secrets ??= readSecrets(this.#context, this.#store, this.#view.spec.clusterName)
    return this.#secrets
  }

  /** The values of the named secrets that the state keeps. Throws `identity-missing`, `state-undecryptable`. */
  namedSecrets(): Promise<NamedSecrets> {
    return this.#store.readNamedSecrets()
  }

  /** A way to the nodes. Throws `certificate-ended` where none can be: every certificate of the Talos API's authority ends with it. */
  access(): Promise<ClusterAccess> {
    const { keys, clock, calendar, random, redactor, signal } = this.#context
    const { clusterName } = this.#view.spec
    const options = { clusterName, keys, clock, calendar, random, redactor, signal }
    this.#access ??= this.secrets().then((secrets) => {
      refuseEnded(secrets, calendar.now(), ['machine.ca.crt'])
      return new ClusterAccess({ ...options, secrets })
    })
    return this.#access
  }

  /** The control planes that can be asked, in the order of their slots: those that leave are among them until they do. */
  controlPlanes(): NodeAddress[] {
    return this.#present().map(({ name, address }) => ({ name, address }))
  }

  /** From now on a control plane takes no part: it has yet to join, or is on its way out. */
  exclude(name: string): void {
    this.#excluded.add(name)
  }

  /** It has joined. */
  include(name: string): void {
    this.#excluded.delete(name)
  }

  /** The control planes that the file asks for or the state remembers, and that cannot be asked: their members may be there or not. */
  absentControlPlanes(): MemberName[] {
    const present = new Set(this.#present().map(({ name }) => name))
    return [...this.#knownControlPlanes().values()].filter(({ name }) => !present.has(name))
  }

  /** Returns when etcd can do without one of its members for a while. Throws `wait-timeout`. */
  async waitForHealthyEtcd(
    waiting: string,
    progress: PhaseProgress,
    {
      mayBeFull = false,
      spared,
      withinMs = etcdWithinMs,
    }: {
      readonly mayBeFull?: boolean
      /** The control plane that is about to be changed: the others are enough where only its etcd is broken. */
      readonly spared?: string | undefined
      readonly withinMs?: number
    } = {},
  ): Promise<void> {
    const [first, ...others] = this.controlPlanes()
    if (!first) return
    const access = await this.access()
    const { clock, signal } = this.#context
    await waitForHealthyEtcd(access.controlPlanes([first, ...others]), {
      clock,
      signal,
      withinMs,
      spared: spared === undefined ? undefined : this.#knownControlPlanes().get(spared),
      besides: this.absentControlPlanes(),
      mayBeFull,
      onPending: (problem) => progress.step(`${waiting} waits: ${problem}`),
    })
  }

  /**
   * Whether the only control plane has an etcd that does not run: there is nobody to be asked to drain it, nor to
   * ask whether it may go, and nothing to lose by changing it.
   */
  async isOnlyEtcdDown(name: string, progress: PhaseProgress): Promise<boolean> {
    if (this.#knownControlPlanes().size !== 1) return false
    try {
      const options = { mayBeFull: true, withinMs: lonelyWithinMs }
      await this.waitForHealthyEtcd(name, progress, options)
      return false
    } catch (error) {
      if (!isClusterError(error, 'wait-timeout')) throw error
      return true
    }
  }

  /** The alarms of etcd, as sentences; none where no control plane could be asked. */
  async etcdAlarms(): Promise<readonly string[]> {
    const [first, ...others] = this.controlPlanes()
    if (!first) return []
    const access = await this.access()
    try {
      return await askAny(access.controlPlanes([first, ...others]), etcdAlarms)
    } catch (error) {
      if (!isClusterError(error, ...unanswered)) throw error
      return []
    }
  }

  async kubernetes(withinMs: number, progress: PhaseProgress): Promise<KubernetesClient> {
    const access = await this.access()
    return access.kubernetes(this.controlPlanes(), {
      withinMs,
      onPending: (reason) => progress.step(`the Kubernetes API: ${reason}`),
    })
  }

  [Symbol.dispose](): void {
    void this.#access?.then(
      (access) => access[Symbol.dispose](),
      () => undefined,
    )
  }

  #present(): (MemberName & NodeAddress)[] {
    return [...this.#knownControlPlanes().values()].flatMap(({ name, privateIp, isMember }) => {
      const address = this.addresses.factsOf(name)?.publicIp
      if (!isMember || address === undefined || this.#excluded.has(name)) return []
      return [{ name, privateIp, address }]
    })
  }

  #knownControlPlanes(): Map<string, MemberName & { readonly isMember: boolean }> {
    const { nodes, generation, hetzner } = this.#view
    const remembered = (generation?.inventory.nodes ?? []).map((node) => ({
      ...node,
      // One that is not wanted any more, and did not get its config on this server, has nothing to say.
      isMember:
        node.configDigest !== undefined && hetzner.ids.get(`server/${node.name}`) === node.serverId,
    }))
    const all = [...nodes.map((node) => ({ ...node, isMember: true })), ...remembered]
    const known = new Map<string, MemberName & { readonly isMember: boolean }>()
    for (const { name, role, privateIp, isMember } of all) {
      if (role === 'control-plane' && !known.has(name))
        known.set(name, { name, privateIp, isMember })
    }
    return known
  }

  #hide(bundle: SecretsBundle): void {
    for (const leaf of secretLeaves(bundle)) this.#context.redactor.add(leaf)
  }
}

/** When the first of its authorities ends: for who plans without keys. */
function untilOf(bundle: SecretsBundle): { readonly until: string } {
  const until = Math.min(...bundleEnds(bundle).map(({ notAfter }) => notAfter))
  return { until: new Date(until).toISOString() }
}
