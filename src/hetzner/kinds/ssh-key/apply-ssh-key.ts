import { type ResourceApply, requireId, specToApply } from '../../apply/apply-context.ts'
import { byName, createOrAdopt } from '../../apply/create-or-adopt.ts'
import { deleteResource } from '../../apply/delete-resource.ts'
import { readToUpdate } from '../../apply/read-or-gone.ts'
import { restoreMarks } from '../../apply/restore-marks.ts'
import { tolerances } from '../../apply/tolerate.ts'
import { keylessPublicKey } from './keyless-public-key.ts'
import { sshKeySpecSchema } from './ssh-key-record.ts'

export const applySshKey: ResourceApply = {
  create: async ({ name, spec }, context) => {
    const { sshKeys } = context.client
    const desired = sshKeySpecSchema.parse(spec)
    const { labels } = desired
    const { resource } = await createOrAdopt(
      {
        kind: 'ssh-key',
        name,
        find: async () => byName(await sshKeys.list({ name }), name),
        read: (id) => sshKeys.get(id),
        create: async () => ({
          resource: await sshKeys.create({ name, public_key: keylessPublicKey(name), labels }),
          actions: [],
        }),
      },
      context,
    )
    await restoreMarks({ kind: 'ssh-key', current: resource, desired, api: sshKeys }, context)
    return { id: resource.id }
  },

  update: async (after, context) => {
    const id = requireId(context, `ssh-key/${after.name}`)
    const key = await readToUpdate(after, () => context.client.sshKeys.get(id))
    const desired = sshKeySpecSchema.parse(specToApply(after))
    const api = context.client.sshKeys
    await restoreMarks({ kind: 'ssh-key', current: key, desired, api }, context)
    return { id }
  },

  delete: (record, context) =>
    deleteResource(
      {
        record,
        read: (id) => context.client.sshKeys.get(id),
        remove: async (id) => {
          await context.client.sshKeys.delete(id)
          return []
        },
        tolerance: tolerances.deleteUsed,
      },
      context,
    ),
}
