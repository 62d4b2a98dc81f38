import { isJsonObject } from '../lib/json.ts'
import {
  describeRef,
  type KubernetesObject,
  type ObjectRef,
  refOf,
  textAt,
  textsAt,
} from '../lib/kubernetes-object.ts'
import { waitFor } from '../lib/wait-for.ts'
import { type SetEnvironment, waitForKinds } from './apply-set.ts'
import { inApplyOrder, isPrecious } from './kind-order.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { notReadyBecause } from './readiness.ts'

export interface SyncOptions extends SetEnvironment {
  /** Whether the cluster keeps Talos's inventory of its manifests, as it does since Talos 1.13. */
  readonly inventory: boolean
  /** Whether to wait until workloads are rolled out. */
  readonly rollout: boolean
  /** How long that may take, in milliseconds. */
  readonly withinMs: number
}

/** Talos's own: what it made and what it brings in line have one owner of fields. */
const fieldManager = 'talos'
const inventoryName = 'talos-bootstrap-manifests-inventory'
const inventoryRef: ObjectRef = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'kube-system',
  name: inventoryName,
}
const owningInventory = 'config.k8s.io/owning-inventory'

/**
 * Brings Talos's bootstrap manifests in a cluster in line with what its nodes hold, as the last step of
 * `talosctl upgrade-k8s` does: applied server-side in Talos's name, what left Talos's inventory removed
 * (where there is one), then the rollout awaited. Nodes only make what is missing. May be repeated.
 */
export async function syncBootstrapManifests(
  client: KubernetesClient,
  manifests: readonly KubernetesObject[],
  options: SyncOptions,
): Promise<{ changed: readonly ObjectRef[]; removed: readonly ObjectRef[] }> {
  const objects = manifests.map((object) => (options.inventory ? withOwner(object) : object))
  const changed: ObjectRef[] = []
  for (const group of inApplyOrder(objects)) {
    options.signal?.throwIfAborted()
    for (const object of group) {
      const before = await client.get(refOf(object))
      const after = await client.applyServerSide(object, { fieldManager, force: true })
      if (versionOf(before) === versionOf(after)) continue
      changed.push(refOf(after))
      options.onStep?.(`${describeRef(refOf(after))} ${before ? 'changed' : 'made'}`)
    }
    const kinds = group.filter(({ kind }) => kind === 'CustomResourceDefinition')
    if (kinds.length > 0) await waitForKinds(client, kinds.map(refOf), options)
  }
  const removed = options.inventory ? await prune(client, objects) : []
  if (options.rollout) await waitForRollout(client, objects, options)
  return { changed, removed }
}

function withOwner(object: KubernetesObject): KubernetesObject {
  const annotations = {
    ...textsAt(object, 'metadata', 'annotations'),
    [owningInventory]: inventoryName,
  }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

async function prune(
  client: KubernetesClient,
  objects: readonly KubernetesObject[],
): Promise<ObjectRef[]> {
  const data = (await client.get(inventoryRef))?.['data']
  const former = isJsonObject(data) ? Object.keys(data) : []
  const keys = objects.map(inventoryKey)
  const removed: ObjectRef[] = []
  for (const key of former.filter((known) => !keys.includes(known))) {
    const ref = await refOfKey(client, key)
    const live = ref && (await client.get(ref))
    if (!ref || !live || isPrecious(ref.kind)) continue
    // Without Talos's mark it is somebody else's by now.
    if (textsAt(live, 'metadata', 'annotations')[owningInventory] !== inventoryName) continue
    if (await client.delete(ref, { uid: textAt(live, 'metadata', 'uid') ?? '' })) removed.push(ref)
  }
  const { apiVersion, kind, namespace = '', name } = inventoryRef
  await client.applyServerSide(
    {
      apiVersion,
      kind,
      metadata: { name, namespace },
      data: Object.fromEntries(keys.map((key) => [key, ''])),
    },
    { fieldManager, force: true },
  )
  return removed
}

/** `kube-system_coredns_apps_Deployment`, as the inventories of cli-utils name objects; colons do not go into keys. */
function inventoryKey(object: KubernetesObject): string {
  const { apiVersion, kind, namespace = '', name } = refOf(object)
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : ''
  return `${namespace}_${name.replaceAll(':', '__')}_${group}_${kind}`
}

async function refOfKey(client: KubernetesClient, key: string): Promise<ObjectRef | undefined> {
  const match = /^([^_]*)_(.+)_([^_]*)_([^_]+)$/.exec(key)
  if (!match) return undefined
  const [, namespace = '', name = '', group = '', kind = ''] = match
  const { apiVersions, resourceOf } = await client.discovery()
  const apiVersion = apiVersions.find((version) => {
    const own = version.includes('/') ? version.split('/')[0] : ''
    return own === group && resourceOf(version, kind) !== undefined
  })
  if (apiVersion === undefined) return undefined
  return {
    apiVersion,
    kind,
    name: name.replaceAll('__', ':'),
    ...(namespace === '' ? {} : { namespace }),
  }
}

async function waitForRollout(
  client: KubernetesClient,
  objects: readonly KubernetesObject[],
  { clock, signal, withinMs, onStep }: SyncOptions,
): Promise<void> {
  const workloads = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'DaemonSet')
  await waitFor(
    'what Talos brings into the cluster to be rolled out',
    async () => {
      for (const object of workloads) {
        const live = await client.get(refOf(object))
        const reason = live ? notReadyBecause(live) : 'it is not there'
        if (reason !== undefined) return { pending: `${describeRef(refOf(object))}: ${reason}` }
      }
      return { done: undefined }
    },
    {
      clock,
      signal,
      withinMs,
      everyMs: 2_000,
      hint: 'Look at its pods with `hcloud-talos talos containers -k`, and at the log of one with `hcloud-talos talos logs -k`.',
      ...(onStep && { onPending: onStep }),
    },
  )
}

function versionOf(object: KubernetesObject | undefined): string | undefined {
  return object && textAt(object, 'metadata', 'resourceVersion')
}
