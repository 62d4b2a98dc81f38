import type { HetznerLive } from '../../src/hetzner/observe.ts'
import { allocateNodes } from '../../src/plan/allocate-nodes.ts'
import type { Change } from '../../src/plan/change.ts'
import type { Inventory, InventoryNode } from '../../src/plan/inventory.ts'
import { type ClusterRecord, type RecordKey, recordKey } from '../../src/plan/record.ts'
import type { ClusterView } from '../../src/planner/hetzner-talos/cluster-view.ts'
import { Etcd, type EtcdMember } from '../../src/sandbox/talos/etcd.ts'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { specDigest } from '../../src/spec/spec-digest.ts'
import { secretsPath } from '../../src/store/files/layout.ts'
import type { Generation } from '../../src/store/generation.ts'
import { catalogue } from '../hetzner/catalogue-fixture.ts'

const uid = '0123456789abcdef'

const sealedForNobody = Buffer.from('sops: {lastmodified: "", mac: "", version: "3.11.0"}\n')

/**
 * A cluster that is only thought of: what Hetzner and the state would show, and an etcd by etcd's own
 * rules. Changes are made one by one, as an apply makes them, and etcd objects to what must not be.
 */
export class ImaginedCluster {
  readonly #records = new Map<RecordKey, ClusterRecord>()
  readonly #nodes = new Map<string, InventoryNode>()
  readonly #memberIds = new Map<string, bigint>()
  readonly etcd = new Etcd('e', 'demo-control-plane-1')
  #applied: ClusterSpec | undefined
  #bootstrapped = false
  #hasSecrets = false
  #lastId = 0

  view(spec: ClusterSpec): ClusterView {
    const inventory = this.#inventory()
    return {
      spec,
      nodes: allocateNodes(spec, inventory),
      generation: this.#lastId === 0 ? undefined : this.#generation(inventory),
      hetzner: this.#live(),
    }
  }

  /** What an apply writes down before it does anything. */
  claim({ nodes }: ClusterView): void {
    for (const { name, role, pool, slot, privateIp, location } of nodes) {
      if (this.#nodes.has(name)) continue
      this.#nodes.set(name, { name, role, pool, slot, privateIp, location })
    }
    this.#lastId++
  }

  finish(spec: ClusterSpec): void {
    this.#applied = spec
  }

  /** Somebody deletes a server by hand. */
  lose(name: string): void {
    this.#records.delete(`server/${name}`)
    this.etcd.stop(this.#memberIds.get(name) ?? 0n)
  }

  /** The control planes whose servers are there and whose members run. */
  living(): string[] {
    return [...this.#memberIds]
      .filter(([, id]) => this.etcd.members.has(id) && this.etcd.isStarted(id))
      .map(([name]) => name)
  }

  /** Makes one change as an apply does. Throws what etcd says to it. */
  make(change: Change): void {
    const { kind = 'image', name = '' } = change.after ?? change.before ?? {}
    const isMember = this.#bootstrapped && this.#nodes.get(name)?.role === 'control-plane'
    switch (kind) {
      case 'server':
        this.#makeServer(change, name, isMember)
        break
      case 'node':
        if (isMember) this.#changeMember(name, change.action)
        this.#remember(name, change)
        break
      case 'etcd':
        this.#bootstrap()
        break
      case 'secrets':
        this.#hasSecrets = true
        break
      default:
        this.#keep(change)
    }
  }

  #makeServer(change: Change, name: string, isMember: boolean): void {
    if (isMember && change.action === 'replace') this.#leave(name)
    if (change.action === 'delete') {
      if (this.#isListed(name)) throw new Error(`${name} is deleted as a member`)
      this.#nodes.delete(name)
    }
    this.#keep(change)
  }

  #keep({ action, after, key }: Change): void {
    const id = action === 'update' ? this.#idOf(key) : ++this.#lastId
    if (after) this.#records.set(key, { ...after, facts: { id } })
    else this.#records.delete(key)
  }

  #changeMember(name: string, action: Change['action']): void {
    if (action === 'delete') this.#leave(name)
    else if (action === 'update') this.#reboot(name)
    else this.#join(name)
  }

  #reboot(name: string): void {
    const id = this.#memberIds.get(name) ?? 0n
    if (this.etcd.members.size === 1) return
    this.etcd.stop(id)
    if (!this.etcd.quorum) throw new Error(`no quorum while ${name} reboots`)
    this.etcd.start(id, name)
  }

