import { status } from '@grpc/grpc-js'
import { parse } from 'yaml'
import type { Resource } from './gen/cosi/resource_pb.js'
import type { ResourceType } from './methods/resource-methods.ts'
import { type TalosApi, talosApi } from './talos-api.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'
import { statusCode } from './talos-status.ts'

export interface NodeResource {
  readonly id: string
  readonly version: string
  /** As the node wrote it in YAML, parsed. */
  readonly spec: unknown
}

/** One resource of a node; undefined when there is none of this id. */
export function getResource(
  client: TalosCaller,
  type: ResourceType,
  id: string,
  options?: CallOptions,
): Promise<NodeResource | undefined> {
  return findResource(talosApi(client), type, id, options)
}

/** The same for who has the API of the node already. */
export async function findResource(
  { resources }: Pick<TalosApi, 'resources'>,
  type: ResourceType,
  id: string,
  options?: CallOptions,
): Promise<NodeResource | undefined> {
  try {
    const { resource } = await resources.get(type, id, options)
    return resource && toNodeResource(resource)
  } catch (error) {
    if (statusCode(error) === status.NOT_FOUND) return undefined
    throw error
  }
}

/** Every resource of a type on a node. */
export function listResources(
  client: TalosCaller,
  type: ResourceType,
  options?: CallOptions,
): Promise<readonly NodeResource[]> {
  return resourcesOf(talosApi(client), type, options)
}

/** The same for who has the API of the node already. */
export async function resourcesOf(
  { resources }: Pick<TalosApi, 'resources'>,
  type: ResourceType,
  options?: CallOptions,
): Promise<readonly NodeResource[]> {
  const found: NodeResource[] = []
  for await (const { resource } of resources.list(type, {}, options)) {
    if (resource) found.push(toNodeResource(resource))
  }
  return found
}

function toNodeResource({ metadata, spec }: Resource): NodeResource {
  return {
    id: metadata?.id ?? '',
    version: metadata?.version ?? '',
    spec: parse(spec?.yamlSpec ?? '', { prettyErrors: false }),
  }
}
