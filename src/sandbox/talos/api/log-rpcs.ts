import { status } from '@grpc/grpc-js'
import { MachineService } from '../../../talos/api/gen/machine/machine_pb.js'
import { staticPodUid } from '../cgroup-files.ts'
import type { LoggedEvent } from '../event-log.ts'
import { kernelLine, serviceLine } from '../log-lines.ts'
import { machineServices } from '../machine-services.ts'
import type { TalosNode } from '../talos-node.ts'
import { type Call, type Rpc, RpcError, serverStream, unary } from './rpc.ts'
import { streamOf } from './stream-of.ts'

const { method } = MachineService

/** A node's logs are what has happened on it since its boot. */
export const logRpcs: readonly Rpc[] = [
  serverStream(method.dmesg, async function* ({ follow, tail }, call) {
    const past = follow && tail ? [] : linesOf(call.node, kernelLine)
    yield* logs(past, kernelLine, { ...call, follow })
  }),
  serverStream(method.logs, async function* ({ namespace, id, follow, tailLines }, call) {
    const { node } = call
    if (namespace === 'k8s.io') {
      yield* tail(containerLog(node, id), tailLines)
      return
    }
    if (id === 'controller-runtime') {
      yield* tail(
        node.kubelet.decisions.log.map((line) => `${line}\n`),
        tailLines,
      )
      return
    }
    const service = machineServices(node).find((known) => known.id === id)
    if (service === undefined) throw new RpcError(status.UNKNOWN, `log "${id}" was not registered`)
    const line = (logged: LoggedEvent) => serviceLine(logged, id)
    const own = id === 'kubelet' ? node.kubelet.log : id === 'etcd' ? node.etcd.log : []
    const all = [
      `${id}: ${service.state}: ${service.message}\n`,
      ...linesOf(node, line),
      ...own.map((text) => `${text}\n`),
    ]
    yield* logs(tailLines < 0 ? all : all.slice(Math.max(0, all.length - tailLines)), line, {
      ...call,
      follow,
    })
  }),
  unary(method.logsContainers, (_request, { node }) => ({
    messages: [{ ids: machineServices(node).map(({ id }) => id) }],
  })),
  unary(method.containers, ({ namespace }, { node }) => ({
    messages: [{ containers: namespace === 'k8s.io' ? podContainers(node) : [] }],
  })),
]

/** Of Kubernetes's containers there are those of the static pods. */
function podContainers(node: TalosNode) {
  return node.staticPods.all().map(({ component, containerId, startedAt, image = '' }) => {
    const podId = `kube-system/${component}-${node.hostname}`
    const internalId = containerId.replace('containerd://', '')
    return {
      namespace: 'k8s.io',
      id: `${podId}:${component}:${internalId.slice(0, 12)}`,
      uid: staticPodUid(node.hostname, component),
      internalId,
      podId,
      name: component,
      image,
      status: startedAt === undefined ? 'CONTAINER_EXITED' : 'CONTAINER_RUNNING',
    }
  })
}

function containerLog(node: TalosNode, id: string): string[] {
  const index = podContainers(node).findIndex((container) => container.id === id)
  const pod = node.staticPods.all()[index]
  if (pod === undefined) throw new RpcError(status.NOT_FOUND, `container "${id}" not found`)
  return pod.log.map((line) => `${line}\n`)
}

function* tail(lines: readonly string[], tailLines: number) {
  const shown = tailLines < 0 ? lines : lines.slice(-tailLines)
  for (const text of shown) yield { bytes: Buffer.from(text) }
}

async function* logs(
  past: readonly string[],
  line: (logged: LoggedEvent) => string | undefined,
  { node, signal, follow }: Pick<Call, 'node' | 'signal'> & { readonly follow: boolean },
): AsyncIterable<{ bytes: Uint8Array }> {
  for (const text of past) yield { bytes: Buffer.from(text) }
  if (!follow) return
  const { clock } = node.world
  const lines = streamOf<string>(
    (push) =>
      node.events.watch((event) => {
        const text = line({ event, at: clock.now() })
        if (text !== undefined) push(text)
      }),
    signal,
  )
  for await (const text of lines) yield { bytes: Buffer.from(text) }
}

function linesOf(node: TalosNode, line: (logged: LoggedEvent) => string | undefined): string[] {
  return node.events.logged.flatMap((logged) => line(logged) ?? [])
}
