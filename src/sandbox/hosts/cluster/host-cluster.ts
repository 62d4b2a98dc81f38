import type { JsonObject } from '../../../lib/json.ts'
import { textAt } from '../../kubernetes/model/read-json.ts'
import { SimKubernetes } from '../../kubernetes/sim-kubernetes.ts'
import { type CertifiedKey, publicKeyText } from '../../pki.ts'
import { Etcd } from '../../talos/etcd.ts'
import { databaseOf, writeSnapshot } from '../../talos/etcd-snapshot.ts'
import type { World } from '../../world.ts'
import { BootstrapTokens } from './bootstrap-tokens.ts'
import type { HostClusters } from './host-clusters.ts'
import type { HostNode } from './host-node.ts'
import { noCloud } from './no-cloud.ts'
import { environmentOf, mountedFile } from './static-pod.ts'

/** How long the others wait for a holder of the virtual IP that does not renew its lease. */
const leaseMs = 5_000
const apiPort = 6_443

/** What kubeadm made a cluster of. */
interface ClusterMade {
  readonly configuration: JsonObject
  readonly version: string
  readonly ca: CertifiedKey
}

/** What lives in the data of its members. */
interface ClusterLife {
  readonly etcd: Etcd
  readonly kubernetes: SimKubernetes
}

interface Listener {
  /** Who serves there, as what: another text is another server. */
  readonly text: string
  close(): Promise<void>
}

/** A cluster that kubeadm made: what lives in its etcd, and where its API answers. */
export class HostCluster {
  readonly name: string
  /** The public key of its authority, which it is known by. */
  readonly authority: string
  readonly ca: CertifiedKey
  /** Control planes whose join has begun and not ended. */
  readonly joining = new Set<string>()
  /** Host and port at which everybody is to reach its API. */
  readonly endpoint: { readonly host: string; readonly port: number }
  readonly #world: World
  readonly #clusters: HostClusters
  readonly #listeners = new Map<string, Listener>()
  readonly #made: ClusterMade
  #life: ClusterLife
  /** What lies on the disks of its members since its etcd has lost its quorum. */
  #database: Buffer | undefined
  #holder: HostNode | undefined
  /** When another holder may be chosen, on the world's clock. */
  #freeAt = 0
  #turn: Promise<void> = Promise.resolve()
  #tokens: BootstrapTokens

  constructor(clusters: HostClusters, options: ClusterMade & { readonly firstHost: string }) {
    const { configuration, ca, firstHost } = options
    const { world } = clusters
    this.#world = world
    this.#clusters = clusters
    this.name = textAt(configuration, 'clusterName') || 'kubernetes'
    this.ca = ca
    this.authority = publicKeyText(ca.crt)
    const [host = '', port = ''] = textAt(configuration, 'controlPlaneEndpoint').split(':')
    this.endpoint = { host, port: Number(port) || apiPort }
    this.#made = options
    this.#life = this.#begin(new Etcd(world.hex(8), firstHost))
    this.#tokens = new BootstrapTokens(this, world, clusters.acts)
  }

  /** What its members hold in common; another one once a snapshot was restored. */
  get etcd(): Etcd {
    return this.#life.etcd
  }

  get kubernetes(): SimKubernetes {
    return this.#life.kubernetes
  }

  get tokens(): BootstrapTokens {
    return this.#tokens
  }

  /** All that its etcd holds, as etcd sends it. */
  snapshot(): Buffer {
    return writeSnapshot(this.etcd, this.kubernetes.content())
  }

  /** The same as it lies on the disk of a member: nothing is written there without a quorum. */
  database(): Buffer {
    if (this.etcd.quorum) return databaseOf(this.etcd, this.kubernetes.content())
    this.#database ??= databaseOf(this.etcd, this.kubernetes.content())
    return this.#database
  }

