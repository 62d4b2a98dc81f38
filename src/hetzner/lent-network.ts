import type { ApiNetwork } from './api/networks.ts'

/** A network of somebody else's that a cluster was put into. */
export interface LentNetwork {
  readonly id: number
  /** As the cluster file calls it. */
  readonly name: string
}

/** A network, and what it is called at Hetzner where that is not how the cluster file calls it. */
export interface NamedNetwork extends ApiNetwork {
  readonly calledNow?: string
}

/**
 * The networks of a project as the cluster file calls them: the one that was lent to the cluster is known by the id that
 * was recorded, under the name in the file, whatever it is called now; and what has that name by now is another one.
 * Until the first apply has recorded it, and where the file has got another name, the name decides.
 */
export function nameLentNetwork(
  networks: readonly ApiNetwork[],
  lent: LentNetwork | undefined,
  wanted: string | undefined,
): NamedNetwork[] {
  if (lent?.name !== wanted || !lent) return [...networks]
  return networks.map((network) => {
    const { name } = network
    if (network.id === lent.id) {
      return name === lent.name ? network : { ...network, name: lent.name, calledNow: name }
    }
    return network.name === lent.name
      ? { ...network, name: `${network.name} (id ${network.id})` }
      : network
  })
}
