import type { ClusterRecord, RecordKind } from '../plan/record.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import { type Found, findResources, liveRecords, withAids } from './find-resources.ts'
import type { ControllerPlace, Observed } from './kinds/hetzner-kind.ts'
import { type HetznerKindTable, hetznerKinds, kindOf } from './kinds/hetzner-kinds.ts'
import type { KnownResources } from './known-resources.ts'
import { observeCatalogue } from './observe.ts'
import { type ClusterIdentity, isOurs } from './ownership.ts'

/** A volume that hangs on one of our servers but was not made by the cluster. It is never deleted. */
interface GuestVolume {
  readonly name: string
  readonly id: number
  readonly sizeGb: number
  readonly server: string
}

export interface HetznerLeftovers {
  /**
   * All that is the cluster's: what its state recorded or carries its uid, and what its controllers made (load balancers
   * with `facts.origin` `controller`, volumes with `spec.sizeGb`). Ids stand in the facts.
   */
  readonly records: readonly ClusterRecord[]
  readonly guestVolumes: readonly GuestVolume[]
  /** What carries the cluster's uid although the cluster did not create it. It is never deleted. */
  readonly marked: readonly {
    readonly kind: RecordKind
    readonly name: string
    readonly id: number
  }[]
}

export interface DestroyOptions {
  readonly identity: ClusterIdentity
  /** What the state remembers. */
  readonly known?: KnownResources | undefined
  /** Name of the network that was lent to the cluster, where it has none of its own. */
  readonly network?: string | undefined
}

/** Finds everything of the cluster's that the project has, however it came to be. Changes nothing. */
export async function observeDestroy(
  client: HetznerClient,
  { identity, known, network = identity.clusterName }: DestroyOptions,
  kinds: HetznerKindTable = hetznerKinds,
): Promise<HetznerLeftovers> {
  const [catalogue, everything] = await Promise.all([
    observeCatalogue(client),
    findResources(client, { ...identity, known, network, run: 'destroy' }, kinds),
  ])
  const found = withAids(everything)
  const observed = { found, catalogue, network }
  const records = [
    ...liveRecords(observed),
    ...madeByControllers(observed, placeOf(observed, identity.uid)),
  ]
  return {
    records: records.map((record) => orderedAmong(record, records, kinds)),
    guestVolumes: guestVolumes(found, records),
    marked: found.kinds.flatMap(({ kind, observation, sorted }) =>
      sorted.foreign
        .filter(({ labels }) => observation.isRecorded && isOurs(labels, identity.uid))
        .map(({ name, id }) => ({ kind, name, id })),
    ),
  }
}

/** Where the cluster's own controllers put what they make. */
function placeOf({ found, network }: Observed, uid: string): ControllerPlace {
  const { all, own } = found.of('network')
  const ownNetwork = own.find(({ name }) => name === network)
  return {
    uid,
    networkId: ownNetwork?.item.id ?? all.find(({ name }) => name === network)?.id,
    networkIsOurs: ownNetwork !== undefined,
    serverIds: new Set(found.of('server').own.map(({ item }) => item.id)),
  }
}

function madeByControllers(observed: Observed, place: ControllerPlace): ClusterRecord[] {
  return observed.found.kinds.flatMap(({ observation, sorted }) =>
    sorted.foreign
      .filter((item) => observation.isOfControllers(item, place))
      .flatMap((item) => {
        const own = { name: item.name, item, recorded: false, byControllers: true }
        return observation.live(own, observed) ?? []
      }),
  )
}

/** Needs, for the order of things, also what its kind goes before. */
function orderedAmong(
  record: ClusterRecord,
  all: readonly ClusterRecord[],
  kinds: HetznerKindTable,
): ClusterRecord {
  const others = kindOf(record, kinds).destroy.goesBefore(record, all)
  return others.length === 0 ? record : { ...record, needs: [...record.needs, ...others] }
}

function guestVolumes(found: Found, records: readonly ClusterRecord[]): GuestVolume[] {
  const ours = new Set(
    records.flatMap(({ kind, facts }) => (kind === 'volume' ? [facts?.['id']] : [])),
  )
  const servers = found.of('server').own
  return found
    .of('volume')
    .all.filter(({ id }) => !ours.has(id))
    .flatMap(({ name, id, size, server: serverId }) => {
      const server = servers.find(({ item }) => item.id === serverId)?.item
      return server ? [{ name, id, sizeGb: size, server: server.name }] : []
    })
}
