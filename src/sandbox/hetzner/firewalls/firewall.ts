import type { Labelled } from '../labels.ts'

export interface FirewallRule {
  readonly direction: 'in' | 'out'
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'esp' | 'gre'
  readonly port: string | null
  readonly sourceIps: readonly string[]
  readonly destinationIps: readonly string[]
  readonly description: string | null
}

/** What a firewall was applied to, and since when (the world's instant). */
export type FirewallUse =
  | { readonly type: 'server'; readonly server: number; readonly since: number }
  | { readonly type: 'label_selector'; readonly selector: string; readonly since: number }

export interface FirewallRecord extends Labelled {
  rules: FirewallRule[]
  uses: FirewallUse[]
}
