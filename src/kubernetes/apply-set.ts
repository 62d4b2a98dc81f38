import { jsonDigest } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import {
  describeRef,
  fieldAt,
  type KubernetesObject,
  type ObjectRef,
  refOf,
  textAt,
  textsAt,
} from '../lib/kubernetes-object.ts'
import { createLimit } from '../lib/limit.ts'
import type { ObjectSet, SetResult } from '../lib/object-set.ts'
import { waitFor } from '../lib/wait-for.ts'
import { isApiRefusal } from './api-refusal.ts'
import { inApplyOrder, isPrecious } from './kind-order.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { prepareObject } from './prepare-object.ts'
import { notReadyBecause } from './readiness.ts'
import { runHooks } from './run-hooks.ts'
import {
  inventoryObject,
  inventoryRef,
  memberLabel,
  readInventory,
  refKey,
  type SetInventory,
  setId,
} from './set-inventory.ts'

export const fieldManager = 'hcloud-talos'

export interface SetEnvironment {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  readonly onStep?: (message: string) => void
}

/** How many objects are applied at once; the API server does not mind, the runner's log does not care. */
const concurrency = 8

/**
 * Makes a cluster hold exactly this set: applies every object by server-side apply, kind after kind,
 * and removes members of before that are no longer in it. What the set has or had is written down
 * before anything is changed, so a run that is killed leaves nothing that the next one cannot find.
 * A set that is in place already costs requests but changes nothing. Throws `kubernetes-refused`, and
 * `addon-failed` where an object must be replaced by hand.
 */
export async function applySet(
  client: KubernetesClient,
  set: ObjectSet,
  environment: SetEnvironment,
): Promise<SetResult> {
  const former = readInventory(await client.get(inventoryRef(set.name)))
  const hooks = await prepareAll(client, set, [...set.hooks.before, ...set.hooks.after])
  const objects = await prepareAll(client, set, set.objects)
  const members = [...objects, ...hooks].map(refOf)
  await writeInventory(client, set.name, { ...former, members: union(former.members, members) })

  const before = await liveMembers(client, set.name, union(former.members, members))
  const digest = hooks.length === 0 ? '' : jsonDigest(hooks)
  const runsHooks = digest !== former.hooks
  if (runsHooks) await runHooks(client, hooks.slice(0, set.hooks.before.length), true, environment)

  const applied = await applyInOrder(client, set, objects, { former, before, environment })

  if (runsHooks) await runHooks(client, hooks.slice(set.hooks.before.length), false, environment)
  const unwanted = former.members.filter((ref) => !members.some((one) => sameRef(one, ref)))
  const pruned = await prune(client, set.name, unwanted)
  const ran = objects.filter(endsByItself).map((job) => refKey(refOf(job)))
  await writeInventory(client, set.name, { members, hooks: digest, ran })
  return { ...applied, ...pruned }
}

/** Removes every member of a set but the precious ones, then forgets the set. */
export async function removeSet(client: KubernetesClient, name: string): Promise<SetResult> {
  const inventory = await client.get(inventoryRef(name))
  const pruned = await prune(client, name, readInventory(inventory).members)
  if (inventory) await client.delete(inventoryRef(name), uidOf(inventory))
  return { created: [], changed: [], unchanged: 0, ...pruned }
}

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
  const limit = createLimit(concurrency)
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

function endsByItself(object: KubernetesObject): boolean {
  return object.kind === 'Job' && fieldAt(object, 'spec', 'ttlSecondsAfterFinished') !== undefined
}

interface ApplyContext {
  readonly former: SetInventory
  readonly before: ReadonlyMap<string, KubernetesObject>
  readonly environment: SetEnvironment
}