  /**
   * Whether a member may start with data of this etcd: it is the one that the cluster has, or one that a snapshot was made
   * into, which takes its place where nobody runs the former any more.
   */
  async goesOnWith(id: string, node: HostNode): Promise<boolean> {
    if (this.etcd.id === id) return true
    const restored = this.#clusters.restored.get(id)
    const isRunning = this.etcd.voters.some((voter) => this.etcd.isStarted(voter.id))
    if (restored === undefined || isRunning) {
      this.#clusters.acts.startsOther(node, this)
      return false
    }
    this.#clusters.restored.delete(id)
    for (const key of [...this.#listeners.keys()]) await this.#close(key)
    this.kubernetes.close()
    this.#life = this.#begin(restored)
    this.#tokens = new BootstrapTokens(this, this.#world, this.#clusters.acts)
    return true
  }

  #begin(etcd: Etcd): ClusterLife {
    const { configuration, version, ca } = this.#made
    const kubernetes = new SimKubernetes({
      world: this.#world,
      clusterName: this.name,
      version,
      ca,
      podCidr: textAt(configuration, 'networking', 'podSubnet') || '10.244.0.0/16',
      serviceCidr: textAt(configuration, 'networking', 'serviceSubnet') || '10.96.0.0/12',
      serverSans: () => [],
      cloud: noCloud,
      dns: false,
      content: etcd.content,
    })
    const { store } = kubernetes.context
    const from = store.version
    etcd.countWrites(() => store.version - from)
    this.#database = undefined
    etcd.onChange(() => {
      if (etcd.quorum) this.#database = undefined
      else this.#database ??= databaseOf(etcd, kubernetes.content())
    })
    return { etcd, kubernetes }
  }

  get nodes(): HostNode[] {
    return this.#clusters.nodes.filter(({ cluster }) => cluster === this)
  }

  /** Whether any API server of it answers. */
  get isAvailable(): boolean {
    return this.nodes.some((node) => node.servesApi())
  }

  /** The host that has the virtual IP. */
  get holder(): HostNode | undefined {
    return this.#holder
  }

  /** Whether this host reaches an API server: its own, or the one at the endpoint. */
  reaches(node: HostNode): boolean {
    return node.servesApi() || this.isReachable()
  }

  /** Whether anybody answers at the endpoint. */
  isReachable(): boolean {
    const { host } = this.endpoint
    const own = this.#clusters.nodes.find(
      (node) => node.nodeIp === host || node.host.address === host,
    )
    if (own) return own.servesApi()
    if (!this.#isVirtual(host)) return this.isAvailable
    return this.#holder?.servesApi() === true
  }

  /** Opens, closes and moves what follows from what runs on the hosts. */
  reconcile(): Promise<void> {
    const turn = this.#turn.then(() => this.#reconcile())
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** Nobody has any data of it left. */
  async end(): Promise<void> {
    for (const key of [...this.#listeners.keys()]) await this.#close(key)
    this.kubernetes.close()
  }

  async #reconcile(): Promise<void> {
    if (this.#world.signal.aborted) return
    await this.#elect()
    const wanted = await this.#wanted()
    for (const [key, { text }] of this.#listeners) {
      if (wanted.get(key)?.text !== text) await this.#close(key)
    }
    for (const [address, { node, text, version, certificate }] of wanted) {
      if (this.#listeners.has(address)) continue
      const { close } = await this.kubernetes.serve(
        address,
        apiPort,
        () => node.host.isOn(),
        version,
        undefined,
        certificate,
      )
      this.#listeners.set(address, { text, close })
    }
    for (const node of this.nodes) await node.present()
  }

  async #wanted() {
    const up = this.nodes.filter((node) => node.servesApi())
    const [first] = up
    const places = up.map((node): [string, HostNode] => [node.host.address, node])
    const holder = this.#holder
    const { host } = this.endpoint
    if (holder?.servesApi() && host.startsWith('127.')) places.push([host, holder])
    if (first && host === this.#clusters.balancer) places.push([host, first])
    const entries = await Promise.all(
      places.map(async ([address, node]) => {
        const pki = 'etc/kubernetes/pki'
        const [crt = '', key = ''] = await Promise.all([
          node.host.folder.find(`${pki}/apiserver.crt`),
          node.host.folder.find(`${pki}/apiserver.key`),
        ])
        const container = node.containers.get('kube-apiserver')
        const version = container?.pod.image.replace(/^.*:/, '') ?? ''
        // The certificate is read when it starts: another one needs another container.
        const text = `${node.host.name} ${container?.id}`
        return [address, { node, text, version, certificate: { crt, key } }] as const
      }),
    )
    return new Map(entries)
  }

  async #close(key: string): Promise<void> {
    const listener = this.#listeners.get(key)
    this.#listeners.delete(key)
    await listener?.close()
  }

  /** Whether some host's kube-vip is to bring this address. */
  #isVirtual(address: string): boolean {
    return this.nodes.some(({ containers }) => {
      const vip = containers.get('kube-vip')
      return vip !== undefined && environmentOf(vip.pod, 'address') === address
    })
  }

  /** The holder of the virtual IP keeps it as long as it can; another one waits for the end of its lease. */
  async #elect(): Promise<void> {
    const candidates: HostNode[] = []
    for (const node of this.nodes) if (await this.#mayHold(node)) candidates.push(node)
    const former = this.#holder
    if (former && candidates.includes(former)) {
      this.#hold(former)
      return
    }
    const now = this.#world.clock.now()
    if (former) {
      this.#holder = undefined
      if (former.host.isOn()) former.addresses.clear()
      this.#freeAt = now + leaseMs
      this.#lookAgain()
    }
    const [next] = candidates
    if (!next || now < this.#freeAt) return
    this.#holder = next
    this.#hold(next)
  }

  #hold(node: HostNode): void {
    const vip = node.containers.get('kube-vip')
    if (vip) node.addresses.add(environmentOf(vip.pod, 'address'))
    this.#clusters.acts.holdsVip(this.#clusters.nodes, this.endpoint.host)
  }

  #lookAgain(): void {
    const { clock, signal } = this.#world
    clock.sleep(leaseMs, signal).then(
      () => this.reconcile(),
      () => undefined,
    )
  }

  /** kube-vip asks the API server of its own host, with the rights of the kubeconfig that it mounts. */
  async #mayHold(node: HostNode): Promise<boolean> {
    const vip = node.containers.get('kube-vip')
    if (!vip || !node.servesApi()) return false
    const path = mountedFile(vip.pod, 'kubeconfig')?.replace(/^\//, '')
    if (path === undefined || !node.host.folder.has(path)) return false
    if (path.endsWith('super-admin.conf')) return true
    const binding = 'clusterrolebindings.rbac.authorization.k8s.io'
    return this.kubernetes.context.store.get(binding, 'kubeadm:cluster-admins') !== undefined
  }
}
