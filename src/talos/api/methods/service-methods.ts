import { ContainerDriver } from '../gen/common/common_pb.js'
import { MachineService } from '../gen/machine/machine_pb.js'
import type { CallOptions, TalosCaller } from '../talos-caller.ts'
import { askOne } from './ask-one.ts'
import { followOne } from './follow-one.ts'

const { method } = MachineService

/** Where containers live: Talos's own services, or Kubernetes's pods. */
export type ContainerSpace = 'system' | 'k8s.io'

/** Which logs, and how much of them. */
export interface LogOptions {
  /** `system` where it is not given: then `id` names a service of Talos. */
  readonly space?: ContainerSpace
  /** Whether the stream goes on as more is written; give the call `timeoutMs: Infinity` then. */
  readonly follow?: boolean
  /** How many of the last lines to begin with; all that are kept where it is not given. */
  readonly tailLines?: number | undefined
}

/** Which events of the past come before those that happen from now on; none where nothing is given. */
export interface EventOptions {
  /** How many; -1 for all that are kept. */
  readonly tailEvents?: number
  /** Those after the one of this id. */
  readonly tailId?: string
  /** Those of the last so many seconds. */
  readonly tailSeconds?: number
  /** Only those that a call caused, by the id that it answered with. */
  readonly withActorId?: string
}

/** What runs on a node, and what it says. */
export function serviceMethods(caller: TalosCaller) {
  return {
    /** Talos's services, with state, health and their last events. For os:reader. */
    serviceList: (options?: CallOptions) => askOne(caller, method.serviceList, {}, options),

    /** Starts a service by its id (`kubelet`). For os:operator; some cannot be, and refuse. */
    serviceStart: (id: string, options?: CallOptions) =>
      askOne(caller, method.serviceStart, { id }, options),

    /** Stops one. For os:operator. */
    serviceStop: (id: string, options?: CallOptions) =>
      askOne(caller, method.serviceStop, { id }, options),

    /** Stops and starts one. For os:operator. */
    serviceRestart: (id: string, options?: CallOptions) =>
      askOne(caller, method.serviceRestart, { id }, options),

    /** The containers of a space. For os:reader. */
    containers: (space: ContainerSpace, options?: CallOptions) =>
      askOne(caller, method.containers, inSpace(space), options),

    /** Their memory in bytes, and processor time in nanoseconds. For os:reader. */
    stats: (space: ContainerSpace, options?: CallOptions) =>
      askOne(caller, method.stats, inSpace(space), options),

    /** Restarts a container of a space by its id. For os:operator. */
    restart: (id: string, space: ContainerSpace, options?: CallOptions) =>
      askOne(caller, method.restart, { id, ...inSpace(space) }, options),

    /** Of what there are logs: ids for `logs`. For os:reader. */
    logsContainers: (options?: CallOptions) => askOne(caller, method.logsContainers, {}, options),

    /** The log of a service or container, in pieces that end anywhere. For os:reader. */
    logs: (
      id: string,
      { space = 'system', follow = false, tailLines = -1 }: LogOptions = {},
      options?: CallOptions,
    ) => followOne(caller, method.logs, { id, follow, tailLines, ...inSpace(space) }, options),

    /**
     * The kernel's messages, in pieces that end anywhere. `tail` leaves out those before the call, which
     * makes sense with `follow` alone. For os:reader.
     */
    dmesg: (
      { follow = false, tail = false }: { follow?: boolean; tail?: boolean } = {},
      options?: CallOptions,
    ) => followOne(caller, method.dmesg, { follow, tail }, options),

    /**
     * What happens on the node, as it happens; never ends by itself. The first is without data: it says that
     * nothing is missed from now on. For os:reader.
     */
    events: (past: EventOptions = {}, options?: CallOptions) =>
      followOne(caller, method.events, { ...past }, options),
  }
}

function inSpace(namespace: ContainerSpace) {
  const driver = namespace === 'k8s.io' ? ContainerDriver.CRI : ContainerDriver.CONTAINERD
  return { namespace, driver }
}
