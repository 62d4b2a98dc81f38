import { z } from 'zod'
import type { ApiAction } from './actions.ts'
import { actionsAnswer, deleteAnswer, labelsSchema } from './answers.ts'
import type { HetznerCaller } from './hetzner-caller.ts'

const strings = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? [])

const ruleSchema = z.object({
  direction: z.string(),
  protocol: z.string(),
  port: z.string().nullish(),
  source_ips: strings,
  destination_ips: strings,
  description: z.string().nullish(),
})

const firewallSchema = z.object({
  id: z.number(),
  name: z.string(),
  labels: labelsSchema,
  rules: z.array(ruleSchema),
  applied_to: z.array(
    z.object({
      type: z.string(),
      server: z.object({ id: z.number() }).nullish(),
      label_selector: z.object({ selector: z.string() }).nullish(),
      applied_to_resources: z
        .array(z.object({ type: z.string(), server: z.object({ id: z.number() }).nullish() }))
        .nullish(),
    }),
  ),
})
export type ApiFirewall = z.infer<typeof firewallSchema>
export type ApiFirewallRule = z.infer<typeof ruleSchema>

/** A rule as Hetzner takes it: only the fields that its direction and protocol allow. */
export interface FirewallRuleBody {
  readonly direction: string
  readonly protocol: string
  readonly port?: string
  readonly source_ips?: readonly string[]
  readonly destination_ips?: readonly string[]
  readonly description?: string
}

export type FirewallTarget =
  | { readonly type: 'server'; readonly server: { readonly id: number } }
  | { readonly type: 'label_selector'; readonly label_selector: { readonly selector: string } }

const createAnswer = z
  .object({ firewall: firewallSchema })
  .and(actionsAnswer)
  .transform(({ firewall, actions }) => ({ resource: firewall, actions }))
const answer = z.object({ firewall: firewallSchema }).transform(({ firewall }) => firewall)

export interface Firewalls {
  list(query?: { readonly name?: string; readonly label_selector?: string }): Promise<ApiFirewall[]>
  get(id: number): Promise<ApiFirewall>
  create(body: {
    readonly name: string
    readonly labels: Readonly<Record<string, string>>
    readonly rules: readonly FirewallRuleBody[]
    readonly apply_to?: readonly FirewallTarget[]
  }): Promise<{ resource: ApiFirewall; actions: ApiAction[] }>
  /** Replaces the whole map. */
  setLabels(id: number, labels: Readonly<Record<string, string>>): Promise<ApiFirewall>
  rename(id: number, name: string): Promise<ApiFirewall>
  /** Replaces all rules. */
  setRules(id: number, rules: readonly FirewallRuleBody[]): Promise<ApiAction[]>
  apply(id: number, targets: readonly FirewallTarget[]): Promise<ApiAction[]>
  remove(id: number, targets: readonly FirewallTarget[]): Promise<ApiAction[]>
  /** Refused with `resource_in_use` while anything, even an empty selector, uses it. */
  delete(id: number): Promise<void>
}

export function createFirewalls(caller: HetznerCaller): Firewalls {
  const act = async (id: number, name: string, body: Parameters<typeof toBody>[0]) => {
    const { actions } = await caller.request({
      method: 'POST',
      path: `/firewalls/${id}/actions/${name}`,
      body: toBody(body),
      schema: actionsAnswer,
      operation: `${name.replaceAll('_', ' ')} of firewall`,
    })
    return actions
  }
  return {
    list: (query = {}) =>
      caller.list({
        path: '/firewalls',
        member: 'firewalls',
        item: firewallSchema,
        query: { ...query },
        operation: 'list firewalls',
      }),
    get: (id) =>
      caller.request({
        method: 'GET',
        path: `/firewalls/${id}`,
        schema: answer,
        operation: 'read firewall',
      }),
    create: ({ name, labels, rules, apply_to }) =>
      caller.request({
        method: 'POST',
        path: '/firewalls',
        body: { name, labels, ...toBody({ rules, ...(apply_to ? { apply_to } : {}) }) },
        schema: createAnswer,
        repeat: 'once',
        operation: 'create firewall',
        target: name,
      }),
    setLabels: (id, labels) =>
      caller.request({
        method: 'PUT',
        path: `/firewalls/${id}`,
        body: { labels },
        schema: answer,
        operation: 'label firewall',
      }),
    rename: (id, name) =>
      caller.request({
        method: 'PUT',
        path: `/firewalls/${id}`,
        body: { name },
        schema: answer,
        operation: 'rename firewall',
      }),
    setRules: (id, rules) => act(id, 'set_rules', { rules }),
    apply: (id, apply_to) => act(id, 'apply_to_resources', { apply_to }),
    remove: (id, remove_from) => act(id, 'remove_from_resources', { remove_from }),
    delete: async (id) => {
      await caller.request({
        method: 'DELETE',
        path: `/firewalls/${id}`,
        schema: deleteAnswer,
        operation: 'delete firewall',
      })
    },
  }
}

function toBody({
  rules,
  apply_to,
  remove_from,
}: {
  rules?: readonly FirewallRuleBody[]
  apply_to?: readonly FirewallTarget[]
  remove_from?: readonly FirewallTarget[]
}) {
  return {
    ...(rules ? { rules: rules.map((rule) => ({ ...rule })) } : {}),
    ...(apply_to ? { apply_to: apply_to.map(targetBody) } : {}),
    ...(remove_from ? { remove_from: remove_from.map(targetBody) } : {}),
  }
}

function targetBody(target: FirewallTarget) {
  return target.type === 'server'
    ? { type: target.type, server: { id: target.server.id } }
    : { type: target.type, label_selector: { selector: target.label_selector.selector } }
}
