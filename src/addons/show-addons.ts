import { isJsonObject, type JsonObject } from '../lib/json.ts'
import type { KubernetesObject } from '../lib/kubernetes-object.ts'
import { hidden } from '../plan/config-secrets.ts'
import type { Inventory } from '../plan/inventory.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { AddonFacts } from './addon.ts'
import { releaseOf } from './addon-release.ts'
import { type AddonTable, enabledAddons } from './catalogue.ts'
import { namespaceSet } from './namespace-set.ts'
import { livesInNamespace } from './object-scope.ts'
import { refuseConflicts } from './refuse-conflicts.ts'
import type { AddonRenderer } from './render-addon.ts'
import { renderWanted } from './render-wanted.ts'

/** An addon as an apply would install it, fit to be printed. */
export interface ShownAddon {
  readonly name: string
  readonly version: string
  /** Its namespace first, unless one before it has the same; then its hooks and objects as they are applied. */
  readonly objects: readonly KubernetesObject[]
  /** Hooks of its chart that are never run. */
  readonly leftOut: readonly string[]
}

/**
 * The objects of all addons of a file, found without a cluster: a chart is asked for what it makes on a cluster of that
 * version with the kinds of these addons and no others. The content of Secrets is hidden. Throws `helm-failed`,
 * `addon-failed`.
 */
export async function showAddons(
  spec: ClusterSpec,
  facts: AddonFacts,
  {
    renderer,
    recorded,
    addons,
  }: {
    /** Leaves references to secrets as they are. */
    readonly renderer: AddonRenderer
    readonly recorded: Inventory['addons']
    readonly addons?: AddonTable
  },
): Promise<ShownAddon[]> {
  const capabilities = { version: `v${spec.kubernetes.version}`, apiVersions: [] }
  const releases = enabledAddons(spec, addons).map((addon) => releaseOf(addon, spec, facts))
  const { sets, namespaces } = await renderWanted(releases, { renderer, capabilities, recorded })
  refuseConflicts(sets.values())
  const definitions = [...sets.values()]
    .flatMap(({ objects }) => objects)
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
  const seen = new Set<string>()
  return releases.map(({ addon: { name, namespace }, version }) => {
    const metadata = seen.has(namespace) ? undefined : namespaces.get(namespace)
    seen.add(namespace)
    const set = sets.get(name)
    const objects = [
      ...(metadata ? namespaceSet(namespace, metadata).objects : []),
      ...(set ? [...set.hooks.before, ...set.objects, ...set.hooks.after] : []),
    ].map((object) => placed(withoutSecrets(object), namespace, definitions))
    return { name, version, objects, leftOut: set?.leftOut ?? [] }
  })
}

/** An object that does not name its namespace gets that of its addon: whoever applies what is printed must not guess. */
function placed(
  object: KubernetesObject,
  namespace: string,
  definitions: readonly KubernetesObject[],
): KubernetesObject {
  const { metadata } = object
  if (metadata['namespace'] !== undefined || !livesInNamespace(object, definitions)) return object
  return { ...object, metadata: { ...metadata, namespace } }
}

/** A chart makes Secrets of values too, so that what is in them goes by their kind. */
function withoutSecrets(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'Secret') return object
  const { data, stringData, ...rest } = object
  return {
    ...rest,
    ...(isJsonObject(data) && { data: hideValues(data) }),
    ...(isJsonObject(stringData) && { stringData: hideValues(stringData) }),
  }
}

function hideValues(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(values).map((key) => [key, hidden]))
}
