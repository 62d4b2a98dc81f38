import type { ApiTransport } from '../../kubernetes/api-transport.ts'
import { FailoverTransport } from '../../kubernetes/failover-transport.ts'
import {
  clientOver,
  connectTransport,
  type KubernetesClient,
} from '../../kubernetes/kubernetes-client.ts'
import type { Clock } from '../../lib/clock.ts'
import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { KeyMaker } from '../../lib/key-maker.ts'
import type { Random } from '../../lib/random.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { type Renewed, renewed } from '../../lib/renewed.ts'
import { urlHost } from '../../lib/url-host.ts'
import { waitFor } from '../../lib/wait-for.ts'
import type { TalosConnection } from '../../talos/api/talos-caller.ts'
import { TalosEndpoints } from '../../talos/api/talos-endpoints.ts'
import { mintKubeconfig } from '../../talos/config/kubeconfig.ts'
import type { SecretsBundle } from '../../talos/config/secrets-bundle.ts'
import { mintTalosCredentials, type TalosCredentials } from '../../talos/config/talosconfig.ts'
import type { ControlPlane } from '../../talos/control-plane.ts'

export interface ClusterAccessOptions {
  readonly clusterName: string
  readonly secrets: SecretsBundle
  readonly keys: KeyMaker
  readonly clock: Clock
  /** The wall's time: what certificates are dated by, however fast `clock` runs. */
  readonly calendar: Clock
  readonly random: Random
  readonly redactor: Redactor
  readonly signal?: AbortSignal | undefined
}

export interface NodeAddress {
  readonly name: string
  readonly address: string
}

/** The Kubernetes API of a cluster, by whichever control plane answers. */
interface KeptClient {
  readonly transport: FailoverTransport
  readonly client: KubernetesClient
  /** The addresses of which one has answered, or is being waited for. */
  readonly waitedFor: Set<string>
  answered: Promise<void> | undefined
}

/** How long credentials are good for: longer than almost every run takes. Those that last longer get others. */
const credentialHours = 12
const lifeMs = credentialHours * 3_600_000

/**
 * A run's own way into a cluster: credentials minted from its secrets for this run alone, renewed before
 * they end, and the connections made with them. Nodes are dialled at their own address.
 */
export class ClusterAccess implements Disposable {
  readonly #options: ClusterAccessOptions
  readonly #credentials: Renewed<TalosCredentials>
  readonly #talos = new Map<string, TalosEndpoints>()
  #kubernetes: KeptClient | undefined

  constructor(options: ClusterAccessOptions) {
    const { keys, calendar, random, secrets, redactor } = options
    this.#options = options
    this.#credentials = renewed({
      lifeMs,
      clock: calendar,
      async mint() {
        const wanted = { roles: ['os:admin'], hours: credentialHours } as const
        const environment = { keys, random, clock: calendar }
        const credentials = await mintTalosCredentials(secrets, wanted, environment)
        redactor.add(credentials.key)
        return credentials
      },
    })
  }

  /** Knows the secrets of this run. */
  get redactor(): Redactor {
    return this.#options.redactor
  }

  /** What nodes are spoken with now. */
  credentials(): Promise<TalosCredentials> {
    return this.#credentials.current()
  }

  /** A connection to one node's Talos API, kept for the run. */
  talos(address: string): TalosConnection {
    const known = this.#talos.get(address)
    if (known) return known
    const { signal } = this.#options
    const connection = new TalosEndpoints({
      endpoints: [{ address }],
      credentials: this.#credentials,
      signal,
    })
    this.#talos.set(address, connection)
    return connection
  }

  controlPlanes(
    nodes: readonly [NodeAddress, ...NodeAddress[]],
  ): [ControlPlane, ...ControlPlane[]] {
    const toControlPlane = ({ name, address }: NodeAddress) => ({
      name,
      client: this.talos(address),
    })
    const [first, ...others] = nodes
    return [toControlPlane(first), ...others.map(toControlPlane)]
  }

  /**
   * A client for the Kubernetes API of these control planes, kept for the run: it goes on to the next one when the one
   * that it talks to is gone, and a later call with others moves it to those. Waits for one to answer, as it takes
   * a while after etcd was bootstrapped. Throws `wait-timeout`, `kubernetes-unreachable`.
   */
  async kubernetes(
    controlPlanes: readonly NodeAddress[],
    wait: { readonly withinMs: number; readonly onPending?: (reason: string) => void },
  ): Promise<KubernetesClient> {
    if (controlPlanes.length === 0) {
      throw new ClusterError('kubernetes-unreachable', 'no control plane has an address to dial')
    }
    const addresses = controlPlanes.map(({ address }) => address)
    const kept = this.#keptClient()
    kept.transport.use(addresses)
    if (!addresses.some((address) => kept.waitedFor.has(address))) kept.answered = undefined
    for (const address of addresses) kept.waitedFor.add(address)
    kept.answered ??= this.#answers(kept, wait)
    await kept.answered
    return kept.client
  }

  /** A client that asks once, of each of them at most, and waits for nobody: for a look that may find nobody. */
  kubernetesOnce(controlPlanes: readonly NodeAddress[], signal: AbortSignal): KubernetesClient {
    const { transport } = this.#keptClient()
    transport.use(controlPlanes.map(({ address }) => address))
    return clientOver(transport, { ...this.#options, signal, retries: 0 })
  }

  /** A client that asks one API server alone, once: for a look at each of them. Close it in the end. */
  kubernetesOf({ address }: NodeAddress, signal: AbortSignal): KubernetesClient {
    const transport = new FailoverTransport((one) => this.#dial(one))
    transport.use([address])
    return clientOver(transport, { ...this.#options, signal, retries: 0 })
  }

  [Symbol.dispose](): void {
    for (const connection of this.#talos.values()) connection[Symbol.dispose]()
    this.#kubernetes?.client.close()
  }

  #keptClient(): KeptClient {
    const transport = new FailoverTransport((address) => this.#dial(address))
    this.#kubernetes ??= {
      transport,
      client: clientOver(transport, this.#options),
      waitedFor: new Set(),
      answered: undefined,
    }
    return this.#kubernetes
  }

  #answers(
    kept: KeptClient,
    wait: { readonly withinMs: number; readonly onPending?: (reason: string) => void },
  ): Promise<void> {
    const { clock, signal } = this.#options
    const answered = waitFor(
      'the Kubernetes API to answer',
      async () => {
        try {
          await kept.client.discovery()
          return { done: undefined }
        } catch (error) {
          if (!isClusterError(error, 'kubernetes-unreachable', 'kubernetes-refused')) throw error
          return { pending: error.message }
        }
      },
      { clock, signal, everyMs: 1_000, ...wait },
    )
    answered.catch(() => {
      if (kept.answered === answered) kept.answered = undefined
    })
    return answered
  }

  #dial(address: string): Promise<ApiTransport> {
    const { clusterName, secrets, keys, calendar, random, redactor } = this.#options
    const kubeconfig = renewed({
      lifeMs,
      clock: calendar,
      async mint() {
        const text = await mintKubeconfig(
          secrets,
          { clusterName, server: `https://${urlHost(address)}:6443`, hours: credentialHours },
          { keys, random, clock: calendar },
        )
        for (const [, key] of text.matchAll(/client-key-data: (\S+)/g)) redactor.add(key ?? '')
        return text
      },
    })
    return connectTransport({ kubeconfig, redactor })
  }
}
