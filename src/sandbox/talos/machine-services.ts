import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  ServiceStateEvent_Action as Action,
  type ServiceStateEventSchema,
} from '../../talos/api/gen/machine/machine_pb.js'
import type { TalosNode } from './talos-node.ts'

export interface MachineService {
  readonly id: string
  readonly state: 'Waiting' | 'Preparing' | 'Running' | 'Failed' | 'Finished'
  /** Undefined where the service has no health check, or has not started. */
  readonly healthy: boolean | undefined
  readonly message: string
  /** What happened to it, the newest last; only what it is now where absent. */
  readonly events?: readonly {
    readonly state: string
    readonly message: string
    readonly at: number
  }[]
}

const ok = 'Health check successful'

/** The services of a node as `talosctl services` lists them, by name. */
export function machineServices(node: TalosNode): MachineService[] {
  const plain = (id: string): MachineService => ({
    id,
    state: 'Running',
    healthy: true,
    message: ok,
  })
  const unchecked = (id: string): MachineService => ({ ...plain(id), healthy: undefined })
  const { config } = node
  const basic = [plain('containerd'), plain('machined'), plain('syslogd'), plain('udevd')]
  if (config === undefined) return basic
  const controlPlane = config.controlPlane ? [etcdService(node), plain('trustd')] : []
  const services = [
    ...basic,
    plain('apid'),
    unchecked('auditd'),
    plain('cri'),
    unchecked('dashboard'),
    kubeletService(node),
    ...controlPlane,
  ]
  return services.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** What a service's event says. */
export function serviceEvent(
  node: TalosNode,
  id: string,
): MessageInitShape<typeof ServiceStateEventSchema> {
  const service = machineServices(node).find((known) => known.id === id)
  const actions = {
    Waiting: Action.WAITING,
    Preparing: Action.PREPARING,
    Running: Action.RUNNING,
    Failed: Action.FAILED,
    Finished: Action.FINISHED,
  }
  return {
    service: id,
    action: actions[service?.state ?? 'Finished'],
    message: service?.message ?? '',
    health: { healthy: service?.healthy ?? false, unknown: service?.healthy === undefined },
  }
}

function etcdService({ etcd }: TalosNode): MachineService {
  const states = {
    waiting: 'Preparing',
    preparing: 'Preparing',
    running: 'Running',
    failed: 'Failed',
    finished: 'Finished',
  } as const
  const healthy = etcd.running?.quorum ?? (etcd.state === 'failed' ? false : undefined)
  const { message, events } = etcd
  return { id: 'etcd', state: states[etcd.state], healthy, message, events }
}

function kubeletService({ kubelet }: TalosNode): MachineService {
  const states = {
    waiting: 'Waiting',
    starting: 'Preparing',
    failed: 'Waiting',
    running: 'Running',
    finished: 'Finished',
  } as const
  const healthy = kubelet.state === 'running' ? kubelet.healthy : undefined
  const { events } = kubelet
  const message = healthy ? ok : (events.at(-1)?.message ?? '')
  return { id: 'kubelet', state: states[kubelet.state], healthy, message, events }
}
