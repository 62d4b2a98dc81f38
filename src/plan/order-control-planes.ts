import { type Change, changedPart, isSwitchedOn } from './change.ts'
import type { ClusterPart, RecordKey } from './record.ts'

/**
 * In which order etcd's members change: the dead leave, then those that were lost come back and new
 * ones join, so that etcd has as many members as it will get before any that lives is taken away or
 * stopped; those that leave for good go last. Only where they are two, which can do without neither, are
 * they one before that one is stopped.
 */
const ranks = {
  forget: 0,
  restore: 1,
  join: 2,
  replace: 3,
  stop: 4,
  configure: 5,
  leave: 6,
  stopLast: 7,
  configureLast: 8,
} as const
type Rank = (typeof ranks)[keyof typeof ranks]

export interface KnownMembers {
  /** Whether etcd was bootstrapped; before that control planes are made all at once. */
  readonly running: boolean
  /** How many members there are whose servers exist. */
  readonly members: number
}

/** What happens to one control plane without a pause: from its first change to its last. */
interface Step {
  readonly name: string
  readonly rank: Rank
  readonly first: RecordKey
  readonly last: RecordKey
}

/**
 * Puts everything that touches the members of etcd into one line, each step after the one before it has
 * ended. While a control plane is taken away nobody may be talking to it: what is done through
 * Kubernetes to workers and addons ends before, or begins after. Pure.
 */
export function orderControlPlanes(changes: readonly Change[], known: KnownMembers): Change[] {
  const { running } = known
  const steps = controlPlaneSteps(changes, known)
  const others = changes.filter((change) => isWorkers(change)).map(({ key }) => key)
  const addons = changes.filter((change) => changedPart(change) === 'addon').map(({ key }) => key)
  const etcd = changes.filter((change) => changedPart(change) === 'etcd').map(({ key }) => key)
  const replaced = running ? steps.filter(({ rank }) => rank === ranks.replace) : []
  const leaving = steps.filter(({ rank }) => rank === ranks.leave)

  const follows = new Map<RecordKey, RecordKey[]>()
  const follow = (key: RecordKey | undefined, before: readonly RecordKey[]) => {
    if (key !== undefined) follows.set(key, [...(follows.get(key) ?? []), ...before])
  }
  for (const [index, { first }] of steps.entries()) {
    const previous = steps[index - 1]
    if (previous) follow(first, [previous.last])
  }
  follow(replaced[0]?.first, others)
  follow(leaving[0]?.first, [...others, ...addons, ...etcd])
  const lastReplaced = replaced.at(-1)
  if (lastReplaced) for (const key of addons) follow(key, [lastReplaced.last])
  // Nobody can be asked to let a node go before there is a cluster.
  for (const change of changes) {
    if (change.action === 'delete' && changedPart(change) === 'node') follow(change.key, etcd)
  }
  return changes.map((change) => {
    const more = follows.get(change.key)
    return more ? { ...change, follows: [...(change.follows ?? []), ...more] } : change
  })
}

function controlPlaneSteps(changes: readonly Change[], { running, members }: KnownMembers): Step[] {
  const own = changes.filter(isControlPlanes)
  const names = new Set(own.flatMap((change) => nameOf(change) ?? []))
  const steps = [...names].flatMap((name) => {
    const of = (part: ClusterPart) =>
      own.find((change) => nameOf(change) === name && changedPart(change) === part)
    return stepsOf(name, of('machine'), of('node'))
  })
  return (running ? afterLeaving(steps, members) : beforeEtcd(steps)).sort(byRank)
}

function afterLeaving(steps: readonly Step[], members: number): Step[] {
  const most = members + steps.filter(isJoining).length
  if (most > 2 || !steps.some(({ rank }) => rank === ranks.leave)) return [...steps]
  const later = new Map<Rank, Rank>([
    [ranks.stop, ranks.stopLast],
    [ranks.configure, ranks.configureLast],
  ])
  return steps.map((step) => ({ ...step, rank: later.get(step.rank) ?? step.rank }))
}

/** Nobody has to be let go by an etcd that is not there yet. */
function beforeEtcd(steps: readonly Step[]): Step[] {
  return steps
    .filter((step) => !isJoining(step))
    .map((step) => (step.rank === ranks.forget ? { ...step, rank: ranks.leave } : step))
}

function isJoining({ rank }: Step): boolean {
  return rank === ranks.join || rank === ranks.restore
}

/** By slots, the highest first where they leave: a pool gives up its end. */
function byRank(a: Step, b: Step): number {
  const bySlot = a.name.localeCompare(b.name, 'en', { numeric: true })
  return a.rank - b.rank || (a.rank === ranks.leave ? -bySlot : bySlot)
}

function stepsOf(name: string, machine: Change | undefined, node: Change | undefined): Step[] {
  const step = (rank: Rank, first: Change, last: Change = first): Step => ({
    name,
    rank,
    first: first.key,
    last: last.key,
  })
  if (machine?.action === 'replace') return [step(rankOfReplaced(machine), machine, node)]
  if (machine?.action === 'delete') return [step(ranks.leave, node ?? machine, machine)]
  if (node?.action === 'delete') return [step(ranks.forget, node)]
  const isChanged = machine?.action === 'update' && !['additive', 'live'].includes(machine.risk)
  // One that is off is started at once, whatever else changes on it: the others wait until etcd is healthy.
  const stops = isChanged && !isSwitchedOn(machine)
  // No member runs on it yet.
  if (node?.action === 'create') return [step(ranks.join, stops ? machine : node, node)]
  if (node?.action === 'replace') return [step(ranks.restore, stops ? machine : node, node)]
  return [
    ...(stops ? [step(ranks.stop, machine)] : []),
    ...(node?.action === 'update' ? [step(ranks.configure, node)] : []),
  ]
}

/** One that becomes a control plane takes no member away. */
function rankOfReplaced({ before }: Change): Rank {
  return hasMember(before) ? ranks.replace : ranks.join
}

function nameOf({ after, before }: Change): string | undefined {
  return (after ?? before)?.name
}

/** Also one that becomes a worker, or was one. */
function isControlPlanes(change: Change): boolean {
  return isNodes(change) && [change.after, change.before].some(hasMember)
}

function hasMember(record: Change['after']): boolean {
  return record?.spec['role'] === 'control-plane'
}

function isWorkers(change: Change): boolean {
  return isNodes(change) && !isControlPlanes(change)
}

function isNodes(change: Change): boolean {
  const part = changedPart(change)
  return part === 'machine' || part === 'node'
}
