import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import type { JsonObject } from '../lib/json.ts'
import type { PhaseProgress } from '../lib/progress.ts'
import { ClusterAccess, type NodeAddress } from '../phases/cluster-access.ts'
import { NodeAddresses } from '../phases/node-addresses.ts'
import { waitForWholeEtcd } from '../phases/wait-for-whole-etcd.ts'
import type { StateStore } from '../store/state-store.ts'
import type { DecidedAddresses } from '../talos/config/config-input.ts'
import { generateSecretsBundle } from '../talos/config/generate-secrets-bundle.ts'
import { type SecretsBundle, secretLeaves } from '../talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../talos/config/secrets-bundle-yaml.ts'
import type { ClusterView } from './observe-cluster.ts'
import { readSecrets } from './read-secrets.ts'
import type { RunContext } from './run-context.ts'

/** How long etcd may take to be whole, in milliseconds: a member may be joining, or back from a reboot. */
const etcdWithinMs = 10 * 60_000

/**
 * What a run needs to reach into its cluster, each made when it is first asked for: the secrets, the
 * credentials minted from them, the addresses of the servers, the Kubernetes API.
 */
export class ClusterReach implements Disposable {
  readonly addresses = new NodeAddresses()
  readonly #context: RunContext
  readonly #store: StateStore
  readonly #view: ClusterView
  #loadBalancerIp: string | undefined
  #secrets: Promise<SecretsBundle> | undefined
  #access: Promise<ClusterAccess> | undefined

  constructor(context: RunContext, store: StateStore, view: ClusterView) {
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
      return { secrets: formatSecretsBundle(bundle), facts: [{ fact: 'secrets-minted' }] }
    }, 'Mint the secrets')
    this.#secrets = Promise.resolve(bundle)
  }

  /** The cluster's secrets. Throws `identity-missing`, `state-undecryptable`, `state-missing`. */
  secrets(): Promise<SecretsBundle> {
    this.#secrets ??= readSecrets(this.#context, this.#store, this.#view.spec.clusterName)
    return this.#secrets
  }

  access(): Promise<ClusterAccess> {
    const { keys, clock, calendar, random, redactor, signal } = this.#context
    const { clusterName } = this.#view.spec
    this.#access ??= this.secrets().then((secrets) =>
      ClusterAccess.open({ clusterName, secrets, keys, clock, calendar, random, redactor, signal }),
    )
    return this.#access
  }

  controlPlanes(): NodeAddress[] {
    return this.addresses.controlPlanes(this.#view.nodes)
  }

  /** Returns when etcd can do without one of its members for a while. Throws `wait-timeout`. */
  async waitForWholeEtcd(waiting: string, progress: PhaseProgress): Promise<void> {
    const [first, ...others] = this.controlPlanes()
    if (!first) return
    const access = await this.access()
    const { clock, signal } = this.#context
    await waitForWholeEtcd(access.controlPlanes([first, ...others]), {
      clock,
      signal,
      withinMs: etcdWithinMs,
      onPending: (problem) => progress.step(`${waiting} waits: ${problem}`),
    })
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

  #hide(bundle: SecretsBundle): void {
    for (const leaf of secretLeaves(bundle)) this.#context.redactor.add(leaf)
  }
}
