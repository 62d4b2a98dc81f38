import { status } from '@grpc/grpc-js'
import type { TalosNode } from '../talos-node.ts'
import { atLeast } from '../talos-version.ts'
import { attributeAnswer, failureAnswer } from './attribute-answer.ts'
import { findTarget } from './find-target.ts'
import { isServed } from './is-served.ts'
import { isReadOnly, mayCall } from './roles.ts'
import { type Call, type Rpc, RpcError } from './rpc.ts'

/** A call as it reaches the node that was dialled. */
export interface IncomingCall {
  readonly node: TalosNode
  /** Address and port of the caller. */
  readonly peer: string
  readonly roles: ReadonlySet<string>
  readonly isProduct: boolean
  /** Whom the caller wants to be answered by. */
  readonly targets: {
    readonly kind: 'local' | 'one' | 'many'
    readonly addresses: readonly string[]
  }
  readonly signal: AbortSignal
  afterAnswer(run: () => void): void
  /** To be called when the answer has been written. */
  answered(): void
}

/** Answers a call as apid and machined do together: faults, routing, rights, then the method itself. */
export async function* answerCall(
  rpc: Rpc,
  requests: AsyncIterable<Uint8Array>,
  call: IncomingCall,
): AsyncIterable<Uint8Array> {
  const { node } = call
  const name = rpc.path.split('/')[2] ?? ''
  const pass = node.world.enter('talos', name, `/${node.name}`, !isReadOnly(rpc.path))
  if (pass.dropped) await lose(call)
  const hanging = node.state.faults.hanging(node.name)
  if (hanging) await Promise.race([hanging, never(call)])
  if (pass.fault !== undefined) throw new RpcError(status.UNAVAILABLE, `fault: ${pass.fault}`)
  refuseByFault(node, name)
  let left = false
  for await (const bytes of route(rpc, requests, call)) {
    if (!left) {
      left = true
      if (!(await pass.leave())) await lose(call)
    }
    if (!rpc.streamsAnswers && node.state.faults.takeLostAnswer(node.name, name)) await lose(call)
    yield bytes
  }
  if (rpc.streamsAnswers && node.state.faults.takeLostAnswer(node.name, name)) await lose(call)
}

function refuseByFault({ name, state }: TalosNode, method: string): void {
  const failure = state.faults.takeFailure(name, method)
  if (failure !== undefined) throw new RpcError(status.UNKNOWN, failure)
}

async function* route(
  rpc: Rpc,
  requests: AsyncIterable<Uint8Array>,
  call: IncomingCall,
): AsyncIterable<Uint8Array> {
  const { node, targets } = call
  // Nothing is routed in maintenance mode.
  if (targets.kind === 'local' || node.config === undefined) {
    yield* answerAt(node, rpc, requests, call)
    return
  }
  if (targets.kind === 'one') {
    if (targets.addresses.length !== 1) {
      throw new RpcError(status.INVALID_ARGUMENT, 'node metadata must be single-valued')
    }
    yield* answerAt(findTarget(node, targets.addresses[0] ?? ''), rpc, requests, call)
    return
  }
  if (!/^\/(machine\.MachineService|cluster\.ClusterService)\//.test(rpc.path)) {
    const problem = `one-2-many proxying is not supported for method ${rpc.path}`
    throw new RpcError(status.INVALID_ARGUMENT, problem)
  }
  yield* answerByMany(rpc, await collect(requests), call)
}

/** Each node's answer says whose it is; a failure of one is an answer too. */
async function* answerByMany(
  rpc: Rpc,
  requests: readonly Uint8Array[],
  call: IncomingCall,
): AsyncIterable<Uint8Array> {
  const { addresses } = call.targets
  const onlyLocal = addresses.length === 1 && call.node.addresses.includes(addresses[0] ?? '')
  if (!call.node.config?.controlPlane && !onlyLocal) {
    throw new RpcError(status.PERMISSION_DENIED, 'no request forwarding')
  }
  const answers: Uint8Array[] = []
  for (const address of addresses) {
    for await (const bytes of attributed(address, rpc, requests, call)) {
      if (rpc.streamsAnswers) yield bytes
      else answers.push(bytes)
    }
  }
  // Messages of protobuf that follow one another are one message: their lists are joined.
  if (!rpc.streamsAnswers) yield Buffer.concat(answers)
}

async function* attributed(
  address: string,
  rpc: Rpc,
  requests: readonly Uint8Array[],
  call: IncomingCall,
): AsyncIterable<Uint8Array> {
  try {
    const target = findTarget(call.node, address)
    for await (const bytes of answerAt(target, rpc, replay(requests), call)) {
      yield attributeAnswer(bytes, address, rpc.streamsAnswers)
    }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    yield failureAnswer(address, error, rpc.streamsAnswers)
  }
}

async function* answerAt(
  target: TalosNode,
  rpc: Rpc,
  requests: AsyncIterable<Uint8Array>,
  incoming: IncomingCall,
): AsyncIterable<Uint8Array> {
  checkServed(target, rpc.path)
  // In maintenance mode anybody is a reader.
  const roles = target.config === undefined ? new Set(['os:reader']) : incoming.roles
  if (target.config === undefined && !atLeast(target.version, 13)) checkMaintenance(rpc.path)
  const open = target.config === undefined && rpc.path.endsWith('/ApplyConfiguration')
  if (!open && !mayCall(roles, rpc.path)) {
    throw new RpcError(status.PERMISSION_DENIED, 'not authorized')
  }
  const call: Call = {
    node: target,
    path: rpc.path,
    roles,
    isProduct: incoming.isProduct,
    peer: incoming.peer,
    signal: AbortSignal.any([incoming.signal, target.signal]),
    afterAnswer: (run) => incoming.afterAnswer(run),
  }
  yield* rpc.run(requests, call)
}

function checkServed(node: TalosNode, path: string): void {
  if (!isServed(node.version, path)) {
    throw new RpcError(status.UNIMPLEMENTED, `unknown service ${path.split('/')[1]}`)
  }
}

/** Up to 1.12 the maintenance service has few methods, and keeps most of them to SideroLink. */
function checkMaintenance(path: string): void {
  const [, service = '', method = ''] = path.split('/')
  if (service === 'cosi.resource.State' || method === 'ApplyConfiguration') return
  if (service !== 'machine.MachineService') {
    throw new RpcError(status.UNIMPLEMENTED, `unknown service ${service}`)
  }
  const gated = ['Version', 'Upgrade', 'Reset'].includes(method)
  throw new RpcError(
    status.UNIMPLEMENTED,
    gated ? 'API is not implemented in maintenance mode' : `method ${method} not implemented`,
  )
}

async function collect(messages: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = []
  for await (const message of messages) all.push(message)
  return all
}

async function* replay(messages: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* messages
}

/** The connection breaks; nobody is left to answer. What follows from the call happens all the same. */
async function lose(call: IncomingCall): Promise<never> {
  call.node.api.cut(call.peer)
  call.answered()
  return never(call)
}

/** No answer; it ends when the caller gives up. */
async function never(call: IncomingCall): Promise<never> {
  await aborted(call.signal)
  throw new RpcError(status.UNAVAILABLE, 'the connection is lost')
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
