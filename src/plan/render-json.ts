import type { JsonObject } from '../lib/json.ts'
import type { Change } from './change.ts'
import type { Plan } from './plan.ts'

/** The plan for programs: stable names, every change with its identity, reason and needs. */
export function renderPlanJson(plan: Plan): JsonObject {
  return {
    version: 1,
    clusterName: plan.clusterName,
    verb: plan.verb,
    digest: plan.digest,
    risk: plan.risk ?? null,
    cost: plan.cost ? { before: plan.cost.before, after: plan.cost.after, currency: 'EUR' } : null,
    changes: plan.changes.map((change, index) => ({
      ...plan.identities[index],
      reason: change.reason,
      needs: change.needs,
    })),
    waiting: plan.waiting.map(describeWaiting),
    findings: plan.findings.map(({ severity, path, message, hint, position }) => ({
      severity,
      path: [...path],
      message,
      hint: hint ?? null,
      line: position?.line ?? null,
      column: position?.column ?? null,
    })),
    notes: plan.notes,
  }
}

function describeWaiting({ key, action, risk, reason, fields }: Change): JsonObject {
  return {
    key,
    action,
    risk,
    reason,
    fields: fields.map(({ path, before, after }) => ({
      path,
      before: before ?? null,
      after: after ?? null,
    })),
  }
}
