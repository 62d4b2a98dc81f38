import { jsonDigest, jsonEquals } from '../lib/canonical-json.ts'
import { isClusterError } from '../lib/cluster-error.ts'
import { isJsonObject, type Json } from '../lib/json.ts'
import { textAt } from '../lib/kubernetes-object.ts'
import type { ClusterNode } from '../plan/cluster-node.ts'
import type { InventoryNode } from '../plan/inventory.ts'
import { differingComponents } from '../plan/running-kubernetes.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { type Component, components } from '../spec/component.ts'
import type { NamedSecrets } from '../spec/secret-reference.ts'
import { patchNames } from '../spec/secret-references.ts'
import { imagePaths } from './config/component-images.ts'
import { configMarks } from './config/config-digest.ts'
import type { ConfigDocument } from './config/config-document.ts'
import { parseConfigDocuments } from './config/config-documents.ts'
import type { DecidedAddresses, MachineConfigInput } from './config/config-input.ts'
import { machineConfigDocuments } from './config/machine-config.ts'
import { fillDocuments, namesIn } from './config/named-secrets.ts'
import { isReshaped, oldView } from './config/reshape/old-view.ts'
import { schematicOf } from './config/schematic.ts'
import type { SecretsBundle } from './config/secrets-bundle.ts'
import { unfillDocuments } from './config/unfill-config.ts'
import { contractsUpTo } from './config/version-contract.ts'
import { formatYamlDocuments } from './config/yaml-documents.ts'
import { specAsRunning } from './desire.ts'
import type { RunningNode } from './read-running-node.ts'

export interface RecoverNodeInput {
  readonly spec: ClusterSpec
  readonly node: ClusterNode
  readonly secrets: SecretsBundle
  readonly addresses: DecidedAddresses
  readonly running: RunningNode
  /** Values of named secrets, as far as the run was given them. */
  readonly named: NamedSecrets
}

/**
 * What the state is to remember of a node that runs. Where its config is the one that the file asks for, so
 * says its digest, and the next plan finds nothing to do; where it is another, its digest is none that any
 * file has, and the next plan shows the change. Pure.
 */
export function recoveredNode({
  spec,
  node,
  secrets,
  addresses,
  running,
  named,
}: RecoverNodeInput): Pick<
  InventoryNode,
  | 'talosVersion'
  | 'schematic'
  | 'kubernetesVersion'
  | 'components'
  | 'configDigest'
  | 'contract'
  | 'hiddenFields'
  | 'secretVersions'
> & {
  /**
   * What the state is to keep of its config, with references in the place of named secrets; undefined where a value of
   * one may be left in it.
   */
  readonly config: string | undefined
} {
  const { talosVersion, schematic = schematicOf(spec) } = running
  const live = parseConfigDocuments(running.config)
  const kubernetesVersion = versionIn(live, 'kubelet') ?? spec.kubernetes.version
  const others = node.role === 'control-plane' ? componentsIn(live, kubernetesVersion) : undefined
  const versions = {
    talosVersion,
    schematic,
    kubernetesVersion,
    ...(others && { components: others }),
  }
  const asRunning = specAsRunning(spec, { ...node, ...versions }, undefined)
  const shaped = { spec: asRunning, node, secrets, addresses }
  const shapes = contractsOf(asRunning).map((keptContract) => ({ ...asRunning, keptContract }))
  const found = shapes.find((shape) => makes(live, { ...shaped, spec: shape }, named))
  const wanted = machineConfigDocuments({
    ...shaped,
    spec: found ?? asRunning,
    named: 'as references',
  })
  return {
    ...versions,
    config: keptConfig(running.config, wanted, { spec, named }),
    ...(found
      ? configMarks(found, node)
      : {
          configDigest: jsonDigest(['recovered', node.name]),
          // Which shape it has is seen, whatever else differs: it must not go back unasked.
          ...(isReshaped(live.filter(isJsonObject)) && { contract: 'v1.14' }),
        }),
  }
}

/** What the state keeps of a config: it goes to a branch on which only some keys are encrypted. */
export function keptConfig(
  running: string,
  wanted: readonly ConfigDocument[] | undefined,
  { spec, named }: Pick<RecoverNodeInput, 'spec' | 'named'>,
): string | undefined {
  const names = patchNames(spec)
  if (names.length === 0 && named.size === 0 && !running.includes(`\${secret:`)) return running
  // A value that nobody knows cannot be looked for.
  if (!names.every((name) => named.has(name)) || (names.length > 0 && !wanted)) return undefined
  const live = parseConfigDocuments(running).filter(isJsonObject)
  const kept = unfillDocuments(live, wanted ?? [], named)
  return kept && formatYamlDocuments(kept)
}

/** The file's contract, or else any that its Talos reads, newest first: which one a cluster kept only its configs know. */
function contractsOf(spec: ClusterSpec): string[] {
  if (spec.talos.contract !== undefined) return [spec.talos.contract]
  return contractsUpTo(spec.talos.version)
    .toReversed()
    .map((minor) => `v1.${minor}`)
}

/** Whether a config is the one that this makes. Patches need not fit every contract. */
function makes(
  live: readonly Json[],
  input: Omit<MachineConfigInput, 'named'>,
  named: NamedSecrets,
): boolean {
  try {
    const wanted = machineConfigDocuments({ ...input, named: 'as references' })
    const isKnown = namesIn(wanted).every((name) => named.has(name))
    return isKnown && jsonEquals(normal(live), normal([...fillDocuments(wanted, named)]))
  } catch (error) {
    if (!isClusterError(error, 'spec-invalid')) throw error
    return false
  }
}

/** As a node hands a config back: without what is empty. The order of documents says nothing. */
function normal(documents: readonly Json[]): Json {
  const texts = documents.map((document) => JSON.stringify(withoutEmpty(sorted(document))))
  return texts.sort()
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, each]): [string, Json] => [key, sorted(each)])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function withoutEmpty(value: Json): Json {
  if (!isJsonObject(value)) return Array.isArray(value) ? value.map(withoutEmpty) : value
  const entries = Object.entries(value).map(([key, each]): [string, Json] => [
    key,
    withoutEmpty(each),
  ])
  return Object.fromEntries(entries.filter(([, each]) => !isEmpty(each)))
}

function isEmpty(value: Json): boolean {
  if (value === '' || value === null) return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

/** The version of a component that a config names; undefined where it names none. */
function versionIn(documents: readonly Json[], component: Component): string | undefined {
  const image = textAt(oldView(documents.filter(isJsonObject)), ...imagePaths[component])
  return /:v(\d+\.\d+\.\d+)/.exec(image ?? '')?.[1]
}

/** What runs in other versions than the kubelet: a control plane in the midst of an upgrade. */
function componentsIn(live: readonly Json[], kubelet: string): InventoryNode['components'] {
  const named = components.flatMap((component) => {
    const version = component === 'kubelet' ? undefined : versionIn(live, component)
    return version === undefined ? [] : [[component, version] as const]
  })
  return differingComponents(Object.fromEntries(named), kubelet)
}
