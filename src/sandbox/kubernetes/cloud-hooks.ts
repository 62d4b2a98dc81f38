/** What Hetzner's controllers in the cluster ask of Hetzner. */
export interface CloudHooks {
  /** The server behind a node; undefined where Hetzner does not know it. */
  server(serverId: number): { readonly serverType: string; readonly location: string } | undefined
  /** Whether there was such a server, and it was deleted. */
  isGone(serverId: number): boolean
  /** Answers the address at which it is reached. */
  createLoadBalancer(balancer: BalancerOrder): Promise<{ readonly ipv4: string }>
  /** The one of this Service; nothing where there is none. */
  deleteLoadBalancer(serviceUid: string): void
  createVolume(volume: {
    readonly name: string
    readonly sizeGb: number
    readonly location: string
    readonly labels: Readonly<Record<string, string>>
  }): { readonly id: number }
  attachVolume(volumeId: number, serverId: number): void
  detachVolume(volumeId: number): void
  deleteVolume(volumeId: number): void
}

export interface BalancerOrder {
  readonly serviceUid: string
  readonly name: string
  readonly location: string
  /** Name or id of the network that it is to be attached to. */
  readonly network: string | undefined
  readonly ports: readonly { readonly port: number; readonly nodePort: number }[]
  readonly serverIds: readonly number[]
}
