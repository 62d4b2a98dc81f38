import { objectsAt, textAt } from '../../kubernetes/model/read-json.ts'
import type { NodeRegistration } from '../../kubernetes/node-registration.ts'
import type { SimKubernetes } from '../../kubernetes/sim-kubernetes.ts'
import { EtcdRefused } from '../../talos/etcd.ts'
import type { HostService, SimHost } from '../sim-host.ts'
import type { HostCluster } from './host-cluster.ts'
import type { HostClusters } from './host-clusters.ts'
import { readMemberData, writeDatabase } from './member-data.ts'
import { readStaticPods, type StaticPod } from './static-pod.ts'

/** A container that runs from the image of a static pod. */
export interface HostContainer {
  readonly id: string
  readonly pod: StaticPod
}

/** How long the kubelet takes to see that a file of a static pod is another one: it looks every twenty seconds. */
const fileCheckMs = 20_000

/**
 * What the kubelet and the runtime of a host do: static pods by the files that are there, the node, and what of etcd and
 * the API runs here. Files are the truth: whatever may have changed some calls `sync`.
 */
export class HostNode implements HostService {
  readonly host: SimHost
  readonly nodeIp: string
  readonly containers = new Map<string, HostContainer>()
  /** Addresses that its interface has besides its own. */
  readonly addresses = new Set<string>()
  /** Whether kubeadm made it a node, to the end. */
  hasJoined = false
  /** How long a changed file takes to become another container, on the world's clock. */
  takeUpMs = fileCheckMs
  /** The cluster that its files are of. */
  cluster: HostCluster | undefined
  readonly #clusters: HostClusters
  /** The member of etcd that runs here. */
  #member: bigint | undefined
  /** Whether its etcd has had a quorum since it started: one that never had answers nobody. */
  #hasServed = false
  #kubeletVersion = ''
  #registered = ''
  #registeredWith: SimKubernetes | undefined
  #turn: Promise<void> = Promise.resolve()
  /** What the kubelet is to run, by its last look. */
  #wanted: ReadonlyMap<string, StaticPod> = new Map()
  /** By name: since when the file of a pod that runs is another one. */
  readonly #outdated = new Map<string, number>()

  constructor(host: SimHost, nodeIp: string, clusters: HostClusters) {
    this.host = host
    this.nodeIp = nodeIp
    this.#clusters = clusters
  }

  /** The name of its node; empty before it has one. */
  async nodeName(): Promise<string> {
    const kubeconfig = await this.host.folder.find('etc/kubernetes/kubelet.conf')
    return /system:node:([a-z0-9.-]+)/.exec(kubeconfig ?? '')?.[1] ?? ''
  }

  /** Whether its API server runs, with an etcd beside it. */
  servesApi(): boolean {
    const etcd = this.cluster?.etcd
    const isMember = this.#member !== undefined && etcd?.isStarted(this.#member) === true
    return isMember && etcd?.quorum === true && this.hasAll('etcd', 'kube-apiserver')
  }

