import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { status } from '@grpc/grpc-js'
import { MachineService } from '../../../talos/api/gen/machine/machine_pb.js'
import { createKubeconfig } from '../create-kubeconfig.ts'
import { machineServices } from '../machine-services.ts'
import type { TalosNode } from '../talos-node.ts'
import { requireControlPlane } from './require-control-plane.ts'
import { type Call, type Rpc, RpcError, serverStream, unary } from './rpc.ts'

const { method } = MachineService

export const machineRpcs: readonly Rpc[] = [
  unary(method.version, (_request, { node }) => ({ messages: [version(node)] })),
  unary(method.hostname, (_request, { node }) => ({ messages: [{ hostname: node.hostname }] })),
  unary(method.serviceList, (_request, { node }) => ({ messages: [{ services: services(node) }] })),
  unary(method.serviceStart, ({ id }, call) => ({
    messages: [{ resp: serviceAnswer(call, id, 'started') }],
  })),
  unary(method.serviceStop, ({ id }, call) => ({
    messages: [{ resp: serviceAnswer(call, id, 'stopped') }],
  })),
  unary(method.serviceRestart, ({ id }, call) => ({
    messages: [{ resp: serviceAnswer(call, id, 'restarted') }],
  })),
  serverStream(method.kubeconfig, async function* (_request, { node }) {
    requireControlPlane(node, 'kubeconfig')
    yield { bytes: createKubeconfig(node) }
  }),
]

function version({ version: { tag }, machine, config }: TalosNode) {
  return {
    version: {
      tag,
      sha: '5a4e2d3',
      built: '',
      goVersion: 'go1.26.2',
      os: 'linux',
      arch: machine.arch === 'arm' ? 'arm64' : 'amd64',
    },
    platform: { name: 'hcloud', mode: 'cloud' },
    ...(config === undefined ? {} : { features: { rbac: true } }),
  }
}

function services(node: TalosNode) {
  const now = timestampFromMs(node.world.clock.now())
  return machineServices(node).map(({ id, state, healthy, message, events }) => ({
    id,
    state,
    events: {
      events: (events ?? [{ message, state, at: node.world.clock.now() }]).map((event) => ({
        msg: event.message,
        state: event.state,
        ts: timestampFromMs(event.at),
      })),
    },
    health: {
      unknown: healthy === undefined,
      healthy: healthy === true,
      lastMessage: message,
      lastChange: now,
    },
  }))
}

/** Facts: of Talos's own services the kubelet alone may be restarted, and none be stopped. */
function serviceAnswer({ node }: Call, id: string, done: string): string {
  if (!machineServices(node).some((service) => service.id === id)) {
    throw new RpcError(status.UNKNOWN, `service "${id}" not defined`)
  }
  if (done === 'stopped' || (done === 'restarted' && id !== 'kubelet')) {
    const operation = done === 'stopped' ? 'stop' : 'restart'
    const problem = `service "${id}" doesn't support ${operation} operation via API`
    throw new RpcError(status.UNKNOWN, problem)
  }
  if (done === 'restarted') node.kubelet.restart()
  return `Service "${id}" ${done}`
}
