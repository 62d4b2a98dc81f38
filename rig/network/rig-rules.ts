import type { FirewallRule } from '../../src/sandbox/hetzner/firewalls/firewall.ts'
import { talosPort } from '../../src/sandbox/talos/api/talos-port.ts'
import { rigAddresses } from './rig-addresses.ts'

/** What the kernel has to know of one server that is on. */
export interface GuardedServer {
  readonly serverId: number
  readonly publicIp: string | undefined
  readonly privateIps: readonly string[]
  /** The inbound rules of all its firewalls; undefined where it has none, and everything comes in. */
  readonly rules: readonly FirewallRule[] | undefined
  /** The rig's port that takes what comes for the Talos API; undefined where the server answers itself. */
  readonly talosFront: number | undefined
}

/**
 * The table of the world's namespace, as one transaction for nft. Hetzner's firewalls stand before a
 * server, on its public side alone, and let in what belongs to a connection that is open already. They
 * are asked before an address is rewritten, so that a closed port stays closed whatever is behind it.
 * What nodes send to the world's own address reaches its fronts, which listen on loopback.
 */
export function rigRules(servers: readonly GuardedServer[]): string {
  const guarded = servers.filter((server) => server.rules !== undefined && server.publicIp)
  const chains = guarded.map(
    ({ serverId, rules = [] }) => `  chain server-${serverId} {
${rules.flatMap(admission).join('\n')}
    drop
  }`,
  )
  const guards = guarded
    .map(({ serverId, publicIp }) => `    ip daddr ${publicIp} jump server-${serverId}`)
    .join('\n')
  const fronts = servers
    .flatMap(({ publicIp, privateIps, talosFront }) =>
      talosFront === undefined
        ? []
        : [publicIp, ...privateIps]
            .filter((address) => address !== undefined)
            .map(
              (address) =>
                `    ip daddr ${address} tcp dport ${talosPort} redirect to :${talosFront}`,
            ),
    )
    .join('\n')
  return `table inet rig
delete table inet rig
table inet rig {
${chains.join('\n')}
  chain guard-local {
    type filter hook output priority mangle; policy accept;
    ip saddr ${rigAddresses.rig} accept
    ct state established,related accept
${guards}
  }
  chain guard-forwarded {
    type filter hook prerouting priority mangle; policy accept;
    ct state established,related accept
${guards}
  }
  chain fronts-local {
    type nat hook output priority -100; policy accept;
    ip saddr ${rigAddresses.rig} accept
    ip daddr ${rigAddresses.internet} dnat ip to 127.0.0.1
${fronts}
  }
  chain fronts-forwarded {
    type nat hook prerouting priority dstnat; policy accept;
    ip daddr ${rigAddresses.internet} dnat ip to 127.0.0.1
${fronts}
  }
}
`
}

/** One rule of Hetzner's in nft's words; nothing for rules of the other direction and of IPv6 alone. */
function admission(rule: FirewallRule): string[] {
  if (rule.direction !== 'in') return []
  const sources = rule.sourceIps.filter((range) => !range.includes(':'))
  if (sources.length === 0) return []
  const from = sources.includes('0.0.0.0/0') ? '' : `ip saddr { ${sources.join(', ')} } `
  return [`    ${from}${matchOf(rule)} accept`]
}

function matchOf({ protocol, port }: FirewallRule): string {
  if (protocol === 'icmp') return 'ip protocol icmp'
  if (protocol === 'esp' || protocol === 'gre') return `ip protocol ${protocol}`
  return port === null || port === 'any' ? `ip protocol ${protocol}` : `${protocol} dport ${port}`
}
