import { jsonEquals } from '../../lib/canonical-json.ts'
import type { ApiPlacementGroup } from '../api/placement-groups.ts'
import { type Labels, mergeLabels } from '../ownership.ts'
import { placementGroupSpecSchema } from '../records/placement-group-record.ts'
import { type HetznerApplyContext, type ResourceApply, requireId } from './apply-context.ts'
import { byName, createOrAdopt } from './create-or-adopt.ts'
import { deleteResource } from './delete-resource.ts'
import { readToUpdate } from './read-or-gone.ts'
import { tolerances } from './tolerate.ts'

export const applyPlacementGroup: ResourceApply = {
  create: async ({ name, spec }, context) => {
    const { placementGroups } = context.client
    const { labels } = placementGroupSpecSchema.parse(spec)
    const { resource, actions } = await createOrAdopt(
      {
        kind: 'placement-group',
        name,
        find: async () => byName(await placementGroups.list({ name }), name),
        create: () => placementGroups.create({ name, type: 'spread', labels }),
      },
      context,
    )
    await context.client.waitForActions(actions, {
      operation: 'create placement group',
      target: name,
    })
    await converge(resource, labels, context)
    return { id: resource.id }
  },

  update: async (after, context) => {
    const id = requireId(context, `placement-group/${after.name}`)
    const group = await readToUpdate(after, () => context.client.placementGroups.get(id))
    await converge(group, placementGroupSpecSchema.parse(after.spec).labels, context)
    return { id }
  },

  delete: (record, context) =>
    deleteResource(
      {
        record,
        read: (id) => context.client.placementGroups.get(id),
        remove: async (id) => {
          await context.client.placementGroups.delete(id)
          return []
        },
        tolerance: tolerances.deleteUsed,
      },
      context,
    ),
}

async function converge(
  group: ApiPlacementGroup,
  desired: Labels,
  { client }: HetznerApplyContext,
): Promise<void> {
  const labels = mergeLabels(group.labels, desired)
  if (!jsonEquals(labels, group.labels)) await client.placementGroups.setLabels(group.id, labels)
}
