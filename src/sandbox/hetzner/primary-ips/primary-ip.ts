import type { Labelled } from '../labels.ts'

export interface PrimaryIpRecord extends Labelled {
  readonly type: 'ipv4' | 'ipv6'
  /** IPv4: a loopback address. IPv6: the whole /64. */
  readonly ip: string
  readonly location: string
  /** The server or load balancer that has it. */
  assignee: number | null
  assigneeType: 'server' | 'load_balancer'
  autoDelete: boolean
  deleteProtected: boolean
  dnsPtrs: Record<string, string>
}
