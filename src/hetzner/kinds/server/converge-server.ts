import { ClusterError } from '../../../lib/cluster-error.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { waitFor } from '../../../lib/wait-for.ts'
import type { ApiAction } from '../../api/actions.ts'
import type { ApiServer } from '../../api/servers.ts'
import { type HetznerApplyContext, type ReportStep, requireId } from '../../apply/apply-context.ts'
import { restoreMarks } from '../../apply/restore-marks.ts'
import { type Tolerance, tolerances, tolerate } from '../../apply/tolerate.ts'
import { powerOn, switchOff } from './server-power.ts'
import { type ServerSpec, serverFacts } from './server-record.ts'

/**
 * Brings a server to what is desired, each step only where it is still needed, so that it goes on
 * wherever an earlier run stopped: name and labels, firewall, placement group, network, power.
 */
export async function convergeServer(
  server: ApiServer,
  spec: ServerSpec,
  context: HetznerApplyContext,
  report: ReportStep,
): Promise<JsonObject> {
  const { client } = context
  await restoreMarks(
    { kind: 'server', current: server, desired: spec, api: client.servers },
    context,
  )
  await applyFirewall(server, spec, context)
  const stopped = await joinPlacementGroup(server, spec, context, report)
  await attach(server, spec, context, report)
  const started = spec.power === 'on' && (stopped || server.status !== 'running')
  if (started) report('switching on')
  const current = started ? await powerOn(client, server) : server
  return serverFacts(current, spec.privateIp)
}

async function applyFirewall(
  { id, name, public_net }: ApiServer,
  { firewall }: ServerSpec,
  context: HetznerApplyContext,
): Promise<void> {
  if (firewall === null) return
  const firewallId = requireId(context, `firewall/${firewall}`)
  if ((public_net.firewalls ?? []).some((applied) => applied.id === firewallId)) return
  const { client } = context
  await tolerate(client, tolerances.applyFirewall, async () => {
    const actions = await client.firewalls.apply(firewallId, [{ type: 'server', server: { id } }])
    await client.waitForActions(actions, { operation: 'apply firewall', target: name })
  })
}

/** Returns whether the server was switched off for it. */
async function joinPlacementGroup(
  server: ApiServer,
  { placementGroup }: ServerSpec,
  context: HetznerApplyContext,
  report: ReportStep,
): Promise<boolean> {
  const { client } = context
  const current = server.placement_group?.id ?? null
  const group = placementGroup === null ? null : groupId(placementGroup, server, context)
  if (current === group) return false
  report('switching off to change its placement group')
  const act = actOn(server, context)
  await switchOff(client, server)
  if (current !== null) {
    await act(tolerances.changePlacementGroup, () =>
      client.servers.removeFromPlacementGroup(server.id),
    )
  }
  if (group !== null) {
    await act(tolerances.changePlacementGroup, () =>
      client.servers.addToPlacementGroup(server.id, group),
    )
  }
  return true
}

/** Where somebody put a server into a group of theirs, and that is kept, the server itself knows its id. */
function groupId(
  name: string,
  { placement_group: current }: ApiServer,
  context: HetznerApplyContext,
): number {
  const id = context.ids.get(`placement-group/${name}`)
  if (id === undefined && current?.name === name) return current.id
  return requireId(context, `placement-group/${name}`)
}

/**
 * "Already attached" is only good news if it is with the desired address: a server without a public
 * side is made inside the network, with an address that Hetzner chose.
 */
async function attach(
  server: ApiServer,
  spec: ServerSpec,
  context: HetznerApplyContext,
  report: ReportStep,
): Promise<void> {
  const { network, privateIp } = spec
  if (network === null || privateIp === null) return
  const { servers } = context.client
  const networkId = requireId(context, `network/${network}`)
  const act = actOn(server, context)
  const madeInside = !spec.publicIpv4 && !spec.publicIpv6
  let address = addressOf(madeInside ? await servers.get(server.id) : server, networkId)
  for (let round = 1; address !== privateIp; round++) {
    if (address !== null) {
      if (round > 2) throw otherAddressError(server, privateIp)
      await act(tolerances.detachServer, () => servers.detachFromNetwork(server.id, networkId))
    }
    report(`attaching as ${privateIp}`)
    const attached = await act(tolerances.attachServer, () =>
      servers.attachToNetwork(server.id, networkId, privateIp),
    )
    address = attached ? privateIp : await waitForAddress(server, networkId, context)
  }
}

/** The address of a server that is said to be attached; it may show late. */
function waitForAddress(
  { id, name }: ApiServer,
  networkId: number,
  { client }: HetznerApplyContext,
): Promise<string> {
  return waitFor(
    `server ${name} to be in its network`,
    async () => {
      const address = addressOf(await client.servers.get(id), networkId)
      return address === null ? { pending: 'it has no address inside yet' } : { done: address }
    },
    { clock: client.clock, signal: client.signal, everyMs: 1_000, withinMs: 120_000 },
  )
}

function addressOf({ private_net }: ApiServer, networkId: number): string | null {
  return private_net.find((entry) => entry.network === networkId)?.ip ?? null
}

function otherAddressError({ name }: ApiServer, privateIp: string): ClusterError {
  return new ClusterError(
    'hetzner-failed',
    `the server is in the network under another address than ${privateIp}`,
    {
      operation: 'attach server',
      target: name,
      hint: 'Plan again: the server has to be replaced.',
    },
  )
}

/** Resolves to whether it was done now; false where it was so already. */
function actOn({ name }: ApiServer, { client }: HetznerApplyContext) {
  return async (tolerance: Tolerance, start: () => Promise<ApiAction>): Promise<boolean> => {
    const done = await tolerate(client, tolerance, async () => {
      await client.waitForActions([await start()], { operation: 'change server', target: name })
      return true
    })
    return done ?? false
  }
}
