import type { GuestFactory, Machine } from '../machine.ts'
import type { World } from '../world.ts'
import { talosPort } from './api/talos-port.ts'
import { createSimKubernetes } from './create-sim-kubernetes.ts'
import { kubernetesPort } from './kubernetes-instance.ts'
import type { CreateKubernetes } from './kubernetes-port.ts'
import { TalosNode } from './talos-node.ts'
import { type TalosState, talosState } from './talos-state.ts'

export interface TalosGuestOptions {
  /** Makes the Kubernetes of a cluster, when its etcd is bootstrapped; the sandbox's own where absent. */
  readonly createKubernetes?: CreateKubernetes
}

/** What runs on a machine that boots from a disk with Talos on it. */
export function createTalosGuest(options: TalosGuestOptions = {}): GuestFactory {
  const createKubernetes = options.createKubernetes ?? createSimKubernetes
  const prepared = new WeakSet<World>()
  return async (machine, world) => {
    if (!prepared.has(world)) {
      prepared.add(world)
      prepare(world)
    }
    const node = new TalosNode(machine, world, createKubernetes)
    await node.start()
    return node
  }
}

/** Once for each world: load balancers learn what answers, and cutting the world cuts these connections. */
function prepare(world: World): void {
  const state = talosState(world)
  world.targetProbes.push((machine, port, { protocol }) => {
    const node = nodeOn(state, machine)
    if (node === undefined) return undefined
    if (port === talosPort) return node.api.listening ? 'connected' : undefined
    if (port !== kubernetesPort || !servesKubernetes(node)) return undefined
    // Without credentials Kubernetes says 401, whatever the path.
    return protocol === 'http' ? 401 : 'connected'
  })
  world.log.onCut(() => {
    for (const { api } of state.nodes) api.cutAll()
  })
}

function nodeOn(state: TalosState, machine: Machine): TalosNode | undefined {
  return [...state.nodes].find((node) => node.machine.serverId === machine.serverId)
}

function servesKubernetes(node: TalosNode): boolean {
  return [...(node.cluster?.kubernetes.values() ?? [])].some((instance) =>
    instance.isServedBy(node),
  )
}
