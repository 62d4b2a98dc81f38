import { status } from '@grpc/grpc-js'
import { MachineService } from '../../../talos/api/gen/machine/machine_pb.js'
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
  serverStream(method.logs, async function* ({ id, follow, tailLines }, call) {
    const { node } = call
    const service = machineServices(node).find((known) => known.id === id)
    if (service === undefined) throw new RpcError(status.UNKNOWN, `log "${id}" was not registered`)
    const line = (logged: LoggedEvent) => serviceLine(logged, id)
    const all = [`${id}: ${service.state}: ${service.message}\n`, ...linesOf(node, line)]
    yield* logs(tailLines < 0 ? all : all.slice(all.length - tailLines), line, { ...call, follow })
  }),
  unary(method.logsContainers, (_request, { node }) => ({
    messages: [{ ids: machineServices(node).map(({ id }) => id) }],
  })),
]

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
