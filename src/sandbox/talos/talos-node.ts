import { ServiceStateEventSchema } from '../../talos/api/gen/machine/machine_pb.js'
import { cidrHasAddress, parseCidr } from '../ip-range.ts'
import type { Guest, Machine } from '../machine.ts'
import type { World } from '../world.ts'
import { TalosApi } from './api/talos-api.ts'
import { bootstrapManifests } from './bootstrap-manifests.ts'
import { StaticPods } from './components/static-pods.ts'
import type { NodeConfig } from './config/node-config.ts'
import { ConfigStore } from './config-store.ts'
import { EtcdService } from './etcd-service.ts'
import { EventLog } from './event-log.ts'
import { Kubelet } from './kubelet.ts'
import { KubernetesInstance } from './kubernetes-instance.ts'
import type { CreateKubernetes } from './kubernetes-port.ts'
import { serviceEvent } from './machine-services.ts'
import { MachineStage } from './machine-stage.ts'
import { pause } from './pause.ts'
import { ResourceStore } from './resource-store.ts'
import { type TalosCluster, type TalosState, talosState } from './talos-state.ts'
import { parseTalosVersion, type TalosVersion } from './talos-version.ts'
import { canIssueFor } from './trustd.ts'
import { versionSkew } from './version-skew.ts'

/** One boot of Talos on a machine: from power on to power off. */
export class TalosNode implements Guest {
  readonly machine: Machine
  readonly world: World
  readonly state: TalosState
  readonly version: TalosVersion
  readonly schematic: string
  readonly events: EventLog
  readonly configs: ConfigStore
  readonly stage: MachineStage
  readonly etcd: EtcdService
  readonly kubelet: Kubelet
  readonly staticPods: StaticPods
  readonly resources: ResourceStore
  readonly api: TalosApi
  readonly createKubernetes: CreateKubernetes
  /** Set once the config in effect is known; undefined in maintenance mode. */
  cluster: TalosCluster | undefined

  readonly #life = new AbortController()
  readonly #work = new Set<Promise<void>>()
  /** The bootstrap manifests that it has brought into the cluster since its boot. */
  #manifests = ''

  constructor(machine: Machine, world: World, createKubernetes: CreateKubernetes) {
    const { image } = machine.disk
    const version = image.kind === 'talos' ? parseTalosVersion(image.version) : undefined
    if (image.kind !== 'talos' || version === undefined) {
      throw new Error(`no Talos on the disk of ${machine.name}`)
    }
    this.machine = machine
    this.world = world
    this.state = talosState(world)
    this.version = version
    this.schematic = image.schematic
    this.createKubernetes = createKubernetes
    this.events = new EventLog(() => world.clock.now())
    const { outputs } = world.judge
    this.configs = new ConfigStore(machine, version, (document) => outputs.config(document))
    this.stage = new MachineStage(this)
    this.etcd = new EtcdService(this)
    this.kubelet = new Kubelet(this)
    this.staticPods = new StaticPods(this)
    this.resources = new ResourceStore(this)
    this.api = new TalosApi(this)
  }

  get name(): string {
    return this.machine.name
  }

  get config(): NodeConfig | undefined {
    return this.configs.active?.config
  }

  /** By its config, else by its platform, which on Hetzner is the server's name. */
  get hostname(): string {
    return this.config?.hostname ?? this.machine.name
  }

  /** Private addresses first, as they were attached, then the public one. */
  get addresses(): string[] {
    const { privateIps, publicIp } = this.machine
    return publicIp === undefined ? [...privateIps] : [...privateIps, publicIp]
  }

  /** The address that its etcd member advertises. */
  get etcdAddress(): string {
    const ranges = (this.config?.etcdSubnets ?? []).flatMap((text) => parseCidr(text) ?? [])
    const fits = (address: string) => ranges.some((range) => cidrHasAddress(range, address))
    return this.addresses.find(fits) ?? this.addresses[0] ?? ''
  }

  /** Aborted when this boot ends. */
  get signal(): AbortSignal {
    return this.#life.signal
  }

  /** Resolves when the API answers in maintenance mode, or when a configured node is on its way up. */
  async start(): Promise<void> {
    this.state.nodes.add(this)
    this.configs.load()
    if (this.configs.active === undefined) {
      this.stage.enter('maintenance')
      await this.api.listen()
      return
    }
    this.stage.beginBoot()
    await this.configure()
  }

