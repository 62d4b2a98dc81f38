import type { Taint } from '../spec/cluster-spec.ts'

/** One node that the spec asks for, with its slot, name and address: the same for every domain. */
export interface ClusterNode {
  readonly name: string
  readonly role: 'control-plane' | 'worker'
  readonly pool: string
  /** Counts from 1 within its pool; kept for the node's whole life. */
  readonly slot: number
  /** Where its machine stands, in a mode that has places. */
  readonly location?: string | undefined
  readonly privateIp: string
  readonly publicIpv4: boolean
  readonly publicIpv6: boolean
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly patches: readonly string[]
}
