import type { Resource } from '../gen/cosi/resource_pb.js'
import { type CreateOptions, State } from '../gen/cosi/state_pb.js'
import type { CallOptions, TalosCaller } from '../talos-caller.ts'

const { method } = State

/** Which kind of resource: see the tables of Talos's documentation, or `talosctl get rd`. */
export interface ResourceType {
  readonly namespace: string
  /** `MachineStatuses.runtime.talos.dev`. */
  readonly type: string
}

/** Which resources of a kind; all where nothing is given. */
export interface ResourceQuery {
  /** Whose labels have these values. */
  readonly labels?: Readonly<Record<string, string>>
  /** Whose id matches this regular expression (RE2). */
  readonly id?: string
}

export interface WatchQuery {
  /** One alone; what it is comes first. Every one of the kind where it is not given. */
  readonly id?: string
  /** For a kind: begins with those that are there, and then an event BOOTSTRAPPED. */
  readonly fromPresent?: boolean
  /** Begins with so many events of the past. */
  readonly tailEvents?: number
}

type WrittenResource = Pick<Resource, 'metadata' | 'spec'>

/** The owner of what a client writes, where a controller must not have it. */
type Ownership = Pick<CreateOptions, 'owner'>

/**
 * A node's resources (COSI). Specs come as YAML. Reading is for os:reader, sensitive kinds and writing for
 * os:admin; of a node's own kinds Talos lets no client write any.
 */
export function resourceMethods(caller: TalosCaller) {
  return {
    /** One of them; `talos-refused` with NOT_FOUND when there is none of this id. */
    get: ({ namespace, type }: ResourceType, id: string, options?: CallOptions) =>
      caller.unary(method.get, { namespace, type, id }, options),

    /** Every one of a kind. */
    list: ({ namespace, type }: ResourceType, query: ResourceQuery = {}, options?: CallOptions) =>
      caller.stream(method.list, { namespace, type, options: selected(query) }, options),

    /** What becomes of them from now on; never ends by itself. */
    watch: (
      { namespace, type }: ResourceType,
      { id, fromPresent = false, tailEvents = 0 }: WatchQuery = {},
      options?: CallOptions,
    ) =>
      caller.stream(
        method.watch,
        {
          namespace,
          type,
          ...(id !== undefined && { id }),
          // Talos refuses it for one resource, which comes first in any case.
          options: { bootstrapContents: fromPresent && id === undefined, tailEvents },
          // Since this version an empty answer says that the watch has started.
          apiVersion: 1,
        },
        options,
      ),

    create: (resource: WrittenResource, { owner }: Ownership, options?: CallOptions) =>
      caller.unary(method.create, { resource, options: { owner } }, options),

    /** Refused when the version of `resource` is not that which is there. */
    update: (resource: WrittenResource, { owner }: Ownership, options?: CallOptions) =>
      caller.unary(method.update, { newResource: resource, options: { owner } }, options),

    destroy: (
      { namespace, type }: ResourceType,
      id: string,
      { owner }: Ownership,
      options?: CallOptions,
    ) => caller.unary(method.destroy, { namespace, type, id, options: { owner } }, options),
  }
}

function selected({ labels = {}, id }: ResourceQuery) {
  const terms = Object.entries(labels).map(([key, value]) => ({ key, op: 1, value: [value] }))
  return {
    ...(terms.length > 0 && { labelQuery: [{ terms }] }),
    ...(id !== undefined && { idQuery: { regexp: id } }),
  }
}
