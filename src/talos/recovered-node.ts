import { jsonDigest, jsonEquals } from '../lib/canonical-json.ts'
import { isJsonObject, type Json } from '../lib/json.ts'
import type { ClusterNode } from '../plan/cluster-node.ts'
import type { InventoryNode } from '../plan/inventory.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { configDigest } from './config/config-digest.ts'
import type { DecidedAddresses } from './config/config-input.ts'
import { machineConfigDocuments } from './config/machine-config.ts'
import { schematicOf } from './config/schematic.ts'
import type { SecretsBundle } from './config/secrets-bundle.ts'
import { parseYamlDocuments } from './config/yaml-documents.ts'
import { specAsRunning } from './desire.ts'
import type { RunningNode } from './read-running-node.ts'

export interface RecoverNodeInput {
  readonly spec: ClusterSpec
  readonly node: ClusterNode
  readonly secrets: SecretsBundle
  readonly addresses: DecidedAddresses
  readonly running: RunningNode
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
}: RecoverNodeInput): Pick<
  InventoryNode,
  'talosVersion' | 'schematic' | 'kubernetesVersion' | 'configDigest'
> {
  const { talosVersion, schematic = schematicOf(spec) } = running
  const live = parseYamlDocuments(running.config)
  const asRunning = specAsRunning(spec, { ...node, talosVersion, schematic })
  const wanted = machineConfigDocuments({ spec: asRunning, node, secrets, addresses })
  const isWanted = jsonEquals(normal(live), normal([...wanted]))
  return {
    talosVersion,
    schematic,
    kubernetesVersion: kubeletVersion(live) ?? spec.kubernetes.version,
    configDigest: isWanted ? configDigest(asRunning, node) : jsonDigest(['recovered', node.name]),
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

function kubeletVersion(documents: readonly Json[]): string | undefined {
  for (const document of documents) {
    const machine = isJsonObject(document) ? document['machine'] : undefined
    const kubelet = isJsonObject(machine) ? machine['kubelet'] : undefined
    const image = isJsonObject(kubelet) ? kubelet['image'] : undefined
    const [, version] = /:v(\d+\.\d+\.\d+)/.exec(typeof image === 'string' ? image : '') ?? []
    if (version !== undefined) return version
  }
  return undefined
}
