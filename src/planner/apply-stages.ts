import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import { kindTraits, type RecordKind, recordKinds } from '../plan/record.ts'

export type ApplyStage = (typeof kindTraits)[RecordKind]['stage']

/** The stretches of an apply that can be run by themselves, and what each of them makes. */
export const applyStages: Readonly<Record<ApplyStage, readonly RecordKind[]>> = {
  // The secrets are minted by whichever comes first.
  infra: [...madeIn('infra'), 'secrets'],
  talos: madeIn('talos'),
  addons: madeIn('addons'),
}

function madeIn(stage: ApplyStage): RecordKind[] {
  return recordKinds.filter((kind) => kindTraits[kind].stage === stage)
}

/** Whether a stage makes this change. */
export function isOfStage({ after, before }: Change, stage: ApplyStage): boolean {
  const kinds: readonly RecordKind[] = applyStages[stage]
  const record = after ?? before
  return record !== undefined && kinds.includes(record.kind)
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
    ({ key, action, before }) =>
      before?.spec['role'] === 'control-plane' &&
      (action === 'delete' || (action === 'replace' && key.startsWith('server/'))),
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