  /** The config in effect is there, or has changed: services follow. */
  async configure(): Promise<void> {
    const { config } = this
    if (config === undefined) return
    this.cluster = this.state.clusterOf(config)
    if (this.api.listening) this.api.renew()
    this.world.contractErrors.push(...versionSkew(this.state.nodesOf(this.cluster)))
    if (config.controlPlane) await this.api.listen()
    this.reconcile()
    this.state.changed()
  }

  /** From maintenance to a configured node, without a reboot: an installed Talos needs none. */
  async leaveMaintenance(): Promise<void> {
    await this.api.close()
    this.stage.beginBoot()
    await pause(this, 'configure')
    await this.configure()
  }

  /** Does what has become possible since the last look. */
  reconcile(): void {
    const { config, cluster } = this
    if (config === undefined || cluster === undefined || this.signal.aborted) return
    if (!this.api.listening && canIssueFor(this)) {
      this.background(async () => {
        await this.api.listen()
        this.state.changed()
      })
    }
    if (this.stage.isGoingDown || this.state.faults.isStuckBooting(this.name)) return
    if (config.controlPlane) this.#reconcileControlPlane(cluster, config)
    if (this.api.listening) this.kubelet.reconcile()
    this.stage.reconcile()
    this.resources.refresh()
  }

  #reconcileControlPlane(cluster: TalosCluster, config: NodeConfig): void {
    this.etcd.reconcile()
    const etcd = this.etcd.running
    // Talos runs the static pods of a control plane only as long as its own etcd runs.
    for (const [id, instance] of cluster.kubernetes) {
      if (id !== etcd?.id && instance.isHostedBy(this)) this.background(() => instance.leave(this))
    }
    if (etcd === undefined || config.kubernetesCa.key === undefined) return
    let instance = cluster.kubernetes.get(etcd.id)
    if (instance === undefined) {
      const kubernetes = this.createKubernetes({
        world: this.world,
        clusterName: cluster.name,
        version: config.apiServerVersion,
        ca: { crt: config.kubernetesCa.crt, key: config.kubernetesCa.key },
        podCidr: config.podSubnet,
        serviceCidr: config.serviceSubnet,
        content: etcd.content,
        serverSans: () => this.state.nodesOf(cluster).flatMap((node) => node.kubernetesSans),
      })
      kubernetes.watchNodes?.(() => this.state.changed())
      etcd.countWrites(() => kubernetes.writes?.() ?? 0)
      instance = new KubernetesInstance(kubernetes, etcd, this.world)
      cluster.kubernetes.set(etcd.id, instance)
    }
    this.staticPods.reconcile()
    instance.host(this)
    this.#bringManifests(instance, config)
  }

  /** Nodes make the manifests that are missing, and change none: that is what upgrades are for. */
  #bringManifests(instance: KubernetesInstance, config: NodeConfig): void {
    if (!instance.isServedBy(this)) return
    const objects = bootstrapManifests(config, this.version).flatMap((manifest) => manifest.objects)
    const text = JSON.stringify(objects)
    if (text === this.#manifests) return
    this.#manifests = text
    instance.kubernetes.createMissing?.(objects)
  }

  /** What the certificate of this node's API server holds. */
  get kubernetesSans(): string[] {
    const { config } = this
    if (config === undefined || !config.controlPlane) return []
    return [
      ...config.kubernetesSans,
      ...this.addresses,
      this.hostname,
      new URL(config.endpoint).hostname,
    ]
  }

  /** Tells watchers that a service of this node is in another state. */
  serviceChanged(id: string): void {
    this.events.publish(ServiceStateEventSchema, serviceEvent(this, id))
    this.resources.refresh()
  }

  /** Goes on by itself until it is done or this boot ends; a failure is a bug of the sandbox and recorded. */
  background(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => {
        if (this.signal.aborted || this.world.signal.aborted) return
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
        this.world.contractErrors.push(`talos on ${this.name} failed: ${text}`)
      })
      .finally(() => this.#work.delete(running))
    this.#work.add(running)
  }

  /** Ends Kubernetes's and etcd's parts on this node, as an orderly way down does. */
  async stopServices(): Promise<void> {
    this.kubelet.stop()
    this.staticPods.stop()
    this.etcd.stop()
    const instances = [...(this.cluster?.kubernetes.values() ?? [])]
    await Promise.all(instances.map((instance) => instance.leave(this)))
  }

  async stop(): Promise<void> {
    if (this.signal.aborted) return
    this.#life.abort(new Error(`${this.name} is off`))
    this.state.nodes.delete(this)
    await this.stopServices()
    await this.api.close()
    await Promise.all(this.#work)
    this.state.changed()
  }
}
