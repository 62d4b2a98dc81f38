import { parse } from 'yaml'
import { isJsonObject, type Json } from '../../lib/json.ts'
import type { Resource } from '../../talos/api/gen/cosi/resource_pb.js'
import { EventType } from '../../talos/api/gen/cosi/state_pb.js'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import type { ReachedNode } from './reached-cluster.ts'
import type { TalosReport } from './report.ts'
import { findDefinition, type ResourceDefinition } from './resource-definition.ts'

export interface GetRequest {
  /** `members`, `mc`, `MachineStatuses.runtime.talos.dev`. */
  readonly kind: string
  readonly id: string | undefined
  /** Where it is not the kind's own. */
  readonly namespace: string | undefined
}

/** A node as a reader and, for kinds that hold secrets, as an admin: nobody else may read those. */
export type ResourceSource = Pick<ReachedNode, 'api' | 'asAdmin'>

/** Resources of a node: one, or every one of a kind, with the least role that may read it. */
export async function resourceReport(
  node: ResourceSource,
  request: GetRequest,
): Promise<TalosReport> {
  const definition = await definitionOf(node.api, request)
  const api = definition.sensitive ? node.asAdmin() : node.api
  const found: Resource[] = []
  if (request.id === undefined) {
    for await (const { resource } of api.resources.list(definition))
      if (resource) found.push(resource)
  } else {
    const { resource } = await api.resources.get(definition, request.id)
    if (resource) found.push(resource)
  }
  return {
    columns: resourceColumns(definition),
    rows: found.map((resource) => resourceRow(definition, resource)),
    data: found.map(resourceData),
  }
}

/** What becomes of resources from now on, each with a sign: `+` new, `~` changed, `-` gone. */
export async function* watchResources(
  node: ResourceSource,
  request: GetRequest,
): AsyncGenerator<{ readonly sign: string; readonly row: readonly string[]; readonly data: Json }> {
  const definition = await definitionOf(node.api, request)
  const api = definition.sensitive ? node.asAdmin() : node.api
  const { id } = request
  const query = { fromPresent: true, ...(id !== undefined && { id }) }
  for await (const { event } of api.resources.watch(definition, query, {
    timeoutMs: Number.POSITIVE_INFINITY,
  })) {
    for (const { eventType, resource, error } of event) {
      if (error) throw new Error(`the watch has ended: ${error}`)
      const sign = signs[eventType]
      if (!resource || sign === undefined) continue
      yield { sign, row: resourceRow(definition, resource), data: resourceData(resource) }
    }
  }
}

const signs: Readonly<Partial<Record<EventType, string>>> = {
  [EventType.CREATED]: '+',
  [EventType.UPDATED]: '~',
  [EventType.DESTROYED]: '-',
}

async function definitionOf(
  api: TalosApi,
  { kind, namespace }: GetRequest,
): Promise<ResourceDefinition> {
  const definition = await findDefinition(api, kind)
  return namespace === undefined ? definition : { ...definition, namespace }
}

function resourceColumns({ columns }: ResourceDefinition): string[] {
  return ['NAMESPACE', 'TYPE', 'ID', 'VERSION', ...columns.map(({ name }) => name.toUpperCase())]
}

function resourceRow(
  { columns, type }: ResourceDefinition,
  { metadata, spec }: Resource,
): string[] {
  const value: unknown = parse(spec?.yamlSpec ?? '')
  return [
    metadata?.namespace ?? '',
    type.split('.')[0] ?? '',
    metadata?.id ?? '',
    metadata?.version ?? '',
    ...columns.map(({ path }) => cellOf(valueAt(value, path))),
  ]
}

function resourceData({ metadata, spec }: Resource): Json {
  const value: Json = parse(spec?.yamlSpec ?? '')
  const { namespace = '', type = '', id = '', version = '', phase = '' } = metadata ?? {}
  return { metadata: { namespace, type, id, version, phase }, spec: value }
}

/** What stands at a path such as `{.status.ready}`: what of JSONPath Talos's own columns use. */
function valueAt(value: unknown, path: string): unknown {
  const keys = path
    .replace(/^\{\.?|\}$/g, '')
    .split('.')
    .filter(Boolean)
  return keys.reduce<unknown>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value)
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
