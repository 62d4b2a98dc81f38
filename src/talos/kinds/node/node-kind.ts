import type { FieldChange } from '../../../plan/change.ts'
import type { ClusterNode } from '../../../plan/cluster-node.ts'
import type { DiffRules } from '../../../plan/diff-records.ts'
import type { InventoryNode } from '../../../plan/inventory.ts'
import { type ClusterRecord, recordKey } from '../../../plan/record.ts'
import type { ClusterSpec } from '../../../spec/cluster-spec.ts'
import { configDigest } from '../../config/config-digest.ts'
import { installerImage, schematicOf } from '../../config/schematic.ts'
import { contractName } from '../../config/version-contract.ts'
import { nodeContract } from '../../kept-contract.ts'
import type { AppliedKind, Situation } from '../talos-kind.ts'

/** A machine with its config, and the Talos that it runs. */
export const nodeKind: AppliedKind = {
  name: 'node',
  comparedBy: 'apply',
  desire: ({ nodes, specOf }) => nodes.map((node) => desiredNode(specOf(node), node)),
  live: ({ inventory, nodes }) => nodes.map((node) => rememberedNode(node, inventory.clusterName)),
  rules,
  versionFields: new Set(['talosVersion', 'schematic']),
  phase: 'nodes',
  upgrade: {
    phase: 'talos',
    images: ({ spec, node, planned }) =>
      planned.has(recordKey({ kind: 'node', name: node.name }))
        ? [{ reference: installerImage(spec), store: 'system' }]
        : [],
  },
}

function desiredNode(spec: ClusterSpec, node: ClusterNode): ClusterRecord {
  return {
    kind: 'node',
    name: node.name,
    spec: {
      role: node.role,
      talosVersion: spec.talos.version,
      schematic: schematicOf(spec),
      kubernetesVersion: spec.kubernetes.version,
      configDigest: configDigest(spec, node),
      contract: contractName(spec),
    },
    needs: [`server/${node.name}`, `secrets/${spec.clusterName}`],
  }
}

/** A node as the state remembers it. */
export function rememberedNode(node: InventoryNode, clusterName: string): ClusterRecord {
  return {
    kind: 'node',
    name: node.name,
    spec: {
      role: node.role,
      talosVersion: node.talosVersion ?? null,
      schematic: node.schematic ?? null,
      kubernetesVersion: node.kubernetesVersion ?? null,
      configDigest: node.configDigest ?? null,
      contract: nodeContract(node) ?? null,
    },
    needs: [`server/${node.name}`, `secrets/${clusterName}`],
  }
}

/** A node of a running cluster that is added or leaves says what it means for etcd. */
function rules({ running }: Situation): DiffRules {
  const isMember = ({ spec }: ClusterRecord) => spec['role'] === 'control-plane'
  return {
    create: (after) =>
      running && isMember(after)
        ? { risk: 'quorum', reason: 'it joins as a member of etcd' }
        : { risk: 'additive', reason: 'it gets its machine config and joins' },
    update: (_before, _after, fields) => ({ action: 'update', ...describeUpdate(fields) }),
    delete: (before) => {
      if (!running) return { risk: 'live', reason: 'the spec no longer asks for it' }
      return isMember(before)
        ? { risk: 'quorum', reason: 'it leaves etcd and the cluster' }
        : { risk: 'drain', reason: 'it is drained and leaves the cluster' }
    },
  }
}

function describeUpdate(
  fields: readonly FieldChange[],
): Omit<ReturnType<DiffRules['update']>, 'action'> {
  if (fields.some(({ path }) => path === 'talosVersion')) {
    return { risk: 'drain', reason: 'it is drained and reboots into another Talos version' }
  }
  if (fields.some(({ path }) => path === 'schematic')) {
    return { risk: 'drain', reason: 'it is drained and reboots into another image' }
  }
  if (fields.every(({ path }) => path === 'contract')) {
    return { risk: 'live', reason: 'its machine config is the same in both contracts' }
  }
  return {
    risk: 'reboot',
    reason: 'its machine config changes; Talos reboots where a field needs it',
  }
}
