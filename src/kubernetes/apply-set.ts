import { jsonDigest } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import {
  describeRef,
  type KubernetesObject,
  type ObjectRef,
  refOf,
  textAt,
} from '../lib/kubernetes-object.ts'
import { createLimit } from '../lib/limit.ts'
import type { ObjectSet, SetResult } from '../lib/object-set.ts'
import { waitFor } from '../lib/wait-for.ts'
import { isApiRefusal } from './api-refusal.ts'
import { inApplyOrder } from './kind-order.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { prune } from './prune-set.ts'
import { notReadyBecause } from './readiness.ts'
import { runHooks } from './run-hooks.ts'
import { withoutScaledReplicas } from './scaled-replicas.ts'
import {
  inventoryObject,
  inventoryRef,
  readInventory,
  refKey,
  type SetInventory,
} from './set-inventory.ts'
import { endsByItself, isSpentJob, liveMembers, prepareAll } from './set-members.ts'

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
  const wanted = new Set(members.map(refKey))
  const unwanted = former.members.filter((ref) => !wanted.has(refKey(ref)))
  const pruned = await prune(client, set.name, unwanted)
  const ran = objects.filter(endsByItself).map((job) => refKey(refOf(job)))
  await writeInventory(client, set.name, { members, hooks: digest, ran })
  return { ...applied, ...pruned }
}

/**
 * Applies the kinds that a set defines, and none of its other objects, which stay as they are: other sets may have
 * objects of these kinds and come before it. Waits until they are established. Throws what `applySet` does.
 */
export async function applyDefinitions(
  client: KubernetesClient,
  set: ObjectSet,
  environment: SetEnvironment,
): Promise<SetResult> {
  const definitions = set.objects.filter(isDefinition)
  if (definitions.length === 0) return { ...noResult, unchanged: 0 }
  const former = readInventory(await client.get(inventoryRef(set.name)))
  const objects = await prepareAll(client, set, definitions)
  const members = objects.map(refOf)
  await writeInventory(client, set.name, { ...former, members: union(former.members, members) })
  const before = await liveMembers(client, set.name, members)
  return {
    ...noResult,
    ...(await applyInOrder(client, set, objects, { former, before, environment })),
  }
}

const noResult = { created: [], changed: [], removed: [], kept: [] }

function isDefinition({ kind }: KubernetesObject): boolean {
  return kind === 'CustomResourceDefinition'
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
    const results = await Promise.all(
      group.map((object) =>
        limit(async () => {
          const live = before.get(refKey(refOf(object)))
          return applyOne(client, await withoutScaledReplicas(client, object, live))
        }),
      ),
    )
    for (const after of results) {
      const ref = refOf(after)
      const known = before.get(refKey(ref))
      if (!known) created.push(ref)
      else if (versionOf(known) !== versionOf(after)) changed.push(ref)
    }
    if (group.some(isDefinition)) {
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
        hint: 'Delete it with `kubectl delete`, and run again: it is recreated.',
      },
    )
  }
}

/** Waits until kinds that were just defined can be used, and learns of them. */
export async function waitForKinds(
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

async function writeInventory(
  client: KubernetesClient,
  set: string,
  inventory: SetInventory,
): Promise<void> {
  await client.applyServerSide(inventoryObject(set, inventory), { fieldManager, force: true })
}

function versionOf(object: KubernetesObject): string | undefined {
  return textAt(object, 'metadata', 'resourceVersion')
}

function union(a: readonly ObjectRef[], b: readonly ObjectRef[]): ObjectRef[] {
  return [...new Map([...a, ...b].map((ref) => [refKey(ref), ref])).values()]
}
