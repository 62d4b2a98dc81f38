import { describe, expect, it } from 'vitest'
import { type GuardedServer, rigRules } from '../../rig/network/rig-rules.ts'
import type { FirewallRule } from '../../src/sandbox/hetzner/firewalls/firewall.ts'

const rule = (partial: Partial<FirewallRule>): FirewallRule => ({
  direction: 'in',
  protocol: 'tcp',
  port: '50000',
  sourceIps: ['203.0.113.0/24'],
  destinationIps: [],
  description: null,
  ...partial,
})

const server = (partial: Partial<GuardedServer>): GuardedServer => ({
  serverId: 7,
  publicIp: '198.51.100.10',
  privateIps: ['10.0.64.10'],
  rules: [],
  talosFront: undefined,
  ...partial,
})

/** The lines of one chain, without its name. */
function chain(text: string, name: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  const start = lines.indexOf(`chain ${name} {`)
  return lines.slice(start + 1, lines.indexOf('}', start)).filter(Boolean)
}

describe('firewalls of the front become rules of the kernel', () => {
  it('a server without a firewall is not guarded, one with an empty one is closed', () => {
    expect(rigRules([server({ rules: undefined })])).not.toContain('jump')
    const closed = rigRules([server({ rules: [] })])
    expect(closed).toContain('ip daddr 198.51.100.10 jump server-7')
    expect(chain(closed, 'server-7')).toEqual(['drop'])
  })

  it('guards the public side alone', () => {
    expect(rigRules([server({})])).not.toContain('ip daddr 10.0.64.10 jump')
  })

  it('lets in protocol, port and source of each rule, and drops the rest last', () => {
    const text = rigRules([
      server({
        rules: [
          rule({}),
          rule({ port: '30000-32767', sourceIps: ['0.0.0.0/0', '::/0'] }),
          rule({ protocol: 'icmp', port: null, sourceIps: ['0.0.0.0/0'] }),
          rule({ protocol: 'udp', port: 'any' }),
        ],
      }),
    ])
    expect(chain(text, 'server-7')).toEqual([
      'ip saddr { 203.0.113.0/24 } tcp dport 50000 accept',
      'tcp dport 30000-32767 accept',
      'ip protocol icmp accept',
      'ip saddr { 203.0.113.0/24 } ip protocol udp accept',
      'drop',
    ])
  })

  it('knows no rule outwards, and none for IPv6 alone', () => {
    const rules = [rule({ direction: 'out' }), rule({ sourceIps: ['2001:db8::/32'] })]
    expect(chain(rigRules([server({ rules })]), 'server-7')).toEqual(['drop'])
  })

  it('sends the Talos port of every address to the front of its server', () => {
    const text = rigRules([server({ talosFront: 40_123 })])
    for (const address of ['198.51.100.10', '10.0.64.10']) {
      expect(text).toContain(`ip daddr ${address} tcp dport 50000 redirect to :40123`)
    }
  })
})
