import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import type { ConfigDocument } from '../../talos/config/config-document.ts'
import { machineConfigDocuments } from '../../talos/config/machine-config.ts'
import { fillDocuments } from '../../talos/config/named-secrets.ts'
import { formatYamlDocuments } from '../../talos/config/yaml-documents.ts'
import { specAsRunning } from '../../talos/desire.ts'
import type { ClusterReach, ReachableCluster } from './cluster-reach.ts'

/** The config that an apply hands a node. */
interface WantedConfig {
  readonly spec: ClusterSpec
  /** With all of its secrets. */
  readonly text: string
  readonly named: NamedSecrets
  /** With references in the place of named secrets. */
  readonly documents: readonly ConfigDocument[]
}

/** Throws `secret-missing` where it refers to one that is not kept. */
export async function wantedConfig(
  view: ReachableCluster,
  node: ClusterNode,
  reach: ClusterReach,
): Promise<WantedConfig> {
  const spec = specOf(view, node)
  const documents = machineConfigDocuments({
    spec,
    node,
    secrets: await reach.secrets(),
    named: 'as references',
    addresses: reach.decidedAddresses(),
  })
  const named = await reach.namedSecrets()
  const text = formatYamlDocuments(fillDocuments(documents, named))
  return { spec, text, named, documents }
}

/** What the state remembers of a node. */
export function inventoryNode(
  { generation }: Pick<ClusterView, 'generation'>,
  node: string,
): InventoryNode | undefined {
  return generation?.inventory.nodes.find(({ name }) => name === node)
}

/** The spec with the versions that a node is to run now: an upgrade alone moves them. */
export function specOf(
  { spec, generation }: Pick<ClusterView, 'spec' | 'generation'>,
  { name }: ClusterNode,
): ClusterSpec {
  return specAsRunning(spec, inventoryNode({ generation }, name), generation?.inventory)
}
