import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { status } from '@grpc/grpc-js'
import { EventType, type ListOptions, State } from '../../../talos/api/gen/cosi/state_pb.js'
import { resourceTypes } from '../node-resources.ts'
import type { ResourceChange, StoredResource } from '../resource-store.ts'
import { type Call, type Rpc, RpcError, serverStream, unary } from './rpc.ts'
import { streamOf } from './stream-of.ts'

/** The COSI state of a node; specs come as YAML only. */
export const stateRpcs: readonly Rpc[] = [
  unary(State.method.get, ({ namespace, type, id }, call) => {
    checkPolicy(type, namespace, call)
    const found = call.node.resources.get(type, id)
    if (found === undefined) {
      const problem = `resource ${type}(${namespace}/${id}@undefined) doesn't exist`
      throw new RpcError(status.NOT_FOUND, problem)
    }
    return { resource: message(found) }
  }),
  serverStream(State.method.list, async function* ({ namespace, type, options }, call) {
    checkPolicy(type, namespace, call)
    for (const found of call.node.resources.list(type)) {
      if (matches(found.id, options)) yield { resource: message(found) }
    }
  }),
  serverStream(State.method.watch, async function* (request, call) {
    const { namespace, type, id, options } = request
    checkPolicy(type, namespace, call)
    if (id !== undefined && options?.bootstrapContents) {
      const problem = 'bootstrap contents is not implemented for resource watch'
      throw new RpcError(status.UNIMPLEMENTED, problem)
    }
    const { node } = call
    const wanted = (found: StoredResource) => id === undefined || found.id === id
    const changes = streamOf<ResourceChange>(
      (push) => node.resources.watch(type, push),
      call.signal,
    )
    const present = node.resources.list(type).filter(wanted)
    // Since version 1 of the watch, an empty message says that it has started.
    if (request.apiVersion >= 1) yield { event: [] }
    // A watch of one resource always begins with what it is; one of a kind only when asked.
    if (id !== undefined || options?.bootstrapContents) {
      for (const found of present) {
        yield { event: [{ eventType: EventType.CREATED, resource: message(found) }] }
      }
      if (id === undefined) yield { event: [{ eventType: EventType.BOOTSTRAPPED }] }
    }
    for await (const change of changes) {
      if (wanted(change.resource)) yield { event: [event(change)] }
    }
  }),
  unary(State.method.create, refuseWrite),
  unary(State.method.update, refuseWrite),
  unary(State.method.destroy, refuseWrite),
]

/** Facts: the same policy gives no client of the API leave to write, whoever it is. */
function refuseWrite(): never {
  throw new RpcError(status.PERMISSION_DENIED, 'write access is not allowed')
}

/** Facts: Talos's access policy for resources. */
function checkPolicy(type: string, namespace: string, { roles }: Call): void {
  const known = resourceTypes[type]
  if (known === undefined) {
    const problem = `resource type "${type}" is not supported`
    throw new RpcError(status.PERMISSION_DENIED, problem)
  }
  if (known.sensitive && !roles.has('os:admin')) {
    throw new RpcError(status.PERMISSION_DENIED, 'not authorized')
  }
  if (known.namespace !== namespace) {
    const problem = `namespace "${namespace}" is not supported`
    throw new RpcError(status.PERMISSION_DENIED, problem)
  }
}

/** Resources have no labels here: whoever asks for one finds none. */
function matches(id: string, options: ListOptions | undefined): boolean {
  if (options?.labelQuery.some(({ terms }) => terms.length > 0)) return false
  const pattern = options?.idQuery?.regexp ?? ''
  return pattern === '' || new RegExp(pattern).test(id)
}

function event(change: ResourceChange) {
  const types = {
    created: EventType.CREATED,
    updated: EventType.UPDATED,
    destroyed: EventType.DESTROYED,
  }
  return {
    eventType: types[change.kind],
    resource: message(change.resource),
    ...(change.kind === 'updated' ? { old: message(change.old) } : {}),
  }
}

function message({ namespace, type, id, yaml, version, created, updated }: StoredResource) {
  return {
    metadata: {
      namespace,
      type,
      id,
      version: String(version),
      owner: '',
      phase: 'running',
      created: timestampFromMs(created),
      updated: timestampFromMs(updated),
    },
    spec: { yamlSpec: yaml },
  }
}
