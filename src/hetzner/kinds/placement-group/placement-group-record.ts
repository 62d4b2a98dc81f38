import { z } from 'zod'
import type { ClusterNode } from '../../../plan/cluster-node.ts'
import type { DiffRules } from '../../../plan/diff-records.ts'
import type { ClusterRecord } from '../../../plan/record.ts'
import type { ApiPlacementGroup } from '../../api/placement-groups.ts'
import type { OwnResource } from '../../own-resources.ts'
import { type ClusterIdentity, ownLabels, resourceLabels } from '../../ownership.ts'
import { ownFacts } from '../record-parts.ts'
import { placementGroupName } from './placement-group-name.ts'

export const placementGroupSpecSchema = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.string()),
})
type PlacementGroupSpec = z.infer<typeof placementGroupSpecSchema>

/** The groups that the nodes are in: ten slots of a pool each, on as many hosts. */
export function desirePlacementGroups(
  nodes: readonly ClusterNode[],
  identity: ClusterIdentity,
): ClusterRecord[] {
  const { clusterName } = identity
  const groupOf = ({ pool, slot }: ClusterNode) => placementGroupName(clusterName, pool, slot)
  const names = [...new Set(nodes.map(groupOf))].sort()
  const labels = resourceLabels(identity, 'placement-group')
  return names.map((name) => {
    const spec: PlacementGroupSpec = { name, labels }
    return { kind: 'placement-group', name, spec, needs: [] }
  })
}

export function livePlacementGroup(own: OwnResource<ApiPlacementGroup>): ClusterRecord {
  const { name, labels } = own.item
  const spec: PlacementGroupSpec = { name, labels: ownLabels(labels) }
  return { kind: 'placement-group', name: own.name, spec, needs: [], facts: ownFacts(own) }
}

export const placementGroupRules: DiffRules = {
  create: () => ({ risk: 'additive', reason: 'spreads ten nodes over as many hosts' }),
  delete: () => ({ risk: 'live', reason: 'no node is in it any more' }),
  update: () => ({ action: 'update', risk: 'live', reason: 'changed in place' }),
}
