/**
 * What server-side apply has to know of a type: where its lists and maps may be shared by several
 * managers, and by which keys list items are told apart (structured merge, as Kubernetes has it).
 */
export type Schema = ScalarSchema | StructSchema | MapSchema | ListSchema | AnySchema

/** `scalar` is a quantity, or an integer-or-text. */
export interface ScalarSchema {
  readonly kind: 'string' | 'number' | 'boolean' | 'scalar'
}

/** Exactly these fields. An atomic struct is owned as a whole. */
export interface StructSchema {
  readonly kind: 'struct'
  readonly fields: ReadonlyMap<string, Schema>
  readonly atomic: boolean
  /** Custom resources may keep fields that no schema names. */
  readonly open?: boolean
}

export interface MapSchema {
  readonly kind: 'map'
  readonly value: Schema
  readonly atomic: boolean
}

export interface ListKey {
  readonly name: string
  /** What the key counts as where an item leaves it out. */
  readonly fallback?: string
}

export interface ListSchema {
  readonly kind: 'list'
  readonly item: Schema
  readonly mode: 'atomic' | 'set' | 'map'
  readonly keys: readonly ListKey[]
}

/** Whatever it is: maps are merged, lists are atomic. */
export interface AnySchema {
  readonly kind: 'any'
}

export const anything: AnySchema = { kind: 'any' }
