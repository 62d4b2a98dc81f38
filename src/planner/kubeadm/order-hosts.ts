import { type Change, changedPart } from '../../plan/change.ts'
import { orderControlPlanes } from '../../plan/order-control-planes.ts'
import type { RecordKey } from '../../plan/record.ts'
import { byName } from './found-in-view.ts'

interface KnownHosts {
  /** Whether the cluster exists. */
  readonly isRunning: boolean
  /** Where it begins, where it does not. */
  readonly first: string | undefined
  readonly members: number
  /** How many workers are taken out of service at once. */
  readonly maxUnavailable: number
  /** Names of those that are out of service already. */
  readonly outOfService: ReadonlySet<string>
}

/**
 * In which order hosts change. What touches control planes is one line: what they share, then one of them after the
 * other. Workers join at once, and are taken out of service in lanes. Pure.
 */
export function orderHosts(unordered: readonly Change[], known: KnownHosts): Change[] {
  // What one of them waits for is listed in the order of the changes: that of hosts in a file must not show in it.
  const changes = unordered.toSorted((a, b) => byName(a.key, b.key))
  const { isRunning, first, members } = known
  if (!isRunning) return chainFirstJoins(changes, first)
  const freed = changes.map(freeHead)
  const ordered = orderControlPlanes(freed, { running: true, members })
  return chainWorkers(followHead(ordered), known)
}

/** The cluster begins on one control plane, and the others join one after the other. */
function chainFirstJoins(changes: readonly Change[], first: string | undefined): Change[] {
  const joins = changes
    .filter((change) => isMade(change) && changedPart(change) === 'node' && isControlPlanes(change))
    .toSorted((a, b) => rank(a, first) - rank(b, first) || byName(a.key, b.key))
    .map(({ key }) => key)
  return changes.map((change) => {
    const previous = joins[joins.indexOf(change.key) - 1]
    return joins.includes(change.key) ? follow(change, previous) : change
  })
}

function rank({ after }: Change, first: string | undefined): number {
  return after?.name === first ? 0 : 1
}

/** What all control planes share, and exists: it needs none of their changes, which come after. */
function freeHead(change: Change): Change {
  return isHead(change) ? { ...change, needs: [] } : change
}

/**
 * Members of nobody leave etcd first; then the configuration, which those that join take over; then kube-vip, one host
 * after the other.
 */
const heads = ['etcd', 'kubernetes', 'kube-vip']

function isHead({ action, after }: Change): boolean {
  return action === 'update' && after !== undefined && heads.includes(after.kind)
}

function followHead(changes: readonly Change[]): Change[] {
  const kindOf = ({ after }: Change) => heads.indexOf(after?.kind ?? '')
  const head = changes
    .filter(isHead)
    .toSorted((a, b) => kindOf(a) - kindOf(b) || byName(a.key, b.key))
    .map(({ key }) => key)
  return changes.map((change) => {
    const at = head.indexOf(change.key)
    if (at >= 0) return follow(change, head[at - 1])
    const isStep = isDisruptive(change) && isControlPlanes(change)
    return isStep ? follow(change, head.at(-1)) : change
  })
}

/** Takes a node out of service, or makes one that etcd counts. */
export function isDisruptive(change: Change): boolean {
  const part = changedPart(change)
  if (part !== 'machine' && part !== 'node') return false
  // Preparing a host, or forgetting it, disturbs nobody.
  if (part === 'machine' && change.action !== 'replace' && change.action !== 'update') return false
  return change.action !== 'update' || !['additive', 'live'].includes(change.risk)
}

/** Of a worker: from its first change that pods feel to its last. */
interface WorkerStep {
  readonly name: string
  readonly keys: readonly RecordKey[]
}

/**
 * The first alone, since nobody has seen it work yet; then not more at once than the file allows. Those that are out of
 * service already go first: another one that is stopped before would be one more.
 */
function chainWorkers(
  changes: readonly Change[],
  { maxUnavailable: lanes, outOfService }: Pick<KnownHosts, 'maxUnavailable' | 'outOfService'>,
): Change[] {
  const rankOf = ({ name }: WorkerStep) => (outOfService.has(name) ? 0 : 1)
  const isLeaving = (change: Change) =>
    isDisruptive(change) && !isControlPlanes(change) && change.action !== 'create'
  const byWorker = Map.groupBy(changes.filter(isLeaving), (change) => nameOf(change))
  const steps: WorkerStep[] = [...byWorker.entries()]
    .map(([name, own]) => ({ name, keys: own.map(({ key }) => key) }))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || byName(a.name, b.name))
  const previous = new Map(
    steps.flatMap(({ keys }, index) => {
      const before = index === 0 ? [] : ((steps[index - lanes] ?? steps[0])?.keys ?? [])
      return keys.map((key) => [key, before] as const)
    }),
  )
  return changes.map((change) => ({
    ...change,
    ...(previous.has(change.key) && {
      follows: [...(change.follows ?? []), ...(previous.get(change.key) ?? [])],
    }),
  }))
}

function follow(change: Change, key: RecordKey | undefined): Change {
  return key === undefined ? change : { ...change, follows: [...(change.follows ?? []), key] }
}

function isMade({ after, action }: Change): boolean {
  return after !== undefined && action !== 'update'
}

/** Whether it touches a control plane, before it or after it. */
export function isControlPlanes({ after, before }: Change): boolean {
  return [after, before].some((record) => record?.spec['role'] === 'control-plane')
}

function nameOf({ after, before }: Change): string {
  const record = after ?? before
  return record ? record.name : ''
}
