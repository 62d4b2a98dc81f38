import ipaddr from 'ipaddr.js'
import { jsonEquals } from '../lib/canonical-json.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { createLimit } from '../lib/limit.ts'
import type { ApiFirewall, FirewallRuleBody, FirewallTarget } from './api/firewalls.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import type { OwnerContext } from './apply/apply-context.ts'
import { byName, createOrAdopt } from './apply/create-or-adopt.ts'
import { deleteResource } from './apply/delete-resource.ts'
import { tolerances, tolerate } from './apply/tolerate.ts'
import { kubernetesApiPort, talosApiPort } from './kinds/firewall/firewall-record.ts'
import { releaseFirewall } from './kinds/firewall/release-firewall.ts'
import { type ClusterIdentity, isOurs, nodeSelector, resourceLabels } from './ownership.ts'

/** Longer than any job of GitHub's hosted runners may take. */
const defaultHours = 7

export interface RuleOwner {
  readonly identity: ClusterIdentity
  /** Of the run, unique among those that are under way; lower-case letters, digits and dashes. */
  readonly runId: string
}

/**
 * Lets one address in to both APIs of every node, now and of those to come, for the length of a run:
 * by a firewall of its own, applied by label. Opening it again moves it to the new address. Load
 * balancers cannot be filtered and are not concerned.
 */
export async function createTemporaryRule(
  client: HetznerClient,
  {
    identity,
    runId,
    address,
    attempt = 1,
    hours = defaultHours,
  }: RuleOwner & {
    /** Public address of this machine, without a prefix. */
    readonly address: string
    /** Which try of the run this is. */
    readonly attempt?: number
    /** After this time, a sweep by another run takes it for left over. */
    readonly hours?: number
  },
): Promise<void> {
  const name = ruleName(identity, runId)
  const rules = rulesFor(address)
  if (client.serverTime === undefined) await client.firewalls.list({ name })
  const labels = {
    ...resourceLabels(identity, 'access'),
    run: runId,
    attempt: String(attempt),
    expires: String(Math.floor(commonTime(client) / 1_000 + hours * 3_600)),
  }
  const target: FirewallTarget = {
    type: 'label_selector',
    label_selector: { selector: nodeSelector(identity) },
  }
  const { resource, actions, adopted } = await createOrAdopt(
    {
      kind: 'firewall',
      name,
      find: async () => byName(await client.firewalls.list({ name }), name),
      read: (id) => client.firewalls.get(id),
      create: () => client.firewalls.create({ name, labels, rules, apply_to: [target] }),
    },
    { client, identity, ids: new Map(), renames: createLimit(1) },
  )
  const wait = { operation: 'create the temporary firewall rule', target: name }
  await client.waitForActions(actions, wait)
  if (!adopted) return
  if (!jsonEquals(resource.labels, labels)) await client.firewalls.setLabels(resource.id, labels)
  await tolerate(client, tolerances.applyFirewall, async () => {
    await client.waitForActions(await client.firewalls.setRules(resource.id, rules), wait)
  })
  await tolerate(client, tolerances.applyFirewall, async () => {
    await client.waitForActions(await client.firewalls.apply(resource.id, [target]), wait)
  })
}

/** Shuts it again; fine if it is shut already. */
export async function deleteTemporaryRule(
  client: HetznerClient,
  { identity, runId }: RuleOwner,
): Promise<void> {
  const name = ruleName(identity, runId)
  const found = byName(await client.firewalls.list({ name }), name)
  if (!found || !isOurs(found.labels, identity.uid)) return
  await deleteFirewall(found, { client, identity, ids: new Map() })
}

/**
 * Takes away what runs that died have left open: this cluster's access firewalls whose time is over,
 * or whose run has ended as far as `isOver` can prove. Returns their names.
 */
export async function sweepTemporaryRules(
  client: HetznerClient,
  {
    identity,
    isOver = async () => undefined,
  }: Pick<RuleOwner, 'identity'> & {
    readonly isOver?: ((run: string, attempt: number) => Promise<boolean | undefined>) | undefined
  },
): Promise<string[]> {
  const found = await judgeRules(client, { identity, isOver })
  const over = found.filter(({ isLeft }) => isLeft === true).map(({ firewall }) => firewall)
  await Promise.all(over.map((one) => deleteFirewall(one, { client, identity, ids: new Map() })))
  return over.map(({ name }) => name)
}

/** The temporary rules of this cluster that are open, each with whether its run has ended; undefined where it is not known. */
export async function listTemporaryRules(
  client: HetznerClient,
  options: RuleQuery,
): Promise<{ readonly run: string; readonly isLeft: boolean | undefined }[]> {
  const judged = await judgeRules(client, options)
  return judged.map(({ firewall: { name, labels }, isLeft }) => ({
    run: labels['run'] ?? name,
    isLeft,
  }))
}

interface RuleQuery extends Pick<RuleOwner, 'identity'> {
  readonly isOver?: ((run: string, attempt: number) => Promise<boolean | undefined>) | undefined
}

async function judgeRules(
  client: HetznerClient,
  { identity, isOver = async () => undefined }: RuleQuery,
): Promise<{ readonly firewall: ApiFirewall; readonly isLeft: boolean | undefined }[]> {
  const found = await client.firewalls.list({
    label_selector: `uid=${identity.uid},component=access`,
  })
  const now = commonTime(client) / 1_000
  const mine = found.filter(({ labels }) => isOurs(labels, identity.uid))
  return await Promise.all(
    mine.map(async (firewall) => {
      const { run, expires, attempt } = firewall.labels
      if (Number(expires) < now) return { firewall, isLeft: true }
      return {
        firewall,
        isLeft: run === undefined ? undefined : await isOver(run, Number(attempt)),
      }
    }),
  )
}

/** Hetzner's time: one run writes when a rule expires and another reads it, and their own clocks may differ by hours. */
function commonTime({ serverTime, clock }: HetznerClient): number {
  return serverTime ?? clock.now()
}

function deleteFirewall(firewall: ApiFirewall, context: OwnerContext): Promise<void> {
  const { firewalls } = context.client
  return deleteResource(
    {
      record: {
        kind: 'firewall',
        name: firewall.name,
        spec: {},
        needs: [],
        facts: { id: firewall.id },
      },
      read: (id) => firewalls.get(id),
      prepare: (current) => releaseFirewall(current, context.client),
      remove: async (id) => {
        await firewalls.delete(id)
        return []
      },
      tolerance: tolerances.deleteUsed,
    },
    context,
  )
}

function ruleName({ clusterName }: ClusterIdentity, runId: string): string {
  return `${clusterName}-access-${runId}`
}

function rulesFor(address: string): FirewallRuleBody[] {
  if (!ipaddr.isValid(address)) {
    throw new ClusterError('usage', `not an IP address: ${address}`, {
      operation: 'create the temporary firewall rule',
      hint: 'See what answers at HCLOUD_TALOS_IP_LOOKUP.',
    })
  }
  const parsed = ipaddr.process(address)
  const source = `${parsed.toString()}/${parsed.kind() === 'ipv4' ? 32 : 128}`
  return [
    { port: kubernetesApiPort, description: 'Kubernetes API for this run' },
    { port: talosApiPort, description: 'Talos API for this run' },
  ].map((rule) => ({ direction: 'in', protocol: 'tcp', source_ips: [source], ...rule }))
}
