import { waitFor } from '../../../lib/wait-for.ts'
import type { ClusterRecord } from '../../../plan/record.ts'
import { HetznerApiError } from '../../api/hetzner-api-error.ts'
import type { ApiServer, CreateServerBody } from '../../api/servers.ts'
import {
  type HetznerApplyContext,
  type OwnerContext,
  type ResourceApply,
  requireId,
  specToApply,
} from '../../apply/apply-context.ts'
import { byName, type Created, createOrAdopt } from '../../apply/create-or-adopt.ts'
import { deleteResource } from '../../apply/delete-resource.ts'
import { readToUpdate } from '../../apply/read-or-gone.ts'
import { tolerances, tolerate } from '../../apply/tolerate.ts'
import { capacityError } from './capacity-error.ts'
import { convergeServer } from './converge-server.ts'
import { type ServerSpec, serverSpecSchema } from './server-record.ts'

/** From a snapshot it can take minutes. */
const creationLimitMs = 900_000

export const applyServer: ResourceApply = {
  create: async (after, context, report) => {
    const spec = serverSpecSchema.parse(after.spec)
    report('creating')
    const server = await createServer(after.name, spec, context)
    return convergeServer(server, spec, context, report)
  },

  update: async (after, context, report) => {
    const id = requireId(context, `server/${after.name}`)
    const server = await readToUpdate(after, () => context.client.servers.get(id))
    return convergeServer(server, serverSpecSchema.parse(specToApply(after)), context, report)
  },

  delete: (record, context) => deleteServer(record, context),
}

/** Deletes a server of ours with all that lives and dies with it. */
export function deleteServer(record: ClusterRecord, context: OwnerContext): Promise<void> {
  const { servers } = context.client
  return deleteResource(
    {
      record,
      read: (id) => servers.get(id),
      remove: (id) => servers.delete(id),
      tolerance: tolerances.deleteServer,
    },
    context,
  )
}

/**
 * Switched off and outside of the network: only attaching lets us choose its address inside. Its
 * firewall and placement group are there from its first second.
 */
async function createServer(
  name: string,
  spec: ServerSpec,
  context: HetznerApplyContext,
): Promise<ApiServer> {
  const { servers } = context.client
  const body = toCreateBody(name, spec, context)
  try {
    const created = await createOrAdopt(
      {
        kind: 'server',
        name,
        find: async () => byName(await servers.list({ name }), name),
        read: (id) => servers.get(id),
        rename: (id, to) => servers.rename(id, to),
        create: async () => {
          const made = await tolerate(context.client, tolerances.createServer, () =>
            servers.create(body),
          )
          if (!made) throw new Error('a server was neither made nor refused')
          return made
        },
      },
      context,
    )
    return await settle(created, context)
  } catch (error) {
    throw capacityError(error, { name, type: spec.serverType, location: spec.location }, context)
  }
}

/** Waits until Hetzner has made it. One that failed in the making is of no use and is taken away. */
async function settle(
  { resource, actions, adopted }: Created<ApiServer>,
  context: HetznerApplyContext,
): Promise<ApiServer> {
  const { client } = context
  if (adopted) return waitUntilMade(resource, context)
  try {
    await client.waitForActions(actions, {
      operation: 'create server',
      target: resource.name,
      withinMs: creationLimitMs,
    })
    return resource
  } catch (error) {
    if (isFailedAction(error)) {
      const facts = { id: resource.id }
      await deleteServer(
        { kind: 'server', name: resource.name, spec: {}, needs: [], facts },
        context,
      )
    }
    throw error
  }
}

/** An action that Hetzner does not find tells nothing of the server: unknown is not failed. */
function isFailedAction(error: unknown): boolean {
  return (
    error instanceof HetznerApiError &&
    error.source === 'action' &&
    error.apiCode !== 'action_not_found'
  )
}

function waitUntilMade(
  { id, name }: ApiServer,
  { client }: HetznerApplyContext,
): Promise<ApiServer> {
  return waitFor(
    `server ${name} to be made`,
    async () => {
      const server = await client.servers.get(id)
      return server.status === 'initializing'
        ? { pending: 'Hetzner is still making it' }
        : { done: server }
    },
    { clock: client.clock, signal: client.signal, everyMs: 2_000, withinMs: creationLimitMs },
  )
}

function toCreateBody(
  name: string,
  spec: ServerSpec,
  context: HetznerApplyContext,
): CreateServerBody {
  const hasPublicSide = spec.publicIpv4 || spec.publicIpv6
  return {
    name,
    server_type: spec.serverType,
    image: imageOf(spec, context),
    location: spec.location,
    start_after_create: false,
    ssh_keys: context.sshKeys,
    labels: spec.labels,
    public_net: { enable_ipv4: spec.publicIpv4, enable_ipv6: spec.publicIpv6 },
    ...(spec.placementGroup === null
      ? {}
      : { placement_group: requireId(context, `placement-group/${spec.placementGroup}`) }),
    ...(spec.firewall === null
      ? {}
      : { firewalls: [{ firewall: requireId(context, `firewall/${spec.firewall}`) }] }),
    // Hetzner makes no server without any network; its address is set right afterwards.
    ...(hasPublicSide || spec.network === null
      ? {}
      : { networks: [requireId(context, `network/${spec.network}`)] }),
  }
}

function imageOf({ image }: ServerSpec, context: HetznerApplyContext): number {
  if (typeof image === 'number') return image
  const name = image.knownAfter.replace(/^image\//, '')
  return requireId(context, `image/${name}`)
}
