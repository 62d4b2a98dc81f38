import { byName, foundIn } from './found-in-view.ts'
import type { HostsView } from './hosts-view.ts'

/** A control plane that has the key of the cluster's authority. */
export interface SigningControlPlane {
  readonly name: string
  /** When the first authority of the cluster ends, in milliseconds since the epoch. */
  readonly authoritiesEnd: number
}

/** The control planes that were reached and can sign for this very cluster, by name. */
export function signersIn(view: HostsView): SigningControlPlane[] {
  const { inventory, hosts } = foundIn(view)
  if (inventory === undefined) return []
  return [...hosts.values()]
    .filter(({ mark }) => mark?.uid === inventory.uid && !mark.hasLeft)
    .filter(
      ({ traces }) => inventory.authority === undefined || inventory.authority === traces.caHash,
    )
    .toSorted((a, b) => byName(a.name, b.name))
    .flatMap(({ name, traces: { hasCaKey, authoritiesEnd } }) =>
      hasCaKey && authoritiesEnd !== undefined ? [{ name, authoritiesEnd }] : [],
    )
}
