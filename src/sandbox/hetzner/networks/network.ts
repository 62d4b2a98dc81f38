import type { Labelled } from '../labels.ts'

export interface Subnet {
  readonly type: 'cloud' | 'server' | 'vswitch'
  readonly ipRange: string
  readonly networkZone: string
}

export interface NetworkRoute {
  readonly destination: string
  readonly gateway: string
}

/** Its members are not stored here: servers and load balancers know their networks. */
export interface NetworkRecord extends Labelled {
  ipRange: string
  subnets: Subnet[]
  routes: NetworkRoute[]
  deleteProtected: boolean
  exposeRoutesToVswitch: boolean
}
