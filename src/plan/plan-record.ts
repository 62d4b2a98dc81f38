import { z } from 'zod'
import { jsonDigest } from '../lib/canonical-json.ts'
import type { Finding } from '../lib/finding.ts'
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts'
import { type Change, risks, worstRisk } from './change.ts'
import type { Plan } from './plan.ts'
import { type ClusterRecord, type RecordKey, recordKinds } from './record.ts'
import type { ApprovedPlan } from './verdict.ts'

/** What the plan was made of. */
export interface PlanOrigin {
  /** SHA-256 of the cluster file's text. */
  readonly file: string
  /** The commit that was planned: the head of the pull request. */
  readonly commit: string
  readonly toolVersion: string
}

/**
 * A plan as it is shown and approved: whatever people read is rendered from it, and what an apply compares with is
 * read from it, so that the two cannot differ. It has of the plan what is shown and what makes its identity, and
 * nothing that only carrying it out takes.
 */
export interface PlanRecord extends PlanOrigin {
  readonly plan: Plan
}

const text = z.string().max(20_000)
const digest = z.string().regex(/^[0-9a-f]{64}$/)
const json: z.ZodType<Json> = z.json()
const key = z.custom<RecordKey>(
  (value) =>
    typeof value === 'string' &&
    value.length <= 300 &&
    recordKinds.some((kind) => value.startsWith(`${kind}/`) && value.length > kind.length + 1),
)
const field = z.strictObject({ path: text, before: json, after: json })
const waitingSchema = z.strictObject({
  key,
  action: z.enum(['create', 'update', 'replace', 'delete']),
  risk: z.enum(risks),
  reason: text,
  fields: z.array(field),
})
const changeSchema = waitingSchema.extend({ after: json })
const findingSchema = z.strictObject({
  severity: z.enum(['error', 'warning']),
  path: z.array(z.union([text, z.number()])),
  message: text,
  hint: text.nullable(),
})
const recordSchema = z.strictObject({
  format: z.literal(1),
  tool: z.string().max(100),
  file: digest,
  commit: z.string().max(100),
  clusterName: z.string().max(100),
  verb: z.enum(['apply', 'upgrade', 'destroy']),
  cost: z.strictObject({ before: z.number(), after: z.number() }).optional(),
  changes: z.array(changeSchema),
  waiting: z.array(waitingSchema),
  findings: z.array(findingSchema),
  notes: z.array(text),
})

/** The record as JSON. */
export function formatPlanRecord(plan: Plan, origin: PlanOrigin): JsonObject {
  const { clusterName, verb, cost, changes, waiting, findings, notes } = plan
  return {
    format: 1,
    tool: origin.toolVersion,
    file: origin.file,
    commit: origin.commit,
    clusterName,
    verb,
    ...(cost && { cost: { before: cost.before, after: cost.after } }),
    changes: changes.map(({ reason }, index) => ({ ...plan.identities[index], reason })),
    waiting: waiting.map(({ key, action, risk, reason, fields }) => ({
      key,
      action,
      risk,
      reason,
      fields: fields.map(({ path, before = null, after = null }) => ({ path, before, after })),
    })),
    findings: findings.map(({ severity, path, message, hint = null }) => ({
      severity,
      path: [...path],
      message,
      hint,
    })),
    notes: [...notes],
  }
}

/** Reads one that came from outside. Its digest and its risk are worked out, not believed. Undefined for anything else. */
export function parsePlanRecord(value: unknown): PlanRecord | undefined {
  const parsed = recordSchema.safeParse(value)
  if (!parsed.success) return undefined
  const { tool, file, commit, clusterName, verb, cost, changes, waiting, findings, notes } =
    parsed.data
  const identities = changes.map(({ reason: _, ...identity }): JsonObject => identity)
  return {
    file,
    commit,
    toolVersion: tool,
    plan: {
      clusterName,
      verb,
      cost,
      changes: changes.map((change) => toChange(change, change.after)),
      waiting: waiting.map((change) => toChange(change, {})),
      risk: worstRisk(changes.map(({ risk }) => risk)),
      findings: findings.map(
        ({ hint, ...finding }): Finding => (hint === null ? finding : { ...finding, hint }),
      ),
      notes,
      identities,
      digest: jsonDigest({ clusterName, verb, changes: identities }),
    },
  }
}

export function approvedBy({ plan }: PlanRecord): ApprovedPlan {
  return { digest: plan.digest, changes: plan.identities }
}

function toChange(
  { key, action, risk, reason, fields }: z.infer<typeof waitingSchema>,
  spec: Json,
): Change {
  const record = recordOf(key, isJsonObject(spec) ? spec : {})
  return {
    key,
    action,
    risk,
    reason,
    fields: fields.map(({ path, before, after }) => ({
      path,
      before: before ?? undefined,
      after: after ?? undefined,
    })),
    before: action === 'create' ? undefined : record,
    after: action === 'delete' ? undefined : record,
    needs: [],
  }
}

function recordOf(key: RecordKey, spec: JsonObject): ClusterRecord {
  const kind = recordKinds.find((one) => key.startsWith(`${one}/`))
  if (!kind) throw new Error(`${key} passed the check of keys`)
  return { kind, name: key.slice(kind.length + 1), spec, needs: [] }
}
