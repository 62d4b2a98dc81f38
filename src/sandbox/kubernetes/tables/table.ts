import type { Json, JsonObject } from '../../../lib/json.ts'
import type { ApiContext } from '../api/api-context.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { type ResourceType, resourceId } from '../model/resource-type.ts'
import { builtinColumns } from './builtin-columns.ts'
import { ageCell, type Column, customColumns } from './column.ts'

/** Whether a client prefers a table that it can print as it is. */
export function wantsTable(accept: string): boolean {
  return /as=Table/.test(accept.split(',')[0] ?? '') && /v=v1(?!beta)/.test(accept)
}

/** Objects as the table that `kubectl get` prints. */
export function tableOf(
  context: ApiContext,
  type: ResourceType,
  objects: readonly KubeObject[],
  metadata: JsonObject,
  query: URLSearchParams,
): JsonObject {
  const columns = columnsOf(type)
  const include = query.get('includeObject') ?? 'Metadata'
  const now = context.clock.now()
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(({ name, kind = 'string', priority = 0 }) => ({
      name,
      type: kind,
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority,
    })),
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object, now)),
      object: included(object, include),
    })),
  }
}

function columnsOf(type: ResourceType): readonly Column[] {
  if (type.columns !== undefined) return customColumns(type.columns)
  return builtinColumns[resourceId(type)] ?? generic
}

const generic: readonly Column[] = [
  { name: 'Name', cell: ({ metadata }) => metadata.name },
  { name: 'Age', cell: ageCell },
]

function included(object: KubeObject, include: string): Json {
  if (include === 'None') return null
  if (include === 'Object') return object
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: object.metadata,
  }
}
