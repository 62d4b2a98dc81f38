import { status } from '@grpc/grpc-js'
import { parse } from 'yaml'
import type { Resource } from './gen/cosi/resource_pb.js'
import { State } from './gen/cosi/state_pb.js'
import type { CallOptions, TalosCaller } from './talos-caller.ts'
import { statusCode } from './talos-status.ts'

/** Which kind of resource: see the tables of Talos's documentation, or `talosctl get rd`. */
export interface ResourceType {
  readonly namespace: string
  /** `MachineStatuses.runtime.talos.dev`. */
  readonly type: string
}

export interface NodeResource {
  readonly id: string
  readonly version: string
  /** As the node wrote it in YAML, parsed. */
  readonly spec: unknown
}

/** One resource of a node; undefined when there is none of this id. */
export async function getResource(
  client: TalosCaller,
  { namespace, type }: ResourceType,
  id: string,
  options?: CallOptions,
): Promise<NodeResource | undefined> {
  try {
    const { resource } = await client.unary(State.method.get, { namespace, type, id }, options)
    return resource && toNodeResource(resource)
  } catch (error) {
    if (statusCode(error) === status.NOT_FOUND) return undefined
    throw error
  }
}

/** Every resource of a type on a node. */
export async function listResources(
  client: TalosCaller,
  { namespace, type }: ResourceType,
  options?: CallOptions,
): Promise<readonly NodeResource[]> {
  const resources: NodeResource[] = []
  for await (const { resource } of client.stream(State.method.list, { namespace, type }, options)) {
    if (resource) resources.push(toNodeResource(resource))
  }
  return resources
}

function toNodeResource({ metadata, spec }: Resource): NodeResource {
  return {
    id: metadata?.id ?? '',
    version: metadata?.version ?? '',
    spec: parse(spec?.yamlSpec ?? '', { prettyErrors: false }),
  }
}
