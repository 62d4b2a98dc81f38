import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import { type ClusterRecord, kindTraits, partOf, type RecordKind } from '../plan/record.ts'

/** The stretches of an apply that can be run by themselves. */
export type ApplyStage = (typeof kindTraits)[RecordKind]['stages'][number]

/** Whether a stage makes this change. */
export function isOfStage({ after, before }: Change, stage: ApplyStage): boolean {
  const record = after ?? before
  return record !== undefined && stagesOf(record).includes(stage)
}

function stagesOf({ kind }: ClusterRecord): readonly ApplyStage[] {
  return kindTraits[kind].stages
}

/** A stage cannot stand on what another one has yet to make. */
export function checkStage(changes: readonly Change[], all: readonly Change[]): Finding[] {
  const own = new Set(changes.map(({ key }) => key))
  const others = new Set(all.filter(({ key }) => !own.has(key)).map(({ key }) => key))
  const missing = new Set(changes.flatMap(({ needs }) => needs.filter((need) => others.has(need))))
  const [first] = missing
  if (first === undefined) return []
  return [
    {
      severity: 'error',
      path: [],
      message: `this stage needs ${first}${missing.size > 1 ? ` and ${missing.size - 1} more` : ''}, which another stage makes`,
      hint: 'Run the stages in their order: infra, talos, addons.',
    },
  ]
}

/** A member of etcd goes together with its server, and the next one waits until its successor has joined. */
export function checkStagedControlPlanes(changes: readonly Change[]): Finding[] {
  const taken = changes.find(
    ({ action, before }) =>
      before?.spec['role'] === 'control-plane' &&
      (action === 'delete' || (action === 'replace' && partOf(before) === 'machine')),
  )
  if (taken === undefined) return []
  return [
    {
      severity: 'error',
      path: ['nodes', 'controlPlane'],
      message: `${taken.action} ${taken.key} would take a member from etcd, which no stage does by itself`,
      hint: 'Apply all of it: `hcloud-talos apply` without --stage, or the action reconcile.',
    },
  ]
}
