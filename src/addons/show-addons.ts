import { isJsonObject } from '../lib/json.ts'
import { type KubernetesObject, textsAt } from '../lib/kubernetes-object.ts'
import { hidden } from '../plan/config-secrets.ts'
import type { Inventory } from '../plan/inventory.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { AddonFacts } from './addon.ts'
import { releaseOf } from './addon-release.ts'
import { type AddonsOf, enabledAddons } from './catalogue.ts'
import { namespaceSet } from './namespace-set.ts'
import { definitionsIn, livesInNamespace } from './object-scope.ts'
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
export async function showAddons<Spec extends CommonSpec>(
  spec: Spec,
  facts: AddonFacts,
  {
    renderer,
    recorded,
    chosen = () => true,
    addonsOf,
  }: {
    /** Leaves references to secrets as they are. */
    readonly renderer: AddonRenderer
    readonly recorded: Inventory['addons']
    /** Which of them are shown; all are rendered, since a chart may ask for what another one brings. */
    readonly chosen?: (name: string) => boolean
    readonly addonsOf: AddonsOf<Spec>
  },
): Promise<ShownAddon[]> {
  const capabilities = { version: `v${spec.kubernetes.version}`, apiVersions: [] }
  const releases = enabledAddons(spec, addonsOf).map((addon) => releaseOf(addon, spec, facts))
  const { sets, namespaces } = await renderWanted(releases, { renderer, capabilities, recorded })
  refuseConflicts(sets.values())
  const definitions = definitionsIn([...sets.values()].flatMap(({ objects }) => objects))
  const seen = new Set<string>()
  const shown = releases.filter(({ addon: { name } }) => chosen(name))
  return shown.map(({ addon: { name, namespace }, version }) => {
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

/**
 * A chart makes Secrets of values too, so that what is in them goes by their kind. It stands below `data` in any case,
 * where no API server takes it for a value: what is printed never takes the place of a secret.
 */
function withoutSecrets(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'Secret') return object
  const { data, stringData, metadata, ...rest } = object
  const keys = [data, stringData].flatMap((held) => (isJsonObject(held) ? Object.keys(held) : []))
  const { [lastApplied]: _all, ...annotations } = textsAt(object, 'metadata', 'annotations')
  return {
    ...rest,
    metadata: { ...metadata, ...(metadata['annotations'] !== undefined && { annotations }) },
    ...(keys.length > 0 && { data: Object.fromEntries(keys.map((key) => [key, hidden])) }),
  }
}

/** Holds the whole object once more. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
