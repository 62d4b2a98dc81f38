import type { JsonObject } from '../lib/json.ts'
import type { Change } from '../plan/change.ts'
import type { ClusterRecord, RecordKind } from '../plan/record.ts'
import type { HetznerApplyContext, ResourceApply, Say } from './apply/apply-context.ts'
import { applyFirewall } from './apply/apply-firewall.ts'
import { applyLoadBalancer } from './apply/apply-load-balancer.ts'
import { applyNetwork } from './apply/apply-network.ts'
import { applyPlacementGroup } from './apply/apply-placement-group.ts'
import { applyServer } from './apply/apply-server.ts'
import { applySshKey } from './apply/apply-ssh-key.ts'
import { deleteVolume } from './apply/apply-volume.ts'

const appliers: Partial<Record<RecordKind, ResourceApply>> = {
  network: applyNetwork,
  firewall: applyFirewall,
  'placement-group': applyPlacementGroup,
  'ssh-key': applySshKey,
  'load-balancer': applyLoadBalancer,
  server: applyServer,
  volume: {
    create: refuseVolume,
    update: refuseVolume,
    delete: deleteVolume,
  },
}

/**
 * Makes one change of Hetzner's kinds; images, which take SSH as well, are made elsewhere. Idempotent:
 * may be run again after a stop between any two requests. Returns what only Hetzner decides, as the
 * record's facts (`id`, `publicIp`, `privateIp`, …); nothing after a delete. Failures are ClusterErrors.
 */
export async function applyHetznerChange(
  change: Change,
  context: HetznerApplyContext,
  say: Say = () => {},
): Promise<JsonObject> {
  const { action, before, after } = change
  const applier = appliers[kindOf(change)]
  if (!applier) throw new Error(`${change.key} is not Hetzner's to change`)
  if (before && (action === 'delete' || action === 'replace')) {
    say('deleting')
    await applier.delete(before, context, say)
  }
  if (!after || action === 'delete') return {}
  return action === 'update'
    ? applier.update(after, context, say)
    : applier.create(after, context, say)
}

function kindOf({ before, after }: Change): RecordKind {
  const record: ClusterRecord | undefined = after ?? before
  if (!record) throw new Error('a change needs a record')
  return record.kind
}

function refuseVolume(record: ClusterRecord): never {
  throw new Error(`volume ${record.name} is the storage driver's to make`)
}
