import { type KubernetesObject, type ObjectRef, textAt, textsAt } from '../lib/kubernetes-object.ts'
import type { SetResult } from '../lib/object-set.ts'
import { inApplyOrder, isPrecious } from './kind-order.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { inventoryRef, readInventory, refKey } from './set-inventory.ts'
import { liveMembers } from './set-members.ts'

/** Removes every member of a set but the precious ones, then forgets the set. */
export async function removeSet(client: KubernetesClient, name: string): Promise<SetResult> {
  const inventory = await client.get(inventoryRef(name))
  const pruned = await prune(client, name, readInventory(inventory).members)
  if (inventory) await client.delete(inventoryRef(name), uidOf(inventory))
  return { created: [], changed: [], unchanged: 0, ...pruned }
}

/**
 * Removes these former members of a set, workloads first. Left alone is what is precious, what asks to
 * stay, and what does not carry the set's label any more: somebody else's by now.
 */
export async function prune(
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
        const object = live.get(refKey(ref))
        if (!object) return
        if (staysWhenUnwanted(object)) kept.push(ref)
        else if (await client.delete(ref, uidOf(object))) removed.push(ref)
      }),
    )
  }
  return { removed, kept }
}

/** Whether an object is left where it is although its set does not have it any more. */
export function staysWhenUnwanted(object: KubernetesObject): boolean {
  const annotations = textsAt(object, 'metadata', 'annotations')
  return isPrecious(object.kind) || annotations['helm.sh/resource-policy'] === 'keep'
}

function uidOf(object: KubernetesObject): { uid?: string } {
  const uid = textAt(object, 'metadata', 'uid')
  return uid === undefined ? {} : { uid }
}
