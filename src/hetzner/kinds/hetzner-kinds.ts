import type { CloudKind, RecordKind } from '../../plan/record.ts'
import { firewallKind } from './firewall/firewall-kind.ts'
import type { ApplyPhase, HetznerKind } from './hetzner-kind.ts'
import { imageKind } from './image/image-kind.ts'
import { loadBalancerKind } from './load-balancer/load-balancer-kind.ts'
import { networkKind } from './network/network-kind.ts'
import { placementGroupKind } from './placement-group/placement-group-kind.ts'
import { serverKind } from './server/server-kind.ts'
import { sshKeyKind } from './ssh-key/ssh-key-kind.ts'
import { volumeKind } from './volume/volume-kind.ts'

/** By name. What goes over all kinds takes a table, so that a test can add a kind of its own. */
export type HetznerKindTable = Readonly<Record<string, HetznerKind>>

/**
 * Every kind of Hetzner resource, in the order in which people read a plan: one that a plan knows and that is missing
 * here does not compile, nor does one that a plan does not know.
 */
export const hetznerKinds = {
  image: imageKind,
  network: networkKind,
  firewall: firewallKind,
  'placement-group': placementGroupKind,
  'ssh-key': sshKeyKind,
  'load-balancer': loadBalancerKind,
  server: serverKind,
  volume: volumeKind,
} satisfies Readonly<Record<CloudKind, HetznerKind>>

/** What Hetzner answers with, by kind, as each kind says itself. */
export type HetznerItems = {
  readonly [K in keyof typeof hetznerKinds]: ItemOf<(typeof hetznerKinds)[K]>
}
type ItemOf<Kind> = Kind extends HetznerKind<infer Item> ? Item : never

/** The kind of a record. That it is one of the table's is up to the caller. */
export function kindOf(
  { kind }: { readonly kind: RecordKind },
  kinds: HetznerKindTable = hetznerKinds,
): HetznerKind {
  const found = kinds[kind]
  if (!found) throw new Error(`${kind} is no kind of Hetzner resource`)
  return found
}

/** Whether clusters share it, so that it is none's. */
export function isShared(
  { kind }: { readonly kind: RecordKind },
  kinds: HetznerKindTable = hetznerKinds,
): boolean {
  return kinds[kind]?.observe.observedIn === 'when-desired'
}

/** Names of all kinds. */
export function kindNames(kinds: HetznerKindTable = hetznerKinds): RecordKind[] {
  return Object.values(kinds).map(({ name }) => name)
}

/** Names of the kinds that are changed in a phase of an apply. */
export function kindsOf(phase: ApplyPhase, kinds: HetznerKindTable = hetznerKinds): RecordKind[] {
  return Object.values(kinds)
    .filter((kind) => kind.phase === phase)
    .map(({ name }) => name)
}
