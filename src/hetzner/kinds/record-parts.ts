import type { JsonObject } from '../../lib/json.ts'
import type { RecordKey } from '../../plan/record.ts'
import type { ApiNetwork } from '../api/networks.ts'
import type { OwnResource } from '../own-resources.ts'
import type { Observed } from './hetzner-kind.ts'

/** Where a server or load balancer is attached. */
export interface Attachment {
  readonly networkId: number
  /** Name of the network's record where it is ours, else its own; its id as text where it is not to be seen. */
  readonly name: string
  readonly ip: string
  readonly ours: boolean
}

/** Networks by id, to name what servers and load balancers know only by number. */
export interface NetworkNames {
  /** The attachment that counts: to the cluster's network if there is one, else the first. */
  attachment(
    privateNet: readonly { readonly network: number; readonly ip: string }[],
  ): Attachment | undefined
}

/** `clusterNetwork` is the name of the network that the cluster uses, own or lent. */
function networkNames(
  networks: readonly ApiNetwork[],
  own: readonly OwnResource<ApiNetwork>[],
  clusterNetwork: string,
): NetworkNames {
  const byId = new Map(networks.map(({ id, name }) => [id, name]))
  const ownById = new Map(own.map(({ item, name }) => [item.id, name]))
  return {
    attachment: (privateNet) => {
      const all = privateNet.map(({ network: id, ip }) => {
        const name = ownById.get(id) ?? byId.get(id) ?? String(id)
        return { networkId: id, name, ip, ours: ownById.has(id) }
      })
      return all.find(({ name }) => name === clusterNetwork) ?? all[0]
    },
  }
}

/** The project's networks by id, for what is attached to them. */
export function clusterNetworkNames({ found, network }: Observed): NetworkNames {
  const { all, own } = found.of('network')
  return networkNames(all, own, network)
}

/** A network of ours must go after what is in it; one that was lent to us is not ours to order. */
export function networkNeeds(attachment: Attachment | undefined): RecordKey[] {
  return attachment?.ours ? [`network/${attachment.name}`] : []
}

/** For spreading into facts: whether somebody protected it from deletion. */
export function protectionFact({
  protection,
}: {
  readonly protection?: { readonly delete: boolean } | null | undefined
}): { deleteProtected: boolean } {
  return { deleteProtected: protection?.delete ?? false }
}

/** What acting on a resource of ours takes: its id, and whether the state vouches for it whatever its labels say. */
export function ownFacts({ item, recorded }: OwnResource<{ readonly id: number }>): JsonObject {
  return { id: item.id, recorded }
}

/** For spreading into a record: a price, where there is one. */
export function priced(monthlyCost: number | undefined): { monthlyCost?: number } {
  return monthlyCost === undefined ? {} : { monthlyCost }
}
