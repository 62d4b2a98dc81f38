import type { Labelled } from '../labels.ts'

export interface HealthCheck {
  readonly protocol: 'tcp' | 'http'
  readonly port: number
  readonly interval: number
  readonly timeout: number
  readonly retries: number
  readonly http?: {
    readonly domain: string | null
    readonly path: string
    readonly response?: string
    readonly statusCodes?: readonly string[]
    readonly tls?: boolean
  }
}

export interface LoadBalancerService {
  readonly protocol: 'tcp' | 'http' | 'https'
  readonly listenPort: number
  readonly destinationPort: number
  readonly proxyprotocol: boolean
  readonly healthCheck: HealthCheck
  readonly http?: {
    readonly cookieName: string
    readonly cookieLifetime: number
    readonly certificates: readonly number[]
    readonly redirectHttp: boolean
    readonly stickySessions: boolean
    readonly timeoutIdle: number
  }
}

export type LoadBalancerTarget =
  | {
      readonly type: 'server'
      readonly server: number
      readonly usePrivateIp: boolean
      readonly since: number
    }
  | {
      readonly type: 'label_selector'
      readonly selector: string
      readonly usePrivateIp: boolean
      readonly since: number
    }
  | { readonly type: 'ip'; readonly ip: string; readonly since: number }

export interface LoadBalancerRecord extends Labelled {
  type: string
  readonly location: string
  publicEnabled: boolean
  /** A loopback address of its own. */
  readonly ipv4: string
  readonly ipv6: string
  /** Ids of the primary IPs that it was given; without one, its address is Hetzner's. */
  readonly primaryIpv4: number | undefined
  readonly primaryIpv6: number | undefined
  dnsPtrs: Record<string, string>
  privateNets: { readonly network: number; readonly ip: string }[]
  /** Attachments whose action still runs: their addresses are taken, though not shown yet. */
  attaching: { readonly network: number; readonly ip: string }[]
  deleteProtected: boolean
  services: LoadBalancerService[]
  targets: LoadBalancerTarget[]
  algorithm: 'round_robin' | 'least_connections'
}
