/** What Hetzner's controllers in the cluster ask of Hetzner, as the sandbox answers it. */
export interface CloudHooks {
  /** The server behind a node; undefined when it is gone, and the node is to go, too. */
  server(serverId: number): { readonly serverType: string; readonly location: string } | undefined
  /** A Service of type LoadBalancer wants one; answers its public address. */
  createLoadBalancer?(service: {
    readonly uid: string
    readonly namespace: string
    readonly name: string
    readonly annotations: Readonly<Record<string, string>>
    readonly ports: readonly { readonly port: number; readonly nodePort: number }[]
  }): Promise<{ readonly ipv4: string }>
  deleteLoadBalancer?(serviceUid: string): Promise<void>
  /** A claim wants a volume; answers its id. */
  createVolume?(volume: {
    readonly name: string
    readonly sizeGb: number
    readonly location: string
    readonly labels: Readonly<Record<string, string>>
  }): Promise<{ readonly id: number }>
  attachVolume?(volumeId: number, serverId: number): Promise<void>
  detachVolume?(volumeId: number): Promise<void>
  deleteVolume?(volumeId: number): Promise<void>
}
