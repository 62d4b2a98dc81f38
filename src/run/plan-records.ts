import type { JsonObject } from '../lib/json.ts'
import type { Plan } from '../plan/plan.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import { specDigest } from '../spec/spec-digest.ts'
import type { Generation } from '../store/generation.ts'
import type { AppliedSpec } from '../store/state-changes.ts'
import type { RunDescription } from './run-context.ts'

/** How many plans that were carried out the branch keeps in view; git's history has them all. */
const keptPlans = 20

/** What is written down when a spec was applied to its end. */
export function appliedSpec(spec: CommonSpec, { commit }: RunDescription): AppliedSpec {
  return { specDigest: specDigest(spec), commit }
}

/**
 * The record of a plan that is about to be carried out, by its digest; the oldest ones beyond a score go. A resumable
 * one can be compared with, for an approval that stands nowhere else.
 */
export function recordPlan(
  plan: Plan,
  spec: CommonSpec,
  run: RunDescription,
  now: number,
  generation: Generation | undefined,
  { resumable = false }: { readonly resumable?: boolean } = {},
): Record<string, JsonObject | undefined> {
  const { digest, verb, changes } = plan
  const record: JsonObject = {
    format: 1,
    digest,
    verb,
    changes: changes.map(({ action, key }) => `${action} ${key}`),
    specDigest: specDigest(spec),
    commit: run.commit ?? null,
    actor: run.actor ?? null,
    run: run.id,
    attempt: run.attempt,
    url: run.url ?? null,
    at: new Date(now).toISOString(),
    ...(resumable && { identities: plan.identities }),
  }
  const former = [...(generation?.plans ?? [])]
    .filter(([key]) => key !== digest)
    .sort(([, a], [, b]) => (timeOf(a) < timeOf(b) ? 1 : -1))
    .slice(keptPlans - 1)
  return { ...Object.fromEntries(former.map(([key]) => [key, undefined])), [digest]: record }
}

/** The records of resumable plans of this run, which has come to its end: nothing of them is approved any more. */
export function finishPlans(
  generation: Generation | undefined,
  { id }: RunDescription,
): Record<string, JsonObject> {
  const own = [...(generation?.plans ?? [])].filter(
    ([, record]) => record['run'] === id && 'identities' in record,
  )
  return Object.fromEntries(own.map(([digest, record]) => [digest, { ...record, finished: true }]))
}

function timeOf(plan: JsonObject): string {
  return String(plan['at'])
}
