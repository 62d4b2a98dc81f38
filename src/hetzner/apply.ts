import type { JsonObject } from '../lib/json.ts'
import type { Change } from '../plan/change.ts'
import type { HetznerApplyContext, ReportStep } from './apply/apply-context.ts'
import { type HetznerKindTable, hetznerKinds, kindOf } from './kinds/hetzner-kinds.ts'

/**
 * Makes one change of Hetzner's kinds; images, which take SSH as well, are made elsewhere. Idempotent:
 * may be run again after a stop between any two requests. Returns what only Hetzner decides, as the
 * record's facts (`id`, `publicIp`, `privateIp`, …); nothing after a delete. Failures are ClusterErrors.
 */
export async function applyHetznerChange(
  change: Change,
  context: HetznerApplyContext,
  report: ReportStep = () => {},
  kinds: HetznerKindTable = hetznerKinds,
): Promise<JsonObject> {
  const { action, before, after } = change
  const record = after ?? before
  if (!record) throw new Error('a change needs a record')
  const applier = kindOf(record, kinds).apply
  if (before && (action === 'delete' || action === 'replace')) {
    report('deleting')
    await applier.delete(before, context, report)
  }
  if (!after || action === 'delete') return {}
  return action === 'update'
    ? applier.update(after, context, report)
    : applier.create(after, context, report)
}
