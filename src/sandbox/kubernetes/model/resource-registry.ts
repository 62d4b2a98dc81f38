import { builtinResources } from './builtin-resources.ts'
import { type ResourceType, resourceId } from './resource-type.ts'

/** Which resources the API serves now: the built-in ones, and those of CustomResourceDefinitions. */
export class ResourceRegistry {
  readonly #types = new Map<string, ResourceType[]>()

  constructor() {
    for (const type of builtinResources()) this.add([type])
  }

  /** All versions of one resource, the stored one first; replaces what was there under that name. */
  add(versions: readonly [ResourceType, ...ResourceType[]]): void {
    this.#types.set(resourceId(versions[0]), [...versions])
  }

  remove(id: string): void {
    this.#types.delete(id)
  }

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#types.get(resourceId({ plural, group }))?.find((type) => type.version === version)
  }

  /** The stored version of a resource, e.g. `deployments.apps`. */
  stored(id: string): ResourceType | undefined {
    return this.#types.get(id)?.[0]
  }

  /** As `stored`, for resources that are always there. */
  builtin(id: string): ResourceType {
    const type = this.stored(id)
    if (!type) throw new Error(`no resource ${id}`)
    return type
  }

  /** The resource of a kind, in any version where `version` is absent. */
  byKind(group: string, kind: string, version?: string): ResourceType | undefined {
    return this.all().find(
      (type) =>
        type.group === group &&
        type.kind === kind &&
        (version === undefined || type.version === version),
    )
  }

  /** The resource that an object's apiVersion and kind name. */
  ofKind(apiVersion: string, kind: string): ResourceType | undefined {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
    return this.byKind(group ?? '', kind, version)
  }

  /** Every resource in every version. */
  all(): ResourceType[] {
    return [...this.#types.values()].flat()
  }
}
