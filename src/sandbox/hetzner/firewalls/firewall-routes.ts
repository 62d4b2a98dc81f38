import { z } from 'zod'
import { renderActions } from '../actions/answer-action.ts'
import { type ActionPlan, ensureUnchanging, startAction } from '../actions/run-action.ts'
import { limitExceeded, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { ensureNameFree, findRecord } from '../api/find-record.ts'
import { list, listQuery } from '../api/list.ts'
import { type Answer, type Call, get, post, put, type Route, remove } from '../api/route.ts'
import { formatTime } from '../labels.ts'
import type { FirewallRecord, FirewallUse } from './firewall.ts'
import { readRules, renderRule, rulesBody } from './firewall-rules.ts'
import { ensureApplicable, isSameUse, readUses, renderUse, usesBody } from './firewall-uses.ts'
import { serversOfUse } from './firewalls-of-server.ts'

const maxFirewalls = 50

export const firewallRoutes: Route[] = [
  get('/firewalls', listQuery, (call) =>
    list(call, 'firewalls', call.state.firewalls.values(), (firewall) => render(call, firewall)),
  ),
  get('/firewalls/{id}', [], (call) => answer(call, findFirewall(call), 200)),
  post(
    '/firewalls',
    z.strictObject({
      name: fields.resourceName,
      labels: fields.labels.optional(),
      rules: rulesBody.optional(),
      apply_to: usesBody.nullish(),
    }),
    (call, body) => {
      const { state } = call
      const rules = readRules(body.rules ?? [])
      const uses = readUses(call.world, body.apply_to ?? [])
      ensureNameFree(state.firewalls, body.name)
      if (state.firewalls.size >= maxFirewalls) throw limitExceeded('firewall', 'firewall_limit')
      const firewall: FirewallRecord = {
        id: state.nextId(),
        name: body.name,
        labels: body.labels ?? {},
        created: state.now(),
        rules,
        uses: [],
      }
      ensureApplicable(call.world, firewall, uses)
      firewall.uses = uses
      state.firewalls.set(firewall.id, firewall)
      const actions = startAll(call, [
        { command: 'set_firewall_rules', resources: [resource(firewall)] },
        ...plansOf(call, 'apply_firewall', firewall, uses),
      ])
      return { status: 201, body: { firewall: render(call, firewall), actions } }
    },
  ),
  put(
    '/firewalls/{id}',
    z.strictObject({ name: fields.resourceName.optional(), labels: fields.labels.optional() }),
    (call, body) => {
      const firewall = findFirewall(call)
      ensureNameFree(call.state.firewalls, body.name, call.id)
      firewall.name = body.name ?? firewall.name
      firewall.labels = body.labels ?? firewall.labels
      return answer(call, firewall, 200)
    },
  ),
  remove('/firewalls/{id}', (call) => {
    const firewall = findFirewall(call)
    const now = call.state.now()
    const departed = call.state.departed.some(
      (server) => server.until > now && server.firewalls.includes(firewall.id),
    )
    if (firewall.uses.length > 0 || departed) {
      throw refused('resource_in_use', `firewall with ID ${firewall.id} is still in use`)
    }
    call.state.firewalls.delete(firewall.id)
    return { status: 204 }
  }),
  post('/firewalls/{id}/actions/set_rules', z.strictObject({ rules: rulesBody }), (call, body) => {
    const firewall = findChangeable(call)
    firewall.rules = readRules(body.rules)
    const servers = new Set(firewall.uses.flatMap((use) => serversOfUse(call.world, use)))
    return answerActions(call, [
      {
        command: 'set_firewall_rules',
        resources: [resource(firewall)],
        latency: 'change',
        changes: firewall.id,
      },
      ...[...servers].map((id) => planFor('apply_firewall', firewall, id)),
    ])
  }),
  post(
    '/firewalls/{id}/actions/apply_to_resources',
    z.strictObject({ apply_to: usesBody }),
    (call, body) => {
      const firewall = findChangeable(call)
      const uses = readUses(call.world, body.apply_to)
      ensureApplicable(call.world, firewall, uses)
      firewall.uses.push(...uses)
      return answerActions(call, plansOf(call, 'apply_firewall', firewall, uses))
    },
  ),
  post(
    '/firewalls/{id}/actions/remove_from_resources',
    z.strictObject({ remove_from: usesBody }),
    (call, body) => {
      const firewall = findChangeable(call)
      const uses = readUses(call.world, body.remove_from)
      for (const use of uses) ensureRemovable(call, firewall, use)
      const plans = plansOf(call, 'remove_firewall', firewall, uses)
      firewall.uses = firewall.uses.filter((use) => !uses.some((gone) => isSameUse(use, gone)))
      return answerActions(call, plans)
    },
  ),
]

/** A server that only a selector brought in cannot be taken out by itself. */
function ensureRemovable(call: Call, firewall: FirewallRecord, use: FirewallUse): void {
  if (firewall.uses.some((other) => isSameUse(other, use)) || use.type !== 'server') return
  const managed = firewall.uses.some(
    (other) =>
      other.type === 'label_selector' && serversOfUse(call.world, other).includes(use.server),
  )
  if (managed) {
    throw refused('firewall_managed_by_label_selector', 'firewall is managed by a label selector')
  }
}

function plansOf(
  call: Call,
  command: string,
  firewall: FirewallRecord,
  uses: readonly FirewallUse[],
): ActionPlan[] {
  const servers = new Set(uses.flatMap((use) => serversOfUse(call.world, use)))
  return [...servers].map((server) => planFor(command, firewall, server))
}

function planFor(command: string, firewall: FirewallRecord, server: number): ActionPlan {
  const resources = [{ id: server, type: 'server' }, resource(firewall)]
  return { command, resources, latency: 'change' }
}

function startAll(call: Call, plans: readonly ActionPlan[]): unknown[] {
  return renderActions(
    call,
    plans.map((plan) => startAction(call.world, plan)),
  )
}

function answerActions(call: Call, plans: readonly ActionPlan[]): Answer {
  return { status: 201, body: { actions: startAll(call, plans) } }
}

function findFirewall(call: Call): FirewallRecord {
  return findRecord(call.state.firewalls, call.id, 'firewall')
}

function findChangeable(call: Call): FirewallRecord {
  const firewall = findFirewall(call)
  ensureUnchanging(call.world, firewall.id)
  return firewall
}

function resource(firewall: FirewallRecord) {
  return { id: firewall.id, type: 'firewall' }
}

function answer(call: Call, firewall: FirewallRecord, status: number): Answer {
  return { status, body: { firewall: render(call, firewall) } }
}

function render(call: Call, firewall: FirewallRecord): Record<string, unknown> {
  return {
    id: firewall.id,
    name: firewall.name,
    labels: firewall.labels,
    created: formatTime(firewall.created),
    rules: firewall.rules.map(renderRule),
    applied_to: firewall.uses.map((use) => renderUse(call.world, use)),
  }
}
