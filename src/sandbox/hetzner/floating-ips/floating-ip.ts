import type { Labelled } from '../labels.ts'

export interface FloatingIpRecord extends Labelled {
  readonly type: 'ipv4' | 'ipv6'
  readonly ip: string
  description: string
  readonly homeLocation: string
  server: number | null
  deleteProtected: boolean
  dnsPtrs: Record<string, string>
}
