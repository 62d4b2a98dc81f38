import type { Labelled } from '../labels.ts'

export interface PrimaryIpRecord extends Labelled {
  readonly type: 'ipv4' | 'ipv6'
  /** IPv4: a loopback address. IPv6: the whole /64. */
  readonly ip: string
  readonly location: string
  /** The server that has it. */
  assignee: number | null
  autoDelete: boolean
  deleteProtected: boolean
  dnsPtrs: Record<string, string>
}
