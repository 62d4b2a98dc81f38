import { objectsAt, textAt } from '../../kubernetes/model/read-json.ts'
import type { NodeRegistration } from '../../kubernetes/node-registration.ts'
import { EtcdRefused } from '../../talos/etcd.ts'
import type { HostService, SimHost } from '../sim-host.ts'
import type { HostCluster } from './host-cluster.ts'
import type { HostClusters } from './host-clusters.ts'
import { readStaticPods, type StaticPod } from './static-pod.ts'

/** A container that runs from the image of a static pod. */
export interface HostContainer {
  readonly id: string
  readonly pod: StaticPod
}

/** Where a host keeps which member of etcd its data is of. */
export const memberFile = 'var/lib/etcd/member/id'

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
  /** The cluster that its files are of. */
  cluster: HostCluster | undefined
  readonly #clusters: HostClusters
  /** The member of etcd that runs here. */
  #member: bigint | undefined
  #kubeletVersion = ''
  #registered = ''
  #turn: Promise<void> = Promise.resolve()

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

  /** The member of etcd whose data it has. */
  async memberId(): Promise<bigint | undefined> {
    const id = await this.host.folder.find(memberFile)
    return id === undefined ? undefined : BigInt(`0x${id.trim()}`)
  }

  hasAll(...names: readonly string[]): boolean {
    return this.host.isOn() && names.every((name) => this.containers.has(name))
  }

  /** Which kubelet is installed; another one runs until it is restarted. */
  async installedVersion(program: string): Promise<string> {
    const version = await this.host.folder.find(`state/packages/${program}`)
    return version === undefined ? '' : `v${version.trim().replace(/-.*/, '')}`
  }

  /** Brings what runs in line with the files of the host, and its cluster with what runs. */
  sync(): Promise<void> {
    return this.#inTurn(() => this.#sync())
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
    await this.sync()
  }

  /** A container is gone; where its kubelet runs, the next look starts another one. */
  stopContainer(name: string): void {
    if (!this.containers.delete(name)) return
    if (name === 'etcd' && this.#member !== undefined) {
      this.cluster?.etcd.stop(this.#member)
      this.#member = undefined
    }
    if (name === 'kube-vip') this.addresses.clear()
  }

  /** The node that its kubelet presents, where it runs and reaches its API. */
  async present(): Promise<void> {
    const { cluster } = this
    if (!(await this.#kubeletRuns()) || cluster?.reaches(this) !== true) {
      this.#goSilent(cluster)
      return
    }
    const registration = await this.#registration()
    const text = JSON.stringify(registration)
    const isKnown = cluster.kubernetes.knowsNode(registration.name)
    // A kubelet makes its node when it starts: one that was deleted since stays so.
    if (text === this.#registered || (this.#registered !== '' && !isKnown)) return
    this.#registered = text
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
    if (former !== this.cluster) await former?.reconcile()
    await this.cluster?.reconcile()
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
    const { cluster } = this
    // Who is taken out of etcd ends.
    if (this.#member !== undefined && cluster?.etcd.isStarted(this.#member) !== true) {
      this.stopContainer('etcd')
    }
    for (const [name, { pod }] of containers) {
      if (wanted.get(name)?.digest !== pod.digest) this.stopContainer(name)
    }
    for (const [name, pod] of wanted) {
      if (containers.has(name) || !(await this.#canStart(pod))) continue
      containers.set(name, { id: host.world.hex(32), pod })
    }
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
    const id = await this.memberId()
    try {
      if (id === undefined || this.cluster === undefined) return false
      this.cluster.etcd.start(id, name)
      this.#member = id
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
      staticPods: [...containers.values()].map(({ pod }) => ({
        component: pod.name,
        image: pod.image,
        ready: true,
      })),
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