  #leave(name: string): void {
    const id = this.#memberIds.get(name)
    if (id === undefined || !this.etcd.members.has(id)) return
    this.etcd.remove(id)
    this.#memberIds.delete(name)
    this.#forgetConfig(name)
  }

  #join(name: string): void {
    if (this.living().includes(name)) throw new Error(`${name} joins twice`)
    // As an apply does: all that are dead leave before anybody joins.
    for (const [other, id] of [...this.#memberIds]) {
      if (this.etcd.members.has(id) && !this.etcd.isStarted(id)) {
        this.etcd.remove(id)
        this.#memberIds.delete(other)
      }
    }
    const member = this.#newMember(name)
    this.etcd.addLearner(member)
    this.etcd.start(member.id, name)
    this.etcd.promote(member.id)
  }

  #bootstrap(): void {
    this.#bootstrapped = true
    const [first, ...others] = [...this.#nodes.values()].filter(
      ({ role }) => role === 'control-plane',
    )
    if (!first) throw new Error('no control plane')
    const founder = this.#newMember(first.name)
    this.etcd.found(founder)
    this.etcd.start(founder.id, first.name)
    for (const { name } of others) this.#join(name)
  }

  #newMember(name: string): EtcdMember {
    const id = BigInt(++this.#lastId)
    this.#memberIds.set(name, id)
    const address = this.#nodes.get(name)?.privateIp
    const [peerUrl, clientUrl] = [`https://${address}:2380`, `https://${address}:2379`]
    return { id, hostname: '', peerUrl, clientUrl, learner: false }
  }

  #isListed(name: string): boolean {
    return this.etcd.members.has(this.#memberIds.get(name) ?? 0n)
  }

  #remember(name: string, { after }: Change): void {
    const node = this.#nodes.get(name)
    if (!after) {
      const isOnItsWayOut = node?.role === 'control-plane' && this.#records.has(`server/${name}`)
      if (!isOnItsWayOut) this.#nodes.delete(name)
    } else if (node) {
      this.#nodes.set(name, {
        ...node,
        serverId: this.#idOf(`server/${name}`),
        leavingServerId: undefined,
        talosVersion: String(after.spec['talosVersion']),
        schematic: String(after.spec['schematic']),
        kubernetesVersion: String(after.spec['kubernetesVersion']),
        configDigest: String(after.spec['configDigest']),
      })
    }
  }

  #forgetConfig(name: string): void {
    const node = this.#nodes.get(name)
    const leavingServerId = this.#idOf(`server/${name}`)
    const noMember = { configDigest: undefined, serverId: undefined, leavingServerId }
    if (node) this.#nodes.set(name, { ...node, ...noMember })
  }

  #idOf(key: RecordKey): number {
    return Number(this.#records.get(key)?.facts?.['id'])
  }

  #inventory(): Inventory {
    const nodes = [...this.#nodes.values()]
    return { clusterName: 'demo', uid, nodes, addons: {}, bootstrapped: this.#bootstrapped }
  }

  #generation(inventory: Inventory): Generation {
    return {
      commit: 'c'.repeat(40),
      inventory,
      journal: [],
      hasSecrets: this.#hasSecrets,
      nodeConfigs: [],
      plans: new Map(),
      files: new Map(this.#hasSecrets ? [[secretsPath, sealedForNobody]] : []),
      manifest: {
        format: 1,
        repository: 'acme/infra',
        cluster: 'demo',
        uid,
        generation: 1,
        previous: null,
        keyEpoch: 1,
        recipients: 'a'.repeat(64),
        specDigest: this.#applied ? specDigest(this.#applied) : null,
        appliedCommit: null,
        toolVersion: '0.0.0',
        writer: { run: 'r', attempt: 1, nonce: 'n' },
        writtenAt: '2026-11-27T12:00:00.000Z',
        files: [],
      },
    }
  }

  #live(): HetznerLive {
    const records = [...this.#records.values()].filter(({ kind }) => kind !== 'image')
    return {
      records,
      foreign: [],
      sshKeyNames: [],
      existingNetwork: undefined,
      lostNetwork: undefined,
      catalogue,
      snapshots: [],
      knownImages: new Map(),
      ids: new Map(records.map((record) => [recordKey(record), this.#idOf(recordKey(record))])),
      strays: [],
      anchor: undefined,
      surroundings: { members: [], routes: [], groups: new Map() },
      serversOf: new Map(),
      projectServers: records.filter(({ kind }) => kind === 'server').length,
    }
  }
}
