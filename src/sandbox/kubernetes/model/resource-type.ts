import type { StructSchema } from '../schema/schema.ts'

/** A column that `kubectl get` shows, computed by a JSONPath of a CRD. */
export interface PrinterColumn {
  readonly name: string
  readonly type: string
  readonly description: string
  readonly priority: number
  readonly jsonPath: string
}

/** One kind under one API version, as discovery tells of it. */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  /** `status`, `scale`, `eviction`, `log`, `approval`, ... */
  readonly subresources: readonly string[]
  readonly schema: StructSchema
  /** What a CRD wants to be shown; built-in kinds have columns of their own. */
  readonly columns?: readonly PrinterColumn[]
  /** Only create: reviews, which are answered and not kept. */
  readonly virtual?: boolean
}

/** `deployments.apps`, `pods`: the same for all versions of a resource. */
export function resourceId({ plural, group }: Pick<ResourceType, 'plural' | 'group'>): string {
  return group === '' ? plural : `${plural}.${group}`
}

export function apiVersionOf({ group, version }: Pick<ResourceType, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}

export function hasStatus(type: ResourceType): boolean {
  return type.subresources.includes('status')
}
