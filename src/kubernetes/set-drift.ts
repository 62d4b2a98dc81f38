import { type KubernetesObject, refOf } from '../lib/kubernetes-object.ts'
import { createLimit } from '../lib/limit.ts'
import type { ObjectSet, SetDrift } from '../lib/object-set.ts'
import { isApiRefusal } from './api-refusal.ts'
import { fieldManager } from './apply-set.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { objectDrift } from './object-drift.ts'
import { staysWhenUnwanted } from './prune-set.ts'
import { withoutScaledReplicas } from './scaled-replicas.ts'
import { inventoryRef, readInventory, refKey } from './set-inventory.ts'
import { isSpentJob, liveMembers, prepareAll } from './set-members.ts'

/**
 * How the cluster differs from a set, found without changing anything: each object is applied as a dry
 * run and compared with what is live. Fields that others added are not drift.
 */
export async function setDrift(client: KubernetesClient, set: ObjectSet): Promise<SetDrift[]> {
  const inventory = readInventory(await client.get(inventoryRef(set.name)))
  const { members } = inventory
  const objects = await prepareAll(client, set, set.objects)
  const hooks = [...set.hooks.before, ...set.hooks.after].map(refOf)
  const live = await liveMembers(client, set.name, [...members, ...objects.map(refOf)])
  const limit = createLimit(8)
  const drifts = await Promise.all(
    objects
      .filter((object) => !isSpentJob(object, inventory, live))
      .map((object) => limit(() => driftOf(client, object))),
  )
  const wanted = new Set([...objects.map(refOf), ...hooks].map(refKey))
  const unwanted = members.filter((ref) => !wanted.has(refKey(ref)) && live.has(refKey(ref)))
  return [
    ...drifts.flat(),
    ...unwanted.map((ref): SetDrift => {
      const object = live.get(refKey(ref))
      const stays = object !== undefined && staysWhenUnwanted(object)
      return { ref, type: 'unwanted', paths: [], ...(stays && { stays }) }
    }),
  ]
}

async function driftOf(client: KubernetesClient, object: KubernetesObject): Promise<SetDrift[]> {
  const ref = refOf(object)
  const { resourceOf } = await client.discovery()
  if (!resourceOf(object.apiVersion, object.kind)) return [{ ref, type: 'missing', paths: [] }]
  const live = await client.get(ref)
  if (!live) return [{ ref, type: 'missing', paths: [] }]
  try {
    const wanted = await withoutScaledReplicas(client, object, live)
    const applied = await client.applyServerSide(wanted, {
      fieldManager,
      force: true,
      dryRun: true,
    })
    const paths = objectDrift(live, applied)
    return paths.length === 0 ? [] : [{ ref, type: 'changed', paths }]
  } catch (error) {
    // What cannot be changed in place differs by that alone.
    if (isApiRefusal(error, 422)) {
      return [{ ref, type: 'changed', paths: error.causes.map((cause) => cause.field) }]
    }
    throw error
  }
}
