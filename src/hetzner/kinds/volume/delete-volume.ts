import type { ClusterRecord } from '../../../plan/record.ts'
import type { ApiVolume } from '../../api/volumes.ts'
import type { OwnerContext } from '../../apply/apply-context.ts'
import { deleteResource } from '../../apply/delete-resource.ts'
import { tolerances, tolerate } from '../../apply/tolerate.ts'
import { isDriverVolume } from '../../controller-resources.ts'
import { isOurs } from '../../ownership.ts'

/** Deletes a volume that the cluster's storage driver made, detached first. Final: its data is lost. */
export function deleteVolume(record: ClusterRecord, context: OwnerContext): Promise<void> {
  const { client, identity } = context
  return deleteResource(
    {
      record,
      read: (id) => client.volumes.get(id),
      isMeant: (found) =>
        found.name === record.name &&
        (isOurs(found.labels, identity.uid) || isStillAttached(record, found)),
      prepare: async ({ id, name, server }) => {
        if (typeof server !== 'number') return
        await tolerate(client, tolerances.detachVolume, async () => {
          await client.waitForActions([await client.volumes.detach(id)], {
            operation: 'detach volume',
            target: name,
          })
        })
      },
      remove: async (id) => {
        await client.volumes.delete(id)
        return []
      },
      tolerance: tolerances.deleteUsed,
    },
    context,
  )
}

/** One that carries no uid is known by our server that it hangs on, or hung on until that went. */
function isStillAttached({ facts }: ClusterRecord, { labels, server }: ApiVolume): boolean {
  const ours = facts?.['server']
  return isDriverVolume(labels) && typeof ours === 'number' && (server ?? ours) === ours
}
