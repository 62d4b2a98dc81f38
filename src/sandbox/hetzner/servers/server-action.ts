import type { LatencyName } from '../../latency.ts'
import type { ActionResource } from '../actions/action.ts'
import { answerAction } from '../actions/answer-action.ts'
import { type ActionPlan, ensureUnlocked } from '../actions/run-action.ts'
import { findRecord } from '../api/find-record.ts'
import type { Answer, Call } from '../api/route.ts'
import type { ServerRecord, ServerTransition } from './server.ts'

export interface ServerActionPlan {
  readonly command: string
  readonly latency?: LatencyName
  /** What the server shows as its status meanwhile. */
  readonly transition?: ServerTransition
  /** What it concerns besides the server, which always comes first. */
  readonly besides?: readonly ActionResource[]
  readonly run?: () => void | Promise<void>
  readonly fail?: () => void | Promise<void>
}

/** The server of the path: 404 where there is none, 423 while an exclusive action runs on it. */
export function findFreeServer(call: Call): ServerRecord {
  const server = findServer(call)
  ensureUnlocked(server)
  return server
}

export function findServer(call: Call): ServerRecord {
  return findRecord(call.state.servers, call.id, 'server')
}

/** An action that nothing else may interrupt: it locks the server and shows what is going on. */
export function exclusiveAction(server: ServerRecord, plan: ServerActionPlan): ActionPlan {
  server.transition = plan.transition ?? server.transition
  const end = () => {
    if (plan.transition !== undefined) server.transition = undefined
  }
  return {
    command: plan.command,
    resources: [{ id: server.id, type: 'server' }, ...(plan.besides ?? [])],
    locks: server,
    ...(plan.latency && { latency: plan.latency }),
    run: async () => {
      await plan.run?.()
      end()
    },
    fail: async () => {
      await plan.fail?.()
      end()
    },
  }
}

/** Starts an exclusive action on a server and answers 201 with it. */
export function answerExclusive(
  call: Call,
  server: ServerRecord,
  plan: ServerActionPlan,
  besides: Record<string, unknown> = {},
): Answer {
  return answerAction(call, exclusiveAction(server, plan), besides)
}
