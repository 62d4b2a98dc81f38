import { type Change, type FieldChange, type Risk, worstRisk } from '../plan/change.ts'
import { type ClusterRecord, recordKey } from '../plan/record.ts'
import { type ChangeEffect, restartedComponents, worstEffect } from './config/change-effect.ts'
import type { ConfigDifference } from './config/diff-configs.ts'
import type { NodeComponent } from './config/node-component.ts'

const risks: Record<ChangeEffect, Risk> = {
  nothing: 'live',
  live: 'live',
  restart: 'restart',
  reboot: 'reboot',
  reinstall: 'replace',
}

const effects: Record<Exclude<ChangeEffect, 'restart'>, string> = {
  nothing:
    'its machine config changes, which matters when Talos or Kubernetes is next installed or upgraded',
  live: 'its machine config changes, live',
  reboot: 'its machine config changes, and it is drained and reboots for that',
  reinstall: 'its machine config changes in what only a node that is recreated can take up',
}

/** What users notice while a component of one node restarts. */
const noticed: Record<NodeComponent, string> = {
  'kube-apiserver':
    'requests to the Kubernetes API of this node fail for about half a minute, and open watches, logs and exec sessions end',
  'kube-controller-manager': 'controllers pause until another one leads',
  'kube-scheduler': 'new pods wait until another one leads',
  kubelet: 'pods continue to run, and the node reports nothing for some seconds',
}

function reasonOf(differences: readonly ConfigDifference[]): string {
  const effect = worstEffect(differences.map((difference) => difference.effect))
  if (effect !== 'restart') return effects[effect]
  const components = restartedComponents(differences)
  const [first] = components
  const note = first === undefined ? '' : `: ${noticed[first]}`
  return `its machine config changes, and ${components.join(', ')} restarts for that${note}`
}

/**
 * An update of a node told by the fields of its machine config instead of by digests. `differences` are
 * between what was last applied and what is desired; undefined where that cannot be told.
 */
export function explainConfigUpdate(
  change: Change,
  differences: readonly ConfigDifference[] | undefined,
): Change {
  const isOurs = change.fields.some(({ path }) => path === 'configDigest')
  if (!isOurs || change.action !== 'update' || differences === undefined) return change
  const others = change.fields.filter(({ path }) => path !== 'configDigest')
  // Its shape alone costs nothing: what it takes is said of the fields in which it differs.
  const isMore = others.some(({ path }) => path !== 'contract')
  const effect = worstEffect(differences.map((difference) => difference.effect))
  return {
    ...change,
    fields: [...others, ...differences.map(toField)],
    risk: isMore ? change.risk : risks[effect],
    reason: isMore ? change.reason : reasonOf(differences),
  }
}

/**
 * The changes of a plan with those that put back what was changed by hand on nodes. `drifts` are the
 * fields in which running configs differ from ours, by the node's name; only nodes that both are there and
 * stay have any. What a node must be recreated for cannot have taken effect by hand, and is put back.
 */
export function healDrifts(
  changes: readonly Change[],
  drifts: ReadonlyMap<string, readonly ConfigDifference[]>,
  records: NodeRecords,
): Change[] {
  return changeNodes(changes, drifts, records, describeDrift)
}

interface NodeRecords {
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
}

/** The changes with those that bring these fields to running nodes, each with the reason that `describe` gives. */
export function changeNodes(
  changes: readonly Change[],
  byNode: ReadonlyMap<string, readonly ConfigDifference[]>,
  { desired, live }: NodeRecords,
  describe: (differences: readonly ConfigDifference[]) => string,
): Change[] {
  const own = new Map(changes.map((change) => [change.key, change]))
  const before = new Map(live.map((record) => [recordKey(record), record]))
  const made = desired.flatMap((after): Change[] => {
    const [key, former] = [recordKey(after), before.get(recordKey(after))]
    const differences = after.kind === 'node' ? (byNode.get(after.name) ?? []) : []
    if (former === undefined || differences.length === 0) return []
    const change = own.get(key)
    if (change && change.action !== 'update') return []
    const subject = { key, before: former, after, needs: after.needs }
    return [withFields(change, subject, differences, describe(differences))]
  })
  const changed = new Map(made.map((change) => [change.key, change]))
  return [
    ...changes.map((change) => changed.get(change.key) ?? change),
    ...made.filter(({ key }) => !own.has(key)),
  ]
}

function withFields(
  change: Change | undefined,
  subject: Pick<Change, 'key' | 'before' | 'after' | 'needs'>,
  differences: readonly ConfigDifference[],
  reason: string,
): Change {
  const effect = worstEffect(differences.map((difference) => difference.effect))
  const risk = effect === 'reinstall' ? 'reboot' : risks[effect]
  const known = new Set(change?.fields.map(({ path }) => path))
  const fields = [
    ...(change?.fields ?? []),
    ...differences.filter(({ path }) => !known.has(path)).map(toField),
  ]
  if (!change) return { ...subject, action: 'update', fields, risk, reason }
  return {
    ...change,
    fields,
    risk: worstRisk([change.risk, risk]) ?? risk,
    reason: `${change.reason}; ${reason}`,
  }
}

/** `its running config differs from ours: machine.sysctls["vm.swappiness"] and 2 more`. */
export function describeDrift(differences: readonly ConfigDifference[]): string {
  const [first, ...others] = differences.map(({ path }) => path)
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `its running config differs from ours: ${first}${more}`
}

function toField({ path, before, after }: ConfigDifference): FieldChange {
  return { path, before, after }
}
