import { connectKubernetes, type KubernetesClient } from '../kubernetes/kubernetes-client.ts'
import type { Clock } from '../lib/clock.ts'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { Random } from '../lib/random.ts'
import type { Redactor } from '../lib/redactor.ts'
import { type Renewed, renewed } from '../lib/renewed.ts'
import { urlHost } from '../lib/url-host.ts'
import { waitFor } from '../lib/wait-for.ts'
import type { TalosConnection } from '../talos/api/talos-caller.ts'
import { TalosEndpoints } from '../talos/api/talos-endpoints.ts'
import type { KeyMaker } from '../talos/config/key-maker.ts'
import { mintKubeconfig } from '../talos/config/kubeconfig.ts'
import type { SecretsBundle } from '../talos/config/secrets-bundle.ts'
import { mintTalosCredentials, type TalosCredentials } from '../talos/config/talosconfig.ts'
import type { ControlPlane } from '../talos/control-plane.ts'

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

interface KeptClient {
  readonly client: Promise<KubernetesClient>
  /** The control plane that answered, once one has. */
  dialled: NodeAddress | undefined
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
  readonly #opened: KubernetesClient[] = []

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
   * A connection to the Kubernetes API of the first control plane that answers, kept for the run, or as
   * long as that one is among those given. Waits for one to answer, as it takes a while after etcd was
   * bootstrapped. Throws `wait-timeout`.
   */
  kubernetes(
    controlPlanes: readonly NodeAddress[],
    wait: { readonly withinMs: number; readonly onPending?: (reason: string) => void },
  ): Promise<KubernetesClient> {
    const dialled = this.#kubernetes?.dialled
    if (dialled && !controlPlanes.some(({ address }) => address === dialled.address)) {
      this.#kubernetes = undefined
    }
    if (this.#kubernetes) return this.#kubernetes.client
    const connecting = this.#connect(controlPlanes, wait)
    const kept: KeptClient = {
      client: connecting.then(({ client, target }) => {
        kept.dialled = target
        return client
      }),
      dialled: undefined,
    }
    this.#kubernetes = kept
    kept.client.catch(() => {
      if (this.#kubernetes === kept) this.#kubernetes = undefined
    })
    return kept.client
  }

  [Symbol.dispose](): void {
    for (const connection of this.#talos.values()) connection[Symbol.dispose]()
    for (const client of this.#opened) client.close()
    void this.#kubernetes?.client.then(
      (client) => client.close(),
      () => undefined,
    )
  }

  async #connect(
    controlPlanes: readonly NodeAddress[],
    wait: { readonly withinMs: number; readonly onPending?: (reason: string) => void },
  ): Promise<{ client: KubernetesClient; target: NodeAddress }> {
    const { clock, signal } = this.#options
    if (controlPlanes.length === 0) {
      throw new ClusterError('kubernetes-unreachable', 'no control plane has an address to dial')
    }
    let attempt = 0
    return waitFor(
      'the Kubernetes API to answer',
      async () => {
        const target = controlPlanes[attempt++ % controlPlanes.length]
        if (!target) return { pending: 'no control plane' }
        const client = await this.#dial(target.address)
        try {
          await client.discovery()
          this.#opened.push(client)
          return { done: { client, target } }
        } catch (error) {
          client.close()
          if (!isClusterError(error, 'kubernetes-unreachable', 'kubernetes-refused')) throw error
          return { pending: `${target.name}: ${error.message}` }
        }
      },
      { clock, signal, everyMs: 1_000, ...wait },
    )
  }

  #dial(address: string): Promise<KubernetesClient> {
    const { clusterName, secrets, keys, clock, calendar, random, redactor, signal } = this.#options
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
    return connectKubernetes({ kubeconfig, clock, random, signal, redactor })
  }
}