async function applyInOrder(
  client: KubernetesClient,
  set: ObjectSet,
  objects: readonly KubernetesObject[],
  { former, before, environment }: ApplyContext,
): Promise<Pick<SetResult, 'created' | 'changed' | 'unchanged'>> {
  const created: ObjectRef[] = []
  const changed: ObjectRef[] = []
  const due = objects.filter((object) => !isSpentJob(object, former, before))
  const limit = createLimit(concurrency)
  for (const group of inApplyOrder(due)) {
    environment.signal?.throwIfAborted()
    environment.onStep?.(`applying ${group.length} of ${due.length} objects of ${set.name}`)
    const results = await Promise.all(group.map((object) => limit(() => applyOne(client, object))))
    for (const after of results) {
      const ref = refOf(after)
      const known = before.get(refKey(ref))
      if (!known) created.push(ref)
      else if (versionOf(known) !== versionOf(after)) changed.push(ref)
    }
    if (group.some(({ kind }) => kind === 'CustomResourceDefinition')) {
      await waitForKinds(client, group.map(refOf), environment)
    }
  }
  return { created, changed, unchanged: objects.length - created.length - changed.length }
}

async function applyOne(
  client: KubernetesClient,
  object: KubernetesObject,
): Promise<KubernetesObject> {
  try {
    return await client.applyServerSide(object, { fieldManager, force: true })
  } catch (error) {
    if (!isApiRefusal(error, 422) || !/immutable/.test(error.message)) throw error
    throw new ClusterError(
      'addon-failed',
      `${describeRef(refOf(object))} cannot be changed in place: ${error.message}`,
      {
        operation: 'apply',
        target: describeRef(refOf(object)),
        cause: error,
        hint: 'Delete it (kubectl delete) and run again: it is made anew.',
      },
    )
  }
}

async function waitForKinds(
  client: KubernetesClient,
  refs: readonly ObjectRef[],
  { clock, signal }: SetEnvironment,
): Promise<void> {
  await waitFor(
    'new kinds to be established',
    async () => {
      for (const ref of refs) {
        const kind = await client.get(ref)
        const reason = kind ? notReadyBecause(kind) : 'it is not there yet'
        if (reason !== undefined) return { pending: `${describeRef(ref)}: ${reason}` }
      }
      return { done: undefined }
    },
    { clock, signal, everyMs: 500, withinMs: 60_000 },
  )
  client.refreshDiscovery()
}

async function prune(
  client: KubernetesClient,
  set: string,
  refs: readonly ObjectRef[],
): Promise<Pick<SetResult, 'removed' | 'kept'>> {
  const live = await liveMembers(client, set, refs)
  const removed: ObjectRef[] = []
  const kept: ObjectRef[] = []
  for (const group of inApplyOrder(refs).reverse()) {
    await Promise.all(
      group.map(async (ref) => {
        // Without our label it is somebody else's by now, whatever the inventory says.
        const object = live.get(refKey(ref))
        if (!object) return
        if (isPrecious(ref.kind) || wantsToStay(object)) kept.push(ref)
        else if (await client.delete(ref, uidOf(object))) removed.push(ref)
      }),
    )
  }
  return { removed, kept }
}

function wantsToStay(object: KubernetesObject): boolean {
  return textsAt(object, 'metadata', 'annotations')['helm.sh/resource-policy'] === 'keep'
}

async function writeInventory(
  client: KubernetesClient,
  set: string,
  inventory: SetInventory,
): Promise<void> {
  await client.applyServerSide(inventoryObject(set, inventory), { fieldManager, force: true })
}

function uidOf(object: KubernetesObject): { uid?: string } {
  const uid = textAt(object, 'metadata', 'uid')
  return uid === undefined ? {} : { uid }
}

function versionOf(object: KubernetesObject): string | undefined {
  return textAt(object, 'metadata', 'resourceVersion')
}

function sameRef(a: ObjectRef, b: ObjectRef): boolean {
  return refKey(a) === refKey(b)
}

function union(a: readonly ObjectRef[], b: readonly ObjectRef[]): ObjectRef[] {
  return [...new Map([...a, ...b].map((ref) => [refKey(ref), ref])).values()]
}
