import { jsonEquals } from '../../lib/canonical-json.ts'
import type { ApiSshKey } from '../api/ssh-keys.ts'
import { type Labels, mergeLabels } from '../ownership.ts'
import { sshKeySpecSchema } from '../records/ssh-key-record.ts'
import { type HetznerApplyContext, type ResourceApply, requireId } from './apply-context.ts'
import { byName, createOrAdopt } from './create-or-adopt.ts'
import { deleteResource } from './delete-resource.ts'
import { keylessPublicKey } from './keyless-public-key.ts'
import { readToUpdate } from './read-or-gone.ts'
import { tolerances } from './tolerate.ts'

export const applySshKey: ResourceApply = {
  create: async ({ name, spec }, context) => {
    const { sshKeys } = context.client
    const { labels } = sshKeySpecSchema.parse(spec)
    const { resource } = await createOrAdopt(
      {
        kind: 'ssh-key',
        name,
        find: async () => byName(await sshKeys.list({ name }), name),
        create: async () => ({
          resource: await sshKeys.create({ name, public_key: keylessPublicKey(name), labels }),
          actions: [],
        }),
      },
      context,
    )
    await converge(resource, labels, context)
    return { id: resource.id }
  },

  update: async (after, context) => {
    const id = requireId(context, `ssh-key/${after.name}`)
    const key = await readToUpdate(after, () => context.client.sshKeys.get(id))
    await converge(key, sshKeySpecSchema.parse(after.spec).labels, context)
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

async function converge(
  key: ApiSshKey,
  desired: Labels,
  { client }: HetznerApplyContext,
): Promise<void> {
  const labels = mergeLabels(key.labels, desired)
  if (!jsonEquals(labels, key.labels)) await client.sshKeys.setLabels(key.id, labels)
}
