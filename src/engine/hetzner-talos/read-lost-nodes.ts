import { isClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { Inventory, InventoryNode } from '../../plan/inventory.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { NodeAddresses } from '../../run/hetzner-talos/node-addresses.ts'
import { recoveryImpossible } from '../../run/recovery-impossible.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import { TalosClient } from '../../talos/api/talos-client.ts'
import { isTransient } from '../../talos/api/talos-status.ts'
import { secretsOfMachineConfig } from '../../talos/config/import-secrets.ts'
import type { SecretsBundle } from '../../talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../../talos/config/secrets-bundle-yaml.ts'
import type { TalosCredentials } from '../../talos/config/talosconfig.ts'
import { judgeEtcd } from '../../talos/etcd/judge-etcd.ts'
import { type RunningNode, readRunningNode } from '../../talos/read-running-node.ts'
import { keptConfig, type RecoverNodeInput, recoveredNode } from '../../talos/recovered-node.ts'
import { waitForTalos } from '../../talos/wait-for-talos.ts'
import type { LostTalosCluster } from './read-lost-cluster.ts'

/** A cluster as its nodes know it. */
export interface RunningCluster {
  readonly secrets: SecretsBundle
  readonly inventory: Inventory
  /** Machine configs by node. */
  readonly nodeConfigs: Readonly<Record<string, string>>
}

/** How long a node may take to answer, in milliseconds. */
const withinMs = 3 * 60_000

interface ReadNode {
  readonly node: InventoryNode
  readonly running: RunningNode
  /** A control plane with data of etcd. */
  readonly hasEtcd: boolean
}

/** Asks every node for what only nodes know; values of named secrets become references again. Throws `recovery-impossible` for one that does not answer. */
export async function readLostNodes(
  context: RunContext,
  { view, inventory }: LostTalosCluster,
  { credentials, named }: { readonly credentials: TalosCredentials; readonly named: NamedSecrets },
  progress: PhaseProgress,
): Promise<RunningCluster> {
  const addresses = new NodeAddresses()
  for (const { kind, name, facts } of view.hetzner.records) {
    if (kind === 'server') addresses.learn(name, facts)
  }
  const read = await Promise.all(
    inventory.nodes.map((node) => readNode(context, node, addresses, credentials, progress)),
  )
  const secrets = secretsOf(context, read)
  const remembered = read.map(({ node, running }) => {
    const asked = view.nodes.find(({ name }) => name === node.name)
    const { publicIp } = addresses.of(node.name)
    const { config, ...rest } = rememberNode(view, asked, { running, secrets, named })
    return { node: { ...node, publicIp, ...rest } satisfies InventoryNode, config }
  })
  const nodes = remembered.map(({ node }) => node)
  return {
    secrets,
    inventory: { ...inventory, nodes, bootstrapped: read.some(({ hasEtcd }) => hasEtcd) },
    nodeConfigs: Object.fromEntries(
      remembered.flatMap(({ node, config }) => (config === undefined ? [] : [[node.name, config]])),
    ),
  }
}

/** A node that the file does not ask for any more is remembered as configured, so that the plan removes it. */
function rememberNode(
  { spec, hetzner }: ClusterView,
  node: ClusterNode | undefined,
  { running, ...known }: Pick<RecoverNodeInput, 'running' | 'secrets' | 'named'>,
) {
  const balancer = hetzner.records.find(({ kind }) => kind === 'load-balancer')?.facts?.['publicIp']
  const addresses = typeof balancer === 'string' ? { loadBalancerPublicIp: balancer } : {}
  if (!node) {
    const { talosVersion } = running
    const config = keptConfig(running.config, undefined, { spec, named: known.named })
    return { talosVersion, config, configDigest: 'not asked for' }
  }
  return recoveredNode({ spec, node, addresses, running, ...known })
}

async function readNode(
  { clock, signal }: RunContext,
  node: InventoryNode,
  addresses: NodeAddresses,
  credentials: TalosCredentials,
  progress: PhaseProgress,
): Promise<ReadNode> {
  const { name, role } = node
  const { address } = addresses.of(name)
  using client = new TalosClient({ address, credentials, signal })
  try {
    return await waitForTalos(
      `${name} to show its config`,
      async () => {
        const running = await readRunningNode(client)
        const hasEtcd = role === 'control-plane' && (await judgeEtcd(client)) !== 'empty'
        progress.step(name)
        return { done: { node, running, hasEtcd } }
      },
      { clock, signal, withinMs, onPending: (reason) => progress.step(`${name}: ${reason}`) },
      { defaultMs: withinMs, hint: 'See that it runs.' },
    )
  } catch (error) {
    signal.throwIfAborted()
    if (!isClusterError(error)) throw error
    const isSilent = error.code === 'wait-timeout' || isTransient(error)
    throw recoveryImpossible(
      `${name} cannot be read: ${error.message}`,
      isSilent
        ? 'See that it answers, or delete its server if it is lost: an apply recreates it.'
        : 'Use credentials of this very cluster, with the role os:admin, that have not expired.',
      error,
    )
  }
}

/** The control planes all have the same secrets; if not, they are not one cluster. */
function secretsOf({ keys }: RunContext, read: readonly ReadNode[]): SecretsBundle {
  const bundles = read
    .filter(({ node }) => node.role === 'control-plane')
    .map(({ node, running }) => ({ node, secrets: secretsOfMachineConfig(running.config, keys) }))
  const [first, ...others] = bundles
  if (!first) {
    throw recoveryImpossible(
      'no control plane is left, and workers do not have the secrets',
      'Destroy it by hand and start over: without the secrets and without a control plane the cluster is lost.',
    )
  }
  const text = formatSecretsBundle(first.secrets)
  const other = others.find(({ secrets }) => formatSecretsBundle(secrets) !== text)
  if (!other) return first.secrets
  throw recoveryImpossible(
    `${first.node.name} and ${other.node.name} do not have the same secrets`,
    'Find out which of them is the right one: they are not one cluster.',
  )
}
