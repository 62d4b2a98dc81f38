import { ClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject, type Json } from '../../lib/json.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import { hidden, hideSecrets } from '../../plan/config-secrets.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import { type ClusterSession, openSession } from '../../run/hetzner-talos/cluster-session.ts'
import { observeCluster } from '../../run/hetzner-talos/observe-cluster.ts'
import { openTemporaryRule } from '../../run/hetzner-talos/temporary-rule.ts'
import { inventoryNode, specOf, wantedConfig } from '../../run/hetzner-talos/wanted-config.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { talosApi } from '../../talos/api/talos-api.ts'
import { publicConfig } from '../../talos/config/config-digest.ts'
import type { ConfigDocument } from '../../talos/config/config-document.ts'
import type { ConfigDifference } from '../../talos/config/diff-configs.ts'
import { referringFields, withoutFilled } from '../../talos/config/named-secrets.ts'
import { isPlaceholder } from '../../talos/config/placeholder.ts'
import { formatYamlDocuments } from '../../talos/config/yaml-documents.ts'
import { diffRunningConfig, readRunningConfig } from '../../talos/running-config.ts'

export interface NodeConfigInput {
  readonly file: ClusterFile
  /** Name or private address of a node that the file asks for. */
  readonly node: string
}

/** A machine config as an apply would hand it over, as YAML documents. */
export interface NodeConfig {
  readonly node: string
  readonly text: string
}

/** How what a node runs differs from what an apply would hand it. */
export interface NodeConfigDifference {
  readonly node: string
  /** By field, fit to be shown; none where the node runs just that. */
  readonly differences: readonly ConfigDifference[]
}

/**
 * The config of one node with every secret hidden. Needs no age identity: a node that does not exist yet has one as
 * well. Throws `usage` for a node that the file does not ask for.
 */
export function showNodeConfig(context: RunContext, input: NodeConfigInput): Promise<NodeConfig> {
  return withNode(context, input, async ({ view, node }) => {
    const documents = publicConfig(specOf(view, node), node, decidedBy(view)).map(hideAll)
    return { node: node.name, text: formatYamlDocuments(documents) }
  })
}

/**
 * The same with its secrets: for a file that only its owner reads, never for a log. Throws `cluster-unknown` before
 * the first apply, and what reading the secrets throws.
 */
export function revealNodeConfig(context: RunContext, input: NodeConfigInput): Promise<NodeConfig> {
  return withNode(context, input, async ({ session, view, node }) => {
    if (!view.generation) throw clusterUnknown(session.spec, 'render the machine config of')
    using reach = new ClusterReach(context, session.store, view)
    return { node: node.name, text: (await wantedConfig(view, node, reach)).text }
  })
}

/**
 * Compares what a node runs with what an apply would hand it: changes of the file that were not applied, and what was
 * changed by hand. Opens the firewall for this machine as long as it takes, and changes nothing. Throws
 * `cluster-unknown`, `usage`, and what reaching the node throws.
 */
export function compareNodeConfig(
  context: RunContext,
  input: NodeConfigInput,
): Promise<NodeConfigDifference> {
  return withNode(context, input, async ({ session, view, node }) => {
    const { name } = node
    if (!view.generation || !inventoryNode(view, name)?.configDigest) {
      throw new ClusterError('cluster-unknown', `${name} has no machine config yet`, {
        hint: 'Look at `hcloud-talos plan`: an apply makes the node.',
      })
    }
    using reach = new ClusterReach(context, session.store, view)
    const access = await reach.access()
    await using _rule = await openTemporaryRule(context, view, session, {})
    const client = access.talos(reach.addresses.of(name).address)
    const running = await runPhase(context.progress, `Ask ${name}`, () =>
      readRunningConfig(talosApi(client)),
    )
    if (!running) {
      throw new ClusterError('talos-refused', `${name} shows no machine config`, {
        operation: 'read the machine config of',
        target: name,
      })
    }
    const { text, documents } = await wantedConfig(view, node, reach)
    const referring = referringFields(documents, await session.store.readNodeConfig(name))
    const differences = diffRunningConfig(running, text).map((difference) =>
      withoutFilled(difference, referring),
    )
    return { node: name, differences }
  })
}

interface Found {
  readonly session: ClusterSession
  readonly view: ClusterView
  readonly node: ClusterNode
}

async function withNode<T>(
  context: RunContext,
  { file, node }: NodeConfigInput,
  use: (found: Found) => Promise<T>,
): Promise<T> {
  await using session = await openSession(context, file)
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    observeCluster(session.spec, session.store, session.hetzner),
  )
  return await use({ session, view, node: findNode(view, node) })
}

function findNode({ nodes, spec }: ClusterView, wanted: string): ClusterNode {
  const node = nodes.find(({ name, privateIp }) => name === wanted || privateIp === wanted)
  if (node) return node
  throw new ClusterError('usage', `${wanted} is no node that the file asks for`, {
    operation: 'render a machine config of',
    target: spec.clusterName,
    hint: `Name one of: ${nodes.map(({ name }) => name).join(', ')}.`,
  })
}

function decidedBy({ hetzner }: ClusterView) {
  const address = hetzner.records.find(({ kind }) => kind === 'load-balancer')?.facts?.['publicIp']
  return typeof address === 'string' ? { loadBalancerPublicIp: address } : {}
}

/** Secrets of the cluster stand as placeholders in it; those of the file by what looks like one. */
function hideAll(document: ConfigDocument): ConfigDocument {
  const shown = hideSecrets(hidePlaceholders(document), 'file')
  return isJsonObject(shown) ? shown : {}
}

function hidePlaceholders(value: Json): Json {
  if (Array.isArray(value)) return value.map(hidePlaceholders)
  if (isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, hidePlaceholders(each)]),
    )
  }
  return isPlaceholder(value) ? hidden : value
}
