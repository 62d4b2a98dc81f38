import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import type { ClusterRecord } from '../../plan/record.ts'
import { nodeConfigPath } from '../../store/files/layout.ts'
import { readableDocuments } from '../../store/files/readable-documents.ts'
import { takenUpBy } from '../../talos/config/change-effect.ts'
import { publicConfig, publicConfigBy } from '../../talos/config/config-digest.ts'
import type { ConfigDifference } from '../../talos/config/diff-configs.ts'
import { diffStoredConfig } from '../../talos/config/stored-config.ts'
import { contractName, contractOf, contractOfSpec } from '../../talos/config/version-contract.ts'
import { describeDrift, explainConfigUpdate, healDrifts } from '../../talos/config-changes.ts'
import { specAsRunning } from '../../talos/desire.ts'
import { isOutOfSpace, outOfSpaceHint } from '../../talos/etcd/etcd-health.ts'
import { nodeContract } from '../../talos/kept-contract.ts'
import { registerNodes } from '../register-nodes.ts'
import type { ClusterView } from './cluster-view.ts'
import { configuredNodes } from './cluster-view.ts'

/** The records of Talos that changes lead from and to. */
interface Records {
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
}

/**
 * The changes of nodes with the fields of their machine configs that differ, each with what it takes; and
 * with those that put back what was changed by hand, where nodes were asked and the policy is to heal.
 */
export function compareConfigs(
  view: ClusterView,
  changes: readonly Change[],
  records: Records,
): Change[] {
  const explained = changes.map((change) =>
    explainConfigUpdate(change, differencesFromStored(view, change)),
  )
  const heals = view.spec.policy.onNodeConfigDrift === 'heal'
  const healed =
    view.running && heals ? healDrifts(explained, view.running.drifts, records) : explained
  return registerNodes(healed, view.running?.unregistered ?? new Set(), records)
}

/** Without a key, so that a plan says the same whoever makes it. */
function differencesFromStored(
  { spec, nodes, generation, hetzner }: ClusterView,
  { action, after }: Change,
): readonly ConfigDifference[] | undefined {
  const node = nodes.find(({ name }) => name === after?.name)
  const known = generation?.inventory.nodes.find(({ name }) => name === after?.name)
  if (action !== 'update' || after?.kind !== 'node' || !node || !known?.configDigest)
    return undefined
  const content = generation?.files.get(nodeConfigPath(node.name))
  const documents = content && readableDocuments(content)
  if (documents === undefined) return undefined
  const loadBalancer = hetzner.records.find(({ kind }) => kind === 'load-balancer')
  const address = loadBalancer?.facts?.['publicIp']
  const decided = typeof address === 'string' ? { loadBalancerPublicIp: address } : {}
  const asRunning = specAsRunning(spec, known, generation?.inventory)
  const desired = publicConfig(asRunning, node, decided)
  const stored = nodeContract(known) ?? contractName(asRunning)
  // By what is recorded: nothing in a config that patches have emptied need show its shape.
  const isMoved = contractOf(stored).documents !== contractOfSpec(asRunning).documents
  const inStoredShape = isMoved ? publicConfigBy(stored, asRunning, node, decided) : desired
  const differences = diffStoredConfig(
    {
      documents,
      digest: known.configDigest,
      fields: known.hiddenFields,
      secretVersions: known.secretVersions,
    },
    desired,
    { ...decided, inStoredShape, wantedVersions: spec.secretVersions },
  )
  return takenUpBy(node.role, differences)
}

/** Differences that are reported and left, since the policy says so. */
export function reportDrifts({ spec, running }: ClusterView): Finding[] {
  if (spec.policy.onNodeConfigDrift === 'heal') return []
  const drifted = [...(running?.drifts ?? [])].filter(([, differences]) => differences.length > 0)
  return drifted.map(([name, differences]) => ({
    severity: 'warning',
    path: ['policy', 'onNodeConfigDrift'],
    message: `${name} was changed by hand: ${describeDrift(differences)}`,
    hint: 'Take the change over into the file, or set policy.onNodeConfigDrift to heal.',
  }))
}

/** What etcd raises alarms of: it takes no writes until that is over. */
export function reportAlarms({ running }: ClusterView): Finding[] {
  return (running?.alarms ?? []).map((message) => ({
    severity: 'warning',
    path: ['nodes', 'controlPlane'],
    message,
    hint: isOutOfSpace(message)
      ? outOfSpaceHint
      : 'Take a snapshot with `hcloud-talos snapshot`, and replace the member that is corrupt: `hcloud-talos apply --replace <control plane>`.',
  }))
}

/** Changes that a running node cannot take up, each set of fields said once for all nodes that it concerns. */
export function refuseReinstall(view: ClusterView, changes: readonly Change[]): Finding[] {
  const refused = changes.flatMap((change) => {
    const differences = change.risk === 'replace' ? (differencesFromStored(view, change) ?? []) : []
    const paths = differences.flatMap(({ path, effect }) => (effect === 'reinstall' ? [path] : []))
    return paths.length > 0 ? [paths.join(', ')] : []
  })
  return [...new Set(refused)].map((paths) => ({
    severity: 'error',
    path: ['talos'],
    message: `a node that runs does not take up this change of its machine config, only one that is recreated: ${paths}`,
    hint: 'Put it back as it was, or replace the nodes.',
  }))
}

/** What was not looked at, in a sentence: undefined when all nodes were compared. */
export function uncompared(view: ClusterView): string | undefined {
  const nodes = configuredNodes(view)
  if (nodes.length === 0) return undefined
  const { running } = view
  if (!running) {
    return 'what the nodes run was not compared: that takes the age identity, and a way to the nodes'
  }
  const missing = nodes.filter(({ name }) => !running.drifts.has(name)).map(({ name }) => name)
  const [first, ...others] = missing
  if (first === undefined) return undefined
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `what ${first}${more} runs was not compared: ${running.unread.get(first) ?? 'not asked'}`
}
