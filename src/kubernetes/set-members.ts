import type { KubernetesObject, ObjectRef } from '../lib/kubernetes-object.ts'
import { fieldAt, refOf, textAt } from '../lib/kubernetes-object.ts'
import { createLimit } from '../lib/limit.ts'
import type { ObjectSet } from '../lib/object-set.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { prepareObject } from './prepare-object.ts'
import { memberLabel, refKey, type SetInventory, setId } from './set-inventory.ts'

/** Objects of a set as they are applied, each in the scope of its kind. */
export async function prepareAll(
  client: KubernetesClient,
  set: ObjectSet,
  objects: readonly KubernetesObject[],
): Promise<KubernetesObject[]> {
  const { resourceOf } = await client.discovery()
  const own = scopesOfOwnKinds(set.objects)
  return objects.map((object) => {
    const { apiVersion, kind } = object
    const namespaced =
      resourceOf(apiVersion, kind)?.namespaced ??
      own.get(`${apiVersion.split('/')[0]}/${kind}`) ??
      object.metadata['namespace'] !== undefined
    return prepareObject(object, set, namespaced)
  })
}

/** Whether the kinds that a set brings along itself, which no server knows yet, live in namespaces. */
function scopesOfOwnKinds(objects: readonly KubernetesObject[]): Map<string, boolean> {
  return new Map(
    objects
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map((definition) => [
        `${textAt(definition, 'spec', 'group')}/${textAt(definition, 'spec', 'names', 'kind')}`,
        textAt(definition, 'spec', 'scope') === 'Namespaced',
      ]),
  )
}

/** The members of a set that exist and carry its label, by key. */
export async function liveMembers(
  client: KubernetesClient,
  set: string,
  refs: readonly ObjectRef[],
): Promise<Map<string, KubernetesObject>> {
  const { resourceOf } = await client.discovery()
  const kinds = new Map(
    refs.map(({ apiVersion, kind }) => [`${apiVersion}/${kind}`, { apiVersion, kind }]),
  )
  const limit = createLimit(8)
  const lists = await Promise.all(
    [...kinds.values()]
      .filter(({ apiVersion, kind }) => resourceOf(apiVersion, kind))
      .map((query) =>
        limit(() => client.list({ ...query, labelSelector: `${memberLabel}=${setId(set)}` })),
      ),
  )
  return new Map(lists.flat().map((object) => [refKey(refOf(object)), object]))
}

/**
 * A Job that was run to its end and then removed by its own time limit: gone, but not missing. To
 * apply it again would run it again, at each run.
 */
export function isSpentJob(
  object: KubernetesObject,
  { ran }: SetInventory,
  live: ReadonlyMap<string, KubernetesObject>,
): boolean {
  const key = refKey(refOf(object))
  return endsByItself(object) && ran.includes(key) && !live.has(key)
}

/** Whether a finished Job may go away by itself. */
export function endsByItself(object: KubernetesObject): boolean {
  return object.kind === 'Job' && fieldAt(object, 'spec', 'ttlSecondsAfterFinished') !== undefined
}
