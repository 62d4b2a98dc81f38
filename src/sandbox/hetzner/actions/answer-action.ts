import type { Answer, Call } from '../api/route.ts'
import type { ActionRecord } from './action.ts'
import { type ActionPlan, renderAction, startAction } from './run-action.ts'

/** Starts an action and answers 201 with it, and with what else belongs to the answer. */
export function answerAction(
  call: Call,
  plan: ActionPlan,
  besides: Record<string, unknown> = {},
): Answer {
  const action = startAction(call.world, plan)
  return { status: 201, body: { ...besides, action: renderAction(call.world, action) } }
}

export function renderActions(call: Call, actions: readonly ActionRecord[]): unknown[] {
  return actions.map((action) => renderAction(call.world, action))
}
