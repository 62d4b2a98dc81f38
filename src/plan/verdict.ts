import { jsonDigest, jsonEquals } from '../lib/canonical-json.ts'
import type { JsonObject } from '../lib/json.ts'
import { type Risk, risks, worstRisk } from './change.ts'
import { explainMove } from './explain-move.ts'
import { withoutHarmless } from './harmless-difference.ts'
import type { Plan } from './plan.ts'

/** What was approved, as it is kept: the identities of its changes under their digest. */
export interface ApprovedPlan {
  readonly digest: string
  readonly changes: readonly JsonObject[]
}

/**
 * How a fresh plan stands to the approved one: the same; a part of it (some of it is done already),
 * which is no more dangerous; or moved, with what was not approved and how it differs from what was. What
 * `withoutHarmless` leaves out may differ.
 */
export type Verdict =
  | { readonly verdict: 'identical' }
  | { readonly verdict: 'part'; readonly done: readonly string[] }
  | {
      readonly verdict: 'moved'
      readonly unapproved: readonly string[]
      /** The worst of what was not approved. */
      readonly risk: Risk
    }

export function toApprovedPlan(plan: Plan): ApprovedPlan {
  return { digest: plan.digest, changes: plan.identities }
}

/** Judges whether carrying out `plan` now stays within what was approved. */
export function judgePlan(plan: Plan, approved: ApprovedPlan): Verdict {
  if (plan.digest === approved.digest) return { verdict: 'identical' }
  const approvedDigests = new Set(
    approved.changes.flatMap((change) => digestOf(withoutHarmless(change))),
  )
  const replacements = new Map(
    approved.changes
      .filter((change) => change['action'] === 'replace')
      .map((change) => [String(change['key']), change]),
  )
  const unapproved = plan.changes.flatMap((change, index) => {
    const identity = plan.identities[index] ?? {}
    const digests = digestOf(withoutHarmless(identity))
    if (digests.every((digest) => approvedDigests.has(digest))) return []
    return isSecondHalf(identity, change.risk, replacements.get(change.key)) ? [] : [identity]
  })
  if (unapproved.length > 0) {
    const ofKey = new Map(approved.changes.map((change) => [change['key'], change]))
    const found = risks.filter((risk) => unapproved.some((change) => change['risk'] === risk))
    return {
      verdict: 'moved',
      risk: worstRisk(found) ?? 'data-loss',
      unapproved: unapproved.map((now) => explainMove(now, ofKey.get(now['key']))),
    }
  }
  const left = new Set<string>(plan.changes.map((change) => change.key))
  const done = approved.changes
    .map((change) => String(change['key']))
    .filter((key) => !left.has(key))
  return { verdict: 'part', done }
}

function digestOf(identity: JsonObject | undefined): string[] {
  return identity === undefined ? [] : [jsonDigest(identity)]
}

/**
 * An approved replacement that was cut short after the old one went: what is left of it is to make the
 * new one, as it was approved and at no greater risk.
 */
function isSecondHalf(identity: JsonObject, risk: Risk, approved: JsonObject | undefined): boolean {
  if (identity['action'] !== 'create' || approved === undefined) return false
  const approvedRisks = risks.slice(0, risks.map(String).indexOf(String(approved['risk'])) + 1)
  return (
    jsonEquals(identity['after'] ?? null, approved['after'] ?? null) && approvedRisks.includes(risk)
  )
}
