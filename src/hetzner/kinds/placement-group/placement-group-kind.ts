import type { ApiPlacementGroup } from '../../api/placement-groups.ts'
import { listComplete } from '../../list-complete.ts'
import type { HetznerKind, NameContext } from '../hetzner-kind.ts'
import { plainComparison, plainDestruction, plainDrift } from '../kind-defaults.ts'
import { applyPlacementGroup } from './apply-placement-group.ts'
import { placementGroupName } from './placement-group-name.ts'
import {
  desirePlacementGroups,
  livePlacementGroup,
  placementGroupRules,
} from './placement-group-record.ts'

export const placementGroupKind: HetznerKind<ApiPlacementGroup> = {
  name: 'placement-group',
  observe: {
    observedIn: 'each-run',
    isRecorded: true,
    list: ({ placementGroups }, { known }) =>
      listComplete('placement-group', placementGroups, known),
    nameOf: groupNameOf,
    isOfControllers: () => false,
    live: livePlacementGroup,
  },
  desire: ({ nodes, identity }) => desirePlacementGroups(nodes, identity),
  compare: { ...plainComparison, rules: placementGroupRules, drift: plainDrift },
  apply: applyPlacementGroup,
  destroy: {
    ...plainDestruction,
    guests: {
      // Hetzner deletes no group that is in use.
      usedBy: ({ placement_group: group }) => (group ? [group.id] : []),
      harm: (id) => `is in a placement group of the cluster (id ${id})`,
      remedy: 'Take it out of the placement group in the Hetzner console',
    },
  },
  phase: 'resources',
}

/** Labels do not say which of the groups one is: its name does, or, where that was changed, our servers in it. */
function groupNameOf(
  { name, servers: members }: ApiPlacementGroup,
  { clusterName, found }: NameContext,
): string {
  if (name.startsWith(`${clusterName}-`) && /-\d+$/.test(name)) return name
  const member = found.of('server').own.find(({ item }) => members?.includes(item.id))
  const { pool, slot } = member?.node ?? {}
  if (pool === undefined || slot === undefined) return name
  return placementGroupName(clusterName, pool, slot)
}
