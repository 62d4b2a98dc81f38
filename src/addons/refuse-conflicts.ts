import { ClusterError } from '../lib/cluster-error.ts'
import { describeRef, type KubernetesObject, refOf, textsAt } from '../lib/kubernetes-object.ts'
import type { ObjectSet } from '../lib/object-set.ts'
import { definitionsIn, livesInNamespace } from './object-scope.ts'

/** Marks of which a cluster can have one: Kubernetes picks any where there are more. */
const defaultMarks: Readonly<Record<string, string>> = {
  StorageClass: 'storageclass.kubernetes.io/is-default-class',
  IngressClass: 'ingressclass.kubernetes.io/is-default-class',
}

/**
 * Sees before anything is applied that addons do not fight each other: no object is of two, and none of them makes a
 * second default. Throws `addon-failed`.
 */
export function refuseConflicts(sets: Iterable<ObjectSet>): void {
  const all = [...sets]
  const definitions = definitionsIn(all.flatMap(({ objects }) => objects))
  const owners = new Map<string, string>()
  const defaults = new Map<string, { readonly owner: string; readonly name: string }>()
  for (const set of all) {
    for (const object of [...set.objects, ...set.hooks.before, ...set.hooks.after]) {
      const key = keyOf(object, set, definitions)
      const owner = owners.get(key)
      if (owner !== undefined && owner !== set.name) {
        throw conflict(
          `${describeRef(refOf(object))} is an object of both ${owner} and ${set.name}`,
          'Switch it off in one of them by a value of its chart, or remove one of them.',
        )
      }
      owners.set(key, set.name)
      if (!isDefault(object)) continue
      const other = defaults.get(object.kind)
      if (other !== undefined && other.name !== object.metadata.name) {
        throw conflict(
          `two addons make a default ${object.kind}: ${other.name} is one by ${other.owner}, ${object.metadata.name} by ${set.name}`,
          'Keep one as the default, and switch the other off by a value of its chart.',
        )
      }
      defaults.set(object.kind, { owner: set.name, name: object.metadata.name })
    }
  }
}

function isDefault(object: KubernetesObject): boolean {
  const mark = defaultMarks[object.kind]
  return mark !== undefined && textsAt(object, 'metadata', 'annotations')[mark] === 'true'
}

/** The version of its API is not what tells an object from another. */
function keyOf(
  object: KubernetesObject,
  set: ObjectSet,
  definitions: readonly KubernetesObject[],
): string {
  const { apiVersion, kind, namespace, name } = refOf(object)
  const group = apiVersion.includes('/') ? apiVersion.split('/', 1)[0] : ''
  const place = livesInNamespace(object, definitions) ? (namespace ?? set.namespace) : ''
  return [group, kind, place, name].join('/')
}

function conflict(message: string, hint: string): ClusterError {
  return new ClusterError('addon-failed', message, { operation: 'compare addons', hint })
}
