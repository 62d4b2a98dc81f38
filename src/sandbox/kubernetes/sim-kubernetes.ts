import type { Clock } from '../../lib/clock.ts'
import type { KubernetesObject } from '../../lib/kubernetes-object.ts'
import { cidrHost, parseCidr } from '../ip-range.ts'
import { type CertifiedKey, issueKey } from '../pki.ts'
import type { World } from '../world.ts'
import type { ApiContext } from './api/api-context.ts'
import { createUnlessThere } from './api/create-object.ts'
import type { CloudHooks } from './cloud-hooks.ts'
import type { ClusterContent } from './cluster-content.ts'
import { isTrue } from './controllers/conditions.ts'
import { startCluster } from './controllers/start-cluster.ts'
import { apiListener } from './http/api-listener.ts'
import { serveApi } from './http/serve-api.ts'
import type { KubeObject } from './model/kube-object.ts'
import { ObjectStore } from './model/object-store.ts'
import { ResourceRegistry } from './model/resource-registry.ts'
import type { NodeRegistration } from './node-registration.ts'
import { worldCloud } from './world-cloud.ts'

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
  /** What it begins with: a cluster that was recovered from a snapshot. */
  readonly content?: ClusterContent | undefined
  /** Hetzner, as the cluster's controllers reach it; the world's own where absent. */
  readonly cloud?: CloudHooks
  /** Whether it has CoreDNS from the beginning; true where absent. Talos brings its own. */
  readonly dns?: boolean
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
      cloud: options.cloud ?? worldCloud(world),
      content: options.content,
      dns: options.dns ?? true,
    })
    world.onClose(async () => this.close())
  }

  /**
   * Serves the API on one address. `admits` is asked for each connection; those that it refuses hang
   * without an answer, as behind a firewall. Port 0 takes any that is free. API servers of one cluster
   * may be of different versions, as in the middle of an upgrade; without one it is the cluster's first.
   */
  async serve(
    address: string,
    port: number,
    admits: (source: string) => boolean,
    version = this.#options.version,
    ca = this.#options.ca,
    certificate: CertifiedKey = this.#serverCertificate(ca),
  ): Promise<{ readonly port: number; close(): Promise<void> }> {
    const { world } = this.#options
    const served = await serveApi({
      address,
      port,
      admits,
      certificate,
      clientCa: ca.crt,
      listener: apiListener(world, this.context, version),
    })
    world.log.onCut(() => served.cut())
    return served
  }

  /**
   * A kubelet registers its node, or renews what it says of it after a boot. `ended` is its memory of the pods
   * that it ended, by uid: empty when it starts.
   */
  registerNode(node: NodeRegistration, ended: Set<string> = new Set()): void {
    this.#cluster.registerNode(node, ended)
  }

  /** Makes those of these objects that are not there, as Talos does with its manifests. */
  createMissing(objects: readonly KubernetesObject[]): void {
    for (const object of objects) {
      const { apiVersion, kind } = object
      const type = this.context.resources.ofKind(apiVersion, kind)
      if (type === undefined) continue
      createUnlessThere(this.context, type, object, { manager: 'talos' })
    }
  }

  /** The kubelet of this node falls silent. */
  nodeDown(name: string): void {
    this.#cluster.nodeDown(name)
  }

  deleteNode(name: string): void {
    this.#cluster.deleteNode(name)
  }

  knowsNode(name: string): boolean {
    return this.context.store.get('nodes', name) !== undefined
  }

  /** All that is in its etcd now. */
  content(): ClusterContent {
    return this.context.store.content()
  }

  /** Whether Kubernetes holds this node to be Ready. */
  nodeReady(name: string): boolean {
    const node = this.context.store.get('nodes', name)
    return node !== undefined && isTrue(node, 'Ready')
  }

  /** Tells whenever a node has become Ready, or is so no longer. */
  watchNodes(notify: () => void): void {
    const isReady = (node: KubeObject | undefined) => node !== undefined && isTrue(node, 'Ready')
    this.context.store.subscribe(({ resource, object, before }) => {
      if (resource === 'nodes' && isReady(object) !== isReady(before)) notify()
    })
  }

  /** Stops the controllers; what serves the API is closed by who began it. */
  close(): void {
    this.#cluster.stop()
  }

  #serverCertificate(ca: SimKubernetesOptions['ca']) {
    const { serviceCidr, serverSans, world } = this.#options
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
      now: Math.min(world.calendar.now(), Date.now()),
    })
  }
}

function laterOn(clock: Clock, signal: AbortSignal) {
  return (milliseconds: number, run: () => void) => {
    clock.sleep(milliseconds, signal).then(run, () => {})
  }
}