  /** Whether its etcd answers: also without a quorum, where it has had one. */
  answersEtcd(): boolean {
    return this.hasAll('etcd') && (this.cluster?.etcd.quorum === true || this.#hasServed)
  }

  /** The member of its cluster's etcd whose data it has. */
  async memberId(): Promise<bigint | undefined> {
    const data = await readMemberData(this.host.folder)
    return data?.etcd === this.cluster?.etcd.id ? data?.member : undefined
  }

  hasAll(...names: readonly string[]): boolean {
    return this.host.isOn() && names.every((name) => this.containers.has(name))
  }

  /** Which kubelet is installed; another one runs until it is restarted. */
  async installedVersion(program: string): Promise<string> {
    const version = await this.host.folder.find(`state/packages/${program}`)
    return version === undefined ? '' : `v${version.trim().replace(/-.*/, '')}`
  }

  /** Static pods that do not run yet as their files say, or do not run at all. */
  get unsettled(): string[] {
    const missing = [...this.#wanted.keys()].filter((name) => !this.containers.has(name))
    return [...new Set([...this.#outdated.keys(), ...missing])]
  }

  /** Brings what runs in line with the files of the host, and its cluster with what runs. */
  sync(): Promise<void> {
    return this.#inTurn(() => this.#sync())
  }

  /** The same, and what changed is taken up at once: kubeadm waits until it has been, where it waits for anything. */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#sync()
      for (const name of this.#outdated.keys()) this.#outdated.set(name, Number.NEGATIVE_INFINITY)
      await this.#sync()
    })
  }

  async changed(): Promise<void> {
    await this.sync()
  }

  async started(): Promise<void> {
    await this.sync()
  }

  async stopped(): Promise<void> {
    await this.#inTurn(async () => {
      this.addresses.clear()
      this.#forgetPods()
      for (const name of [...this.containers.keys()]) this.stopContainer(name)
      this.#goSilent(this.cluster)
    })
    await this.cluster?.reconcile()
  }

  async unit(_host: SimHost, verb: string, unit: string): Promise<void> {
    if (unit === 'containerd' && verb !== 'start') await this.#clusters.acts.restartsRuntime(this)
    if (unit === 'kubelet' && verb !== 'stop') {
      this.#kubeletVersion = await this.installedVersion('kubelet')
      this.#registered = ''
    }
    // It looks at all files when it starts.
    await (unit === 'kubelet' && verb !== 'stop' ? this.settle() : this.sync())
  }

  /** A container is gone; where its kubelet runs, the next look starts another one. */
  stopContainer(name: string): void {
    if (!this.containers.delete(name)) return
    this.#outdated.delete(name)
    if (name === 'etcd' && this.#member !== undefined) {
      this.cluster?.etcd.stop(this.#member)
      this.#member = undefined
      this.#hasServed = false
    }
    if (name === 'kube-vip') this.addresses.clear()
  }

  /** The node that its kubelet presents, where it runs and reaches its API. */
  async present(): Promise<void> {
    const { cluster } = this
    if (this.#member !== undefined && cluster?.etcd.quorum) this.#hasServed = true
    if (!(await this.#kubeletRuns()) || cluster?.reaches(this) !== true) {
      this.#goSilent(cluster)
      return
    }
    const registration = await this.#registration()
    const text = JSON.stringify(registration)
    const isKnown = cluster.kubernetes.knowsNode(registration.name)
    // A kubelet makes its node when it starts: one that was deleted since stays so.
    const isSame = text === this.#registered && this.#registeredWith === cluster.kubernetes
    if (isSame || (this.#registered !== '' && !isKnown)) return
    this.#registered = text
    this.#registeredWith = cluster.kubernetes
    cluster.kubernetes.registerNode(registration)
  }

  async #sync(): Promise<void> {
    const { host } = this
    if (!host.isOn()) return
    const authority = await host.folder.find('etc/kubernetes/pki/ca.crt')
    const former = this.cluster
    if (authority === undefined) this.hasJoined = false
    this.cluster = authority === undefined ? undefined : this.#clusters.of(authority)
    if (former !== this.cluster) this.#goSilent(former)
    if (await this.#kubeletRuns()) await this.#runPods()
    else this.#forgetPods()
    if (former !== this.cluster) await former?.reconcile()
    await this.cluster?.reconcile()
    await this.#keepDatabase()
  }

  /** What lies on the disk of a member matters where nobody else can be asked. */
  async #keepDatabase(): Promise<void> {
    const { cluster, host } = this
    if (cluster === undefined || cluster.etcd.quorum) return
    if ((await this.memberId()) !== undefined) await writeDatabase(host.folder, cluster.database())
  }

  /** It runs, and has what kubeadm gave it; with swap it fails for ever. */
  async #kubeletRuns(): Promise<boolean> {
    const { host } = this
    const needs = ['etc/kubernetes/kubelet.conf', 'var/lib/kubelet/config.yaml']
    if (!host.runs('kubelet') || !host.runs('containerd')) return false
    if (!needs.every((path) => host.folder.has(path))) return false
    const swaps = await host.folder.read('swaps')
    return swaps.trim().split('\n').length <= 1
  }

  async #runPods(): Promise<void> {
    const { host, containers } = this
    const wanted = await readStaticPods(host.folder)
    await this.#endEtcd()
    for (const [name, { pod }] of containers) {
      const isChanged = wanted.has(name) && wanted.get(name)?.digest !== pod.digest
      if (!wanted.has(name) || (isChanged && this.#takesUp(name))) this.stopContainer(name)
      if (!isChanged) this.#outdated.delete(name)
    }
    this.#wanted = wanted
    for (const [name, pod] of wanted) {
      if (containers.has(name) || !(await this.#canStart(pod))) continue
      containers.set(name, { id: host.world.hex(32), pod })
    }
  }

  /** An etcd whose data is another one ends, and so does one that was taken out of its cluster. */
  async #endEtcd(): Promise<void> {
    if (this.#member !== undefined && (await this.memberId()) !== this.#member) {
      this.#clusters.acts.changesData(this)
      this.stopContainer('etcd')
    }
    if (this.#member !== undefined && this.cluster?.etcd.isStarted(this.#member) !== true) {
      this.stopContainer('etcd')
    }
  }

  /** Nobody looks at the files any more. */
  #forgetPods(): void {
    this.#wanted = new Map()
    this.#outdated.clear()
  }

  /** Whether a file that is another one since some time is seen now. */
  #takesUp(name: string): boolean {
    const { world } = this.host
    const since = this.#outdated.get(name)
    if (since !== undefined) return world.clock.now() - since >= this.takeUpMs
    this.#clusters.acts.changesPod(this, name)
    this.#outdated.set(name, world.clock.now())
    world.clock.sleep(this.takeUpMs, world.signal).then(
      () => this.sync(),
      () => undefined,
    )
    return false
  }

  /** A file that a pod mounts as one must be there; etcd starts with the data of a member only. */
  async #canStart(pod: StaticPod): Promise<boolean> {
    const { folder, name } = this.host
    const files = objectsAt(pod.spec, 'volumes').filter(
      (volume) => textAt(volume, 'hostPath', 'type') === 'File',
    )
    const isMissing = files.some(
      (volume) => !folder.has(textAt(volume, 'hostPath', 'path').replace(/^\//, '')),
    )
    if (isMissing) return false
    if (pod.name !== 'etcd') return true
    const data = await readMemberData(this.host.folder)
    const { cluster } = this
    try {
      if (data === undefined || !(await cluster?.goesOnWith(data.etcd, this))) return false
      cluster?.etcd.start(data.member, name)
      this.#member = data.member
      return true
    } catch (error) {
      if (error instanceof EtcdRefused) return false
      throw error
    }
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    await turn
  }

  #goSilent(cluster: HostCluster | undefined): void {
    if (this.#registered === '') return
    const { name }: { name: string } = JSON.parse(this.#registered)
    this.#registered = ''
    cluster?.kubernetes.nodeDown(name)
  }

  async #registration(): Promise<NodeRegistration> {
    const { host, containers, nodeIp } = this
    const { folder, bootId, machineId } = host
    const [name, flags = '', release = ''] = await Promise.all([
      this.nodeName(),
      folder.find('var/lib/kubelet/kubeadm-flags.env'),
      folder.find('etc/os-release'),
    ])
    const [, taints = ''] = /--register-with-taints=([^"\s]+)/.exec(flags) ?? []
    const [, internalIp = nodeIp] = /--node-ip=([^"\s]+)/.exec(flags) ?? []
    this.#kubeletVersion ||= await this.installedVersion('kubelet')
    return {
      name,
      internalIp,
      roleControlPlane: false,
      labels: {},
      annotations: {
        'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///var/run/containerd/containerd.sock',
      },
      taints: taints.split(',').flatMap(readTaint),
      osImage: /^PRETTY_NAME="?(.*?)"?$/m.exec(release)?.[1] ?? 'Debian GNU/Linux 12 (bookworm)',
      kubeletVersion: this.#kubeletVersion,
      bootId: bootId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      serverId: 0,
      machineId,
      runtime: `containerd://${(await this.installedVersion('containerd.io')).slice(1)}`,
      cloudProvider: 'none',
      ...(this.#clusters.hasOwnNetwork && { hasNetwork: true }),
      staticPods: [...this.#wanted].map(([name, file]) => {
        const container = containers.get(name)
        const pod = container?.pod ?? file
        return {
          component: name,
          image: pod.image,
          hash: pod.digest.slice(0, 32),
          ready: container !== undefined,
          ...(container && { id: container.id }),
        }
      }),
    }
  }
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const

/** `key=value:Effect`, as the kubelet's flag has it. */
function readTaint(text: string): NodeRegistration['taints'][number][] {
  const [, key = '', value = '', found] = /^([^=:]+)=?([^:]*):(\w+)$/.exec(text) ?? []
  const effect = effects.find((one) => one === found)
  return effect === undefined ? [] : [{ key, ...(value !== '' && { value }), effect }]
}
