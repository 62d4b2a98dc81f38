import { cidrHost, parseCidr } from '../../lib/cidr.ts'
import type { Clock } from '../../lib/clock.ts'
import { issueKey } from '../pki.ts'
import type { World } from '../world.ts'
import type { ApiContext } from './api/api-context.ts'
import type { CloudHooks } from './cloud-hooks.ts'
import { startCluster } from './controllers/start-cluster.ts'
import { apiListener } from './http/api-listener.ts'
import { serveApi } from './http/serve-api.ts'
import { ObjectStore } from './model/object-store.ts'
import { ResourceRegistry } from './model/resource-registry.ts'
import type { NodeRegistration } from './node-registration.ts'

export interface SimKubernetesOptions {
  readonly world: World
  readonly clusterName: string
  /** `v1.32.0` */
  readonly version: string
  /** Signs the servers' certificates, and the clients' that are let in; PEM. */
  readonly ca: { readonly crt: string; readonly key: string }
  readonly podCidr: string
  readonly serviceCidr: string
  /** The names and addresses in the servers' certificates, asked whenever one begins to serve. */
  serverSans(): string[]
  /** What Hetzner's controllers in the cluster can do; without it they do what they can alone. */
  readonly cloud?: CloudHooks
}

/**
 * A simulated cluster: one API over TLS, on as many addresses as it has control planes, and the
 * controllers and kubelets that keep it moving. It outlives the nodes it is served from.
 */
export class SimKubernetes {
  readonly context: ApiContext
  readonly #options: SimKubernetesOptions
  readonly #cluster: ReturnType<typeof startCluster>

  constructor(options: SimKubernetesOptions) {
    const { world, podCidr, serviceCidr, version } = options
    const { clock, random } = world
    this.#options = options
    this.context = {
      store: new ObjectStore(),
      resources: new ResourceRegistry(),
      clock,
      random,
      serviceCidr,
    }
    this.#cluster = startCluster(this.context, {
      world,
      podCidr,
      version,
      ca: options.ca,
      later: laterOn(clock, world.signal),
      cloud: options.cloud,
    })
    world.onClose(async () => this.close())
  }

  /**
   * Serves the API on one address. `admits` is asked for each connection; those that it refuses hang
   * without an answer, as behind a firewall.
   */
  async serve(
    address: string,
    port: number,
    admits: (source: string) => boolean,
  ): Promise<{ close(): Promise<void> }> {
    const { world, version, ca } = this.#options
    return serveApi({
      address,
      port,
      admits,
      certificate: this.#serverCertificate(),
      clientCa: ca.crt,
      listener: apiListener(world, this.context, version),
    })
  }

  /** A kubelet registers its node, or renews what it says of it after a boot. */
  registerNode(node: NodeRegistration): void {
    this.#cluster.registerNode(node)
  }

  /** The kubelet of this node falls silent. */
  nodeDown(name: string): void {
    this.#cluster.nodeDown(name)
  }

  deleteNode(name: string): void {
    this.#cluster.deleteNode(name)
  }

  /** Stops the controllers; what serves the API is closed by who began it. */
  close(): void {
    this.#cluster.stop()
  }

  #serverCertificate() {
    const { ca, serviceCidr, serverSans, world } = this.#options
    const range = parseCidr(serviceCidr)
    const names = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc']
    const sans = [
      ...serverSans(),
      ...names,
      'kubernetes.default.svc.cluster.local',
      'localhost',
      ...(range === undefined ? [] : [cidrHost(range, 1)]),
    ]
    const isAddress = (san: string) => /^[\d.]+$|:/.test(san)
    return issueKey('p256', {
      subject: { commonName: 'kube-apiserver', organizations: ['kube-master'] },
      issuer: ca,
      usages: ['serverAuth'],
      dnsNames: [...new Set(sans.filter((san) => !isAddress(san)))],
      ipAddresses: [...new Set(sans.filter(isAddress))],
      lifetimeMs: 365 * 86_400_000,
      now: Math.min(world.clock.now(), Date.now()),
    })
  }
}

function laterOn(clock: Clock, signal: AbortSignal) {
  return (milliseconds: number, run: () => void) => {
    clock.sleep(milliseconds, signal).then(run, () => {})
  }
}
