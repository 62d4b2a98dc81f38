import type { Inventory, InventoryNode } from '../plan/inventory.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { contractOf, unaskedContract } from './config/version-contract.ts'

/**
 * The contract of the config that a node was given last. One that was written down before contracts were is that of
 * the node's Talos, as it was then, and none of those was above v1.13. Undefined for a node without a config.
 */
export function nodeContract(node: InventoryNode): string | undefined {
  const { configDigest, contract, talosVersion } = node
  if (configDigest === undefined) return undefined
  if (contract !== undefined || talosVersion === undefined) return contract
  return `v1.${unaskedContract(talosVersion).minor}`
}

/**
 * The contract of a cluster's configs, which it was born with or brought to: the newest that any of its nodes has, so
 * that one that was being moved is moved on. Undefined for a cluster that is yet to be born.
 */
export function clusterContract(inventory: Inventory | undefined): string | undefined {
  const nodes = inventory?.nodes ?? []
  const recorded = [inventory?.contract, ...nodes.map(({ contract }) => contract)]
  return newest(recorded) ?? newest(nodes.map(nodeContract))
}

/** The spec with the contract that its cluster has. */
export function withKeptContract(spec: ClusterSpec, inventory: Inventory | undefined): ClusterSpec {
  const keptContract = clusterContract(inventory)
  return keptContract === undefined ? spec : { ...spec, keptContract }
}

function newest(contracts: readonly (string | undefined)[]): string | undefined {
  const known = contracts.filter((contract) => contract !== undefined)
  return known.toSorted((a, b) => contractOf(b).minor - contractOf(a).minor)[0]
}
