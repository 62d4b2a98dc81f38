import { jsonDigest } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'
import { isJsonObject, type JsonObject } from '../lib/json.ts'
import { listAt, textAt } from '../lib/kubernetes-object.ts'
import type { Random } from '../lib/random.ts'
import { retry } from '../lib/retry.ts'
import type { Taint } from '../spec/cluster-spec.ts'
import { isApiRefusal } from './api-refusal.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { nodeRef } from './nodes.ts'

/**
 * Brings a node that has joined from the taints that it was given before to those that it is to have;
 * a kubelet only registers with them, and may not change them later. Taints of others stay. Returns
 * whether anything was changed; a node that has not joined yet registers with the new ones.
 */
export async function syncTaints(
  client: KubernetesClient,
  name: string,
  { former, wanted }: { readonly former: readonly Taint[]; readonly wanted: readonly Taint[] },
  environment: { readonly clock: Clock; readonly random: Random; readonly signal?: AbortSignal },
): Promise<boolean> {
  return retry(
    async () => {
      const node = await client.get(nodeRef(name))
      if (!node) return false
      const current = listAt(node, 'spec', 'taints').filter(isJsonObject)
      const ours = new Set([...former, ...wanted].map(identityOf))
      // As they are: the node controller writes down when it added its own.
      const others = current.filter((taint) => !ours.has(identityOf(taint)))
      const taints = [...others, ...wanted.map(plain)]
      if (jsonDigest(sorted(taints)) === jsonDigest(sorted(current))) return false
      // The version makes it fail where a controller was faster: a list is replaced as a whole.
      const resourceVersion = textAt(node, 'metadata', 'resourceVersion') ?? null
      await client.patch(nodeRef(name), { metadata: { resourceVersion }, spec: { taints } })
      return true
    },
    { retries: 5, baseMs: 200, maxMs: 3_000, retryable: (error) => isApiRefusal(error, 409) },
    environment,
  )
}

/** Kubernetes knows one taint for each key and effect. */
function identityOf({ key, effect }: JsonObject | Taint): string {
  return `${String(key)}:${String(effect)}`
}

function sorted(taints: readonly JsonObject[]): JsonObject[] {
  return taints.toSorted((a, b) => identityOf(a).localeCompare(identityOf(b)))
}

function plain({ key, value, effect }: Taint): JsonObject {
  return { key, ...(value !== undefined && { value }), effect }
}
