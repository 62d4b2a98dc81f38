import type { LatencyName } from '../../latency.ts'
import type { World } from '../../world.ts'
import { conflict, locked } from '../api/api-error.ts'
import { formatTime } from '../labels.ts'
import type { ServerRecord } from '../servers/server.ts'
import type { ActionRecord, ActionResource } from './action.ts'

export interface ActionPlan {
  readonly command: string
  readonly resources: readonly ActionResource[]
  /** How long it takes; at once where absent. */
  readonly latency?: LatencyName
  /** The server that nothing else may change meanwhile. */
  readonly locks?: ServerRecord
  /** The network, firewall or load balancer that nothing else may change meanwhile. */
  readonly changes?: number
  /** Its effect, when its time has come. */
  readonly run?: () => void | Promise<void>
  /** What is left when it ends in an error. */
  readonly fail?: () => void | Promise<void>
}

/** 423 where an exclusive action runs on this server. */
export function ensureUnlocked(server: ServerRecord): void {
  if (server.lockedBy !== undefined) throw locked()
}

/** 409 where an action changes this network, firewall or load balancer. */
export function ensureUnchanging(world: World, id: number): void {
  if (world.hetzner.changing.has(id)) throw conflict()
}

/** Starts one action; it goes on by itself. */
export function startAction(world: World, plan: ActionPlan): ActionRecord {
  const [action] = startActions(world, [plan])
  if (action === undefined) throw new Error('no action was started')
  return action
}

/** Starts several actions of which each waits for the one before; a failure takes the rest with it. */
export function startActions(world: World, plans: readonly ActionPlan[]): ActionRecord[] {
  const started = plans.map((plan) => ({ plan, action: open(world, plan) }))
  world.background(async () => {
    for (const [index, { plan, action }] of started.entries()) {
      if (await finish(world, plan, action)) continue
      for (const { plan: later, action: left } of started.slice(index + 1)) {
        if (action.status === 'error') {
          close(world, later, left, { code: 'action_failed', message: 'Action failed' })
        }
      }
      return
    }
  })
  return started.map(({ action }) => action)
}

export function renderAction(world: World, action: ActionRecord): Record<string, unknown> {
  const { status, error, resources, command, id } = action
  const gone = (world.clock.now() - action.started) / Math.max(1, action.durationMs)
  return {
    id,
    command,
    status,
    progress: status === 'running' ? Math.min(99, Math.floor(gone * 100)) : 100,
    started: formatTime(action.started),
    finished: action.finished === null ? null : formatTime(action.finished),
    resources,
    error,
  }
}

function open(world: World, plan: ActionPlan): ActionRecord {
  const action: ActionRecord = {
    id: world.hetzner.nextId(),
    command: plan.command,
    status: 'running',
    started: world.clock.now(),
    finished: null,
    durationMs: plan.latency === undefined ? 0 : world.latency(plan.latency),
    resources: plan.resources,
    error: null,
  }
  world.hetzner.actions.set(action.id, action)
  if (plan.locks !== undefined) plan.locks.lockedBy = action.id
  if (plan.changes !== undefined) world.hetzner.changing.set(plan.changes, action.id)
  return action
}

/** False where it did not end well. */
async function finish(world: World, plan: ActionPlan, action: ActionRecord): Promise<boolean> {
  const outcome = world.faults.takeAction(plan.command)
  await Promise.resolve()
  if (outcome === 'stuck') return false
  if (action.durationMs > 0) {
    world.noteDelay({ what: plan.command, target: targetOf(world, action), ms: action.durationMs })
    await world.clock.sleep(action.durationMs, world.signal)
  }
  if (outcome !== undefined) {
    await plan.fail?.()
    close(world, plan, action, outcome.error)
    return false
  }
  await plan.run?.()
  close(world, plan, action, null)
  return true
}

/** The name of what an action is about, or its kind where it has none. */
function targetOf({ hetzner }: World, { resources: [first] }: ActionRecord): string {
  if (first?.type === 'server') return hetzner.servers.get(first.id)?.name ?? ''
  if (first?.type === 'load_balancer') return hetzner.loadBalancers.get(first.id)?.name ?? ''
  return first?.type ?? ''
}

function close(
  world: World,
  plan: ActionPlan,
  action: ActionRecord,
  error: ActionRecord['error'],
): void {
  action.status = error === null ? 'success' : 'error'
  action.error = error
  action.finished = world.clock.now()
  const { hetzner } = world
  if (plan.locks?.lockedBy === action.id) plan.locks.lockedBy = undefined
  if (plan.changes !== undefined && hetzner.changing.get(plan.changes) === action.id) {
    hetzner.changing.delete(plan.changes)
  }
}
