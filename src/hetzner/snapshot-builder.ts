import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { createLimit } from '../lib/limit.ts'
import type { Architecture } from '../spec/cluster-spec.ts'
import { isHetznerError } from './api/hetzner-api-error.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import type { CreateServerBody } from './api/servers.ts'
import type { MakerContext, OwnerContext, ReportStep } from './apply/apply-context.ts'
import { byName, createOrAdopt } from './apply/create-or-adopt.ts'
import { tolerances, tolerate } from './apply/tolerate.ts'
import { builderCandidates } from './builder-candidates.ts'
import { builderName } from './builder-name.ts'
import type { HetznerCatalogue } from './catalogue.ts'
import { capacityError } from './kinds/server/capacity-error.ts'
import { powerOn } from './kinds/server/server-power.ts'
import { type ClusterIdentity, resourceLabels } from './ownership.ts'
import { deleteBuilder } from './sweep-builders.ts'

/** The stock system that is never booted: the rescue system is. */
const stockImage = 'debian-13'

/** A server that exists to have its disk written and copied, and the key to its rescue system. */
export interface Builder {
  readonly serverId: number
  readonly serverName: string
  readonly sshKeyId: number
  readonly serverType: string
  readonly location: string
  readonly diskGb: number
}

export interface BuilderOptions {
  readonly identity: ClusterIdentity
  readonly arch: Architecture
  readonly catalogue: HetznerCatalogue
  /** An `authorized_keys` line whose private half the caller has. */
  readonly sshPublicKey: string
  /** Where to look first. */
  readonly location: string
  /** The smallest disk of any server that will be made from the snapshot, in GB. */
  readonly maxDiskGb?: number
  readonly report?: ReportStep
}

/**
 * Makes the key and the server, switched off, of the cheapest type with the smallest disk that can be
 * had, falling back over types and places where Hetzner has no room; what a former build left under
 * the name goes first, since its key is lost. Throws `hetzner-unavailable` when none can be had.
 * Whatever it throws, `deleteBuilder` cleans up.
 */
export async function createBuilder(
  client: HetznerClient,
  options: BuilderOptions,
): Promise<Builder> {
  const { identity, arch, catalogue, sshPublicKey, report = () => {} } = options
  const context: MakerContext = { client, identity, ids: new Map(), renames: createLimit(1) }
  const name = builderName(identity, arch)
  await deleteBuilder(client, identity, arch)
  const labels = resourceLabels(identity, 'image-builder')
  const { resource: sshKey } = await createOrAdopt(
    {
      kind: 'ssh-key',
      name,
      find: async () => byName(await client.sshKeys.list({ name }), name),
      read: (id) => client.sshKeys.get(id),
      create: async () => ({
        resource: await client.sshKeys.create({ name, public_key: sshPublicKey, labels }),
        actions: [],
      }),
    },
    context,
  )
  let lastError: unknown = new ClusterError(
    'hetzner-unavailable',
    `Hetzner sells no ${arch} server with a disk of at most ${options.maxDiskGb} GB`,
    { operation: 'create the server that builds the image', target: name },
  )
  for (const candidate of builderCandidates(catalogue, options, client.clock.now())) {
    const { type, location } = candidate
    report(`creating a ${type} in ${location}`)
    try {
      const body = { name, labels, server_type: type, location, ssh_keys: [sshKey.id] }
      const serverId = await createServer(body, context)
      return {
        serverId,
        serverName: name,
        sshKeyId: sshKey.id,
        serverType: type,
        location,
        diskGb: candidate.diskGb,
      }
    } catch (error) {
      if (!isClusterError(error, 'hetzner-unavailable')) throw error
      lastError = capacityError(error, { name, type, location }, { catalogue, client })
    }
  }
  throw lastError
}

/**
 * Boots the rescue system with the builder's key and returns the public IPv4 address under which its
 * SSH will answer soon. The stock system never boots.
 */
export async function enableRescueAndBoot(
  client: HetznerClient,
  builder: Builder,
): Promise<string> {
  await tolerate(client, tolerances.power, async () => {
    const action = await client.servers.enableRescue(builder.serverId, [builder.sshKeyId])
    await client.waitForActions([action], {
      operation: 'enable rescue',
      target: builder.serverName,
    })
  })
  const server = await powerOn(client, { id: builder.serverId, name: builder.serverName })
  const ip = server.public_net.ipv4?.ip
  if (ip === undefined) throw new Error(`${server.name} has no public IPv4 address`)
  return ip
}

async function createServer(
  body: Pick<CreateServerBody, 'name' | 'labels' | 'server_type' | 'location' | 'ssh_keys'>,
  context: MakerContext,
): Promise<number> {
  const { client } = context
  const { name } = body
  const { resource, actions } = await createOrAdopt(
    {
      kind: 'server',
      name,
      find: async () => byName(await client.servers.list({ name }), name),
      read: (id) => client.servers.get(id),
      create: () =>
        client.servers.create({
          ...body,
          image: stockImage,
          start_after_create: false,
          public_net: { enable_ipv4: true, enable_ipv6: false },
        }),
    },
    context,
  )
  try {
    await client.waitForActions(actions, { operation: 'create server', target: name })
  } catch (error) {
    // It may fail late for want of room; then the next candidate needs the name.
    if (isHetznerError(error)) await removeFailed(resource.id, context)
    throw error
  }
  return resource.id
}

async function removeFailed(id: number, { client, ids }: OwnerContext): Promise<void> {
  await tolerate(client, tolerances.deleteServer, async () => {
    await client.waitForActions(await client.servers.delete(id), { operation: 'delete server' })
  })
  ids.clear()
}
