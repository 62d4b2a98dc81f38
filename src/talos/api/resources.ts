import { status } from '@grpc/grpc-js'
import { parse } from 'yaml'
import type { Resource } from './gen/cosi/resource_pb.js'
import type { ResourceType } from './methods/resource-methods.ts'
import { talosApi } from './talos-api.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'
import { statusCode } from './talos-status.ts'

export interface NodeResource {
  readonly id: string
  readonly version: string
  /** As the node wrote it in YAML, parsed. */
  readonly spec: unknown
}

/** One resource of a node; undefined when there is none of this id. */
export async function getResource(
  client: TalosCaller,
  type: ResourceType,
  id: string,
  options?: CallOptions,
): Promise<NodeResource | undefined> {
  try {
    const { resource } = await talosApi(client).resources.get(type, id, options)
    return resource && toNodeResource(resource)
  } catch (error) {
    if (statusCode(error) === status.NOT_FOUND) return undefined
    throw error
  }
}

/** Every resource of a type on a node. */
export async function listResources(
  client: TalosCaller,
  type: ResourceType,
  options?: CallOptions,
): Promise<readonly NodeResource[]> {
  const resources: NodeResource[] = []
  for await (const { resource } of talosApi(client).resources.list(type, {}, options)) {
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
