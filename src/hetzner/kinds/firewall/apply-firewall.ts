import { jsonEquals } from '../../../lib/canonical-json.ts'
import type { ApiFirewall } from '../../api/firewalls.ts'
import {
  type HetznerApplyContext,
  type ResourceApply,
  requireId,
  specToApply,
} from '../../apply/apply-context.ts'
import { byName, createOrAdopt } from '../../apply/create-or-adopt.ts'
import { deleteResource } from '../../apply/delete-resource.ts'
import { readToUpdate } from '../../apply/read-or-gone.ts'
import { restoreMarks } from '../../apply/restore-marks.ts'
import { tolerances, tolerate } from '../../apply/tolerate.ts'
import { type FirewallSpec, firewallSpecSchema } from './firewall-record.ts'
import { canonicalRules, fromApiRule, toApiRule } from './firewall-rule.ts'
import { releaseFirewall } from './release-firewall.ts'

export const applyFirewall: ResourceApply = {
  create: async ({ name, spec }, context) => {
    const { firewalls } = context.client
    const desired = firewallSpecSchema.parse(spec)
    const { resource, actions } = await createOrAdopt(
      {
        kind: 'firewall',
        name,
        find: async () => byName(await firewalls.list({ name }), name),
        read: (id) => firewalls.get(id),
        create: () =>
          firewalls.create({
            name,
            labels: desired.labels,
            rules: desired.rules.map(toApiRule),
          }),
      },
      context,
    )
    await context.client.waitForActions(actions, { operation: 'create firewall', target: name })
    await converge(resource, desired, context)
    return { id: resource.id }
  },

  update: async (after, context) => {
    const id = requireId(context, `firewall/${after.name}`)
    const firewall = await readToUpdate(after, () => context.client.firewalls.get(id))
    await converge(firewall, firewallSpecSchema.parse(specToApply(after)), context)
    return { id }
  },

  delete: (record, context) =>
    deleteResource(
      {
        record,
        read: (id) => context.client.firewalls.get(id),
        prepare: (firewall) => releaseFirewall(firewall, context.client),
        remove: async (id) => {
          await context.client.firewalls.delete(id)
          return []
        },
        tolerance: tolerances.deleteUsed,
      },
      context,
    ),
}

async function converge(
  firewall: ApiFirewall,
  desired: FirewallSpec,
  context: HetznerApplyContext,
): Promise<void> {
  const { client } = context
  const marked = { kind: 'firewall', current: firewall, desired, api: client.firewalls } as const
  await restoreMarks(marked, context)
  if (jsonEquals(canonicalRules(firewall.rules.map(fromApiRule)), desired.rules)) return
  await tolerate(client, tolerances.applyFirewall, async () => {
    const actions = await client.firewalls.setRules(firewall.id, desired.rules.map(toApiRule))
    await client.waitForActions(actions, { operation: 'set firewall rules', target: firewall.name })
  })
}
