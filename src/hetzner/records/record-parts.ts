import type { RecordKey } from '../../plan/record.ts'
import type { ApiNetwork } from '../api/networks.ts'
import { isOurs } from '../ownership.ts'

/** Where a server or load balancer is attached. */
export interface Attachment {
  readonly networkId: number
  /** Name of the network; its id as text where the network is not to be seen. */
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
export function networkNames(
  networks: readonly ApiNetwork[],
  uid: string | undefined,
  clusterNetwork: string,
): NetworkNames {
  const byId = new Map(networks.map((network) => [network.id, network]))
  return {
    attachment: (privateNet) => {
      const all = privateNet.map(({ network: id, ip }) => {
        const network = byId.get(id)
        return {
          networkId: id,
          name: network?.name ?? String(id),
          ip,
          ours: network !== undefined && isOurs(network.labels, uid),
        }
      })
      return all.find(({ name }) => name === clusterNetwork) ?? all[0]
    },
  }
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

/** For spreading into a record: a price, where there is one. */
export function priced(monthlyCost: number | undefined): { monthlyCost?: number } {
  return monthlyCost === undefined ? {} : { monthlyCost }
}
