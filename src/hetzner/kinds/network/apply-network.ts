import { ClusterError } from '../../../lib/cluster-error.ts'
import { waitFor } from '../../../lib/wait-for.ts'
import { isHetznerError } from '../../api/hetzner-api-error.ts'
import type { ApiNetwork, ApiSubnet } from '../../api/networks.ts'
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
import { type NetworkSpec, networkSpecSchema } from './network-record.ts'

/** How long a network may show members that have left, in milliseconds. */
const emptyWithinMs = 60_000

export const applyNetwork: ResourceApply = {
  create: async ({ name, spec }, context) => {
    const { networks } = context.client
    const desired = networkSpecSchema.parse(spec)
    const { resource } = await createOrAdopt(
      {
        kind: 'network',
        name,
        find: async () => byName(await networks.list({ name }), name),
        read: (id) => networks.get(id),
        create: async () => ({
          resource: await networks.create({
            name,
            ip_range: desired.ipRange,
            subnets: subnetsOf(desired),
            labels: desired.labels,
          }),
          actions: [],
        }),
      },
      context,
    )
    await converge(resource, desired, context)
    return { id: resource.id }
  },

  update: async (after, context) => {
    const id = requireId(context, `network/${after.name}`)
    const network = await readToUpdate(after, () => context.client.networks.get(id))
    await converge(network, networkSpecSchema.parse(specToApply(after)), context)
    return { id }
  },

  delete: (record, context) =>
    deleteResource(
      {
        record,
        read: (id) => context.client.networks.get(id),
        prepare: (network) => waitUntilEmpty(network, context),
        remove: async (id) => {
          await context.client.networks.delete(id)
          return []
        },
        tolerance: tolerances.deleteUsed,
      },
      context,
    ),
}

/**
 * Hetzner deletes a network under whoever is in it, without a word. Ours have left by now, which may show
 * late; anybody else came since the plan was made. Throws `leftovers`.
 */
async function waitUntilEmpty(
  { id, name }: ApiNetwork,
  { client }: Pick<HetznerApplyContext, 'client'>,
): Promise<void> {
  const { clock, signal } = client
  let members: readonly string[] = []
  await waitFor(
    `the network ${name} to be empty`,
    async () => {
      const { servers, load_balancers } = await client.networks.get(id)
      members = [
        ...(servers ?? []).map((server) => `server ${server}`),
        ...(load_balancers ?? []).map((loadBalancer) => `load balancer ${loadBalancer}`),
      ]
      return members.length === 0 ? { done: undefined } : { pending: members.join(', ') }
    },
    {
      clock,
      signal,
      everyMs: 2_000,
      withinMs: emptyWithinMs,
      timedOut: () =>
        new ClusterError(
          'leftovers',
          `the network ${name} (id ${id}) still has members: ${members.join(', ')}`,
          {
            operation: 'delete network',
            target: name,
            hint: 'Detach them in the Hetzner console, then run again.',
          },
        ),
    },
  )
}

async function converge(
  network: ApiNetwork,
  desired: NetworkSpec,
  context: HetznerApplyContext,
): Promise<void> {
  const { client } = context
  const marked = { kind: 'network', current: network, desired, api: client.networks } as const
  await restoreMarks(marked, context)
  if (network.ip_range !== desired.ipRange) {
    await tolerate(client, tolerances.changeNetwork, async () => {
      const action = await client.networks.changeIpRange(network.id, desired.ipRange)
      await client.waitForActions([action], { operation: 'grow network', target: network.name })
    })
  }
  // One after the other: Hetzner refuses two changes of one network at once.
  for (const subnet of subnetsOf(desired)) {
    if (!hasSubnet(network, subnet)) await addSubnet(network, subnet, context)
  }
}

/** A lost answer may have added it: then the second try is refused, and a look tells why. */
async function addSubnet(
  network: ApiNetwork,
  subnet: ApiSubnet,
  { client }: HetznerApplyContext,
): Promise<void> {
  try {
    await tolerate(client, tolerances.changeNetwork, async () => {
      const action = await client.networks.addSubnet(network.id, subnet)
      await client.waitForActions([action], { operation: 'add subnet', target: subnet.ip_range })
    })
  } catch (error) {
    const isDoubtful =
      isHetznerError(error) && (error.mayHaveTakenEffect || error.apiCode === 'invalid_input')
    if (!isDoubtful || !hasSubnet(await client.networks.get(network.id), subnet)) throw error
  }
}

function subnetsOf({ subnets }: NetworkSpec): ApiSubnet[] {
  return Object.entries(subnets)
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([ip_range, network_zone]) => ({ type: 'cloud', ip_range, network_zone }))
}

function hasSubnet({ subnets }: ApiNetwork, { ip_range }: ApiSubnet): boolean {
  return subnets.some((subnet) => subnet.ip_range === ip_range)
}
