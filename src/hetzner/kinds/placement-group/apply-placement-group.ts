import { type ResourceApply, requireId, specToApply } from '../../apply/apply-context.ts'
import { byName, createOrAdopt } from '../../apply/create-or-adopt.ts'
import { deleteResource } from '../../apply/delete-resource.ts'
import { readToUpdate } from '../../apply/read-or-gone.ts'
import { restoreMarks } from '../../apply/restore-marks.ts'
import { tolerances } from '../../apply/tolerate.ts'
import { placementGroupSpecSchema } from './placement-group-record.ts'

export const applyPlacementGroup: ResourceApply = {
  create: async ({ name, spec }, context) => {
    const { placementGroups } = context.client
    const desired = placementGroupSpecSchema.parse(spec)
    const { labels } = desired
    const { resource, actions } = await createOrAdopt(
      {
        kind: 'placement-group',
        name,
        find: async () => byName(await placementGroups.list({ name }), name),
        read: (id) => placementGroups.get(id),
        rename: (id, to) => placementGroups.rename(id, to),
        create: () => placementGroups.create({ name, type: 'spread', labels }),
      },
      context,
    )
    await context.client.waitForActions(actions, {
      operation: 'create placement group',
      target: name,
    })
    await restoreMarks(
      { kind: 'placement-group', current: resource, desired, api: placementGroups },
      context,
    )
    return { id: resource.id }
  },

  update: async (after, context) => {
    const id = requireId(context, `placement-group/${after.name}`)
    const group = await readToUpdate(after, () => context.client.placementGroups.get(id))
    const desired = placementGroupSpecSchema.parse(specToApply(after))
    const api = context.client.placementGroups
    await restoreMarks({ kind: 'placement-group', current: group, desired, api }, context)
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
