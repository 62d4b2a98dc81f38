import { jsonDigest } from '../lib/canonical-json.ts'
import type { Finding } from '../lib/finding.ts'
import type { Json, JsonObject } from '../lib/json.ts'
import { type Change, type Risk, worstRisk } from './change.ts'
import { orderChanges } from './order-changes.ts'
import type { ClusterRecord } from './record.ts'

/** What a plan is for: each verb makes only its own kind of change. */
export type Verb = 'apply' | 'upgrade' | 'destroy'

/** Euro per month without tax; what has no price counts as nothing. */
export interface Cost {
  readonly before: number
  readonly after: number
}

/** Everything that a run will do, in order. Apply does what stands here and nothing else. */
export interface Plan {
  readonly clusterName: string
  readonly verb: Verb
  readonly changes: readonly Change[]
  /** What differs too, but waits for another verb. */
  readonly waiting: readonly Change[]
  /** Undefined where nothing has a price: hosts that exist have none. */
  readonly cost: Cost | undefined
  /** The worst of its changes; undefined when there is nothing to do. */
  readonly risk: Risk | undefined
  /** Errors among these forbid the plan; warnings are shown. */
  readonly findings: readonly Finding[]
  /** What readers should know of how it came about: what was not looked at. */
  readonly notes: readonly string[]
  /** What makes each change the one that it is, in the plan's order: what digests and approvals stand on. */
  readonly identities: readonly JsonObject[]
  /** 64 hex digits over the canonical JSON of the identities: equal for equal plans, whatever made them. */
  readonly digest: string
}

export interface PlanParts {
  readonly clusterName: string
  readonly verb: Verb
  readonly changes: readonly Change[]
  readonly waiting?: readonly Change[]
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
  readonly findings?: readonly Finding[]
  readonly notes?: readonly string[]
  /**
   * The cluster's uid, taken out of identities: a plan made before it was minted is the same plan.
   * Absent where there is none yet.
   */
  readonly uid?: string | undefined
}

/** Stands for the uid of a cluster that has none yet. */
export const unmintedUid = '<uid>'

/** Puts changes into order and derives from them what a plan says of itself. */
export function makePlan(parts: PlanParts): Plan {
  const changes = orderChanges(parts.changes)
  const identities = changes.map((change) => withoutUid(changeIdentity(change), parts.uid))
  return {
    clusterName: parts.clusterName,
    verb: parts.verb,
    changes,
    waiting: orderChanges(parts.waiting ?? []),
    cost: costOf(parts),
    risk: worstRisk(changes.map((change) => change.risk)),
    findings: parts.findings ?? [],
    notes: parts.notes ?? [],
    identities,
    digest: jsonDigest({
      clusterName: parts.clusterName,
      verb: parts.verb,
      changes: identities,
    }),
  }
}

/** A uid is 16 random hex digits: it stands for itself wherever it occurs. */
function withoutUid(identity: JsonObject, uid: string | undefined): JsonObject {
  return uid === undefined
    ? identity
    : JSON.parse(JSON.stringify(identity).replaceAll(uid, unmintedUid))
}

/**
 * What makes two changes the same: what is done to which record, from what to what, at what risk.
 * Words for people and values that only the outside decides are left out.
 */
function changeIdentity(change: Change): JsonObject {
  return {
    key: change.key,
    action: change.action,
    risk: change.risk,
    after: change.after?.spec ?? null,
    fields: change.fields.map(({ path, before, after }) => ({
      path,
      before: orNull(before),
      after: orNull(after),
    })),
  }
}

function orNull(value: Json | undefined): Json {
  return value ?? null
}

function costOf({ live, desired }: Pick<PlanParts, 'live' | 'desired'>): Cost | undefined {
  const hasPrices = [...live, ...desired].some((record) => record.monthlyCost !== undefined)
  return hasPrices ? { before: monthlyCost(live), after: monthlyCost(desired) } : undefined
}

function monthlyCost(records: readonly ClusterRecord[]): number {
  const cents = records.reduce((sum, { monthlyCost = 0 }) => sum + Math.round(monthlyCost * 100), 0)
  return cents / 100
}
