import { describe, expect, it } from 'vitest'
import { findingsOf, type Mistake, sampleAnd } from './sample-file.ts'

const mistakes: readonly Mistake[] = [
  [
    'an API range that is an address',
    sampleAnd('firewall:\n  kubernetesApi: [203.0.113.7]'),
    [
      '20:19 error: firewall.kubernetesApi[0] is `203.0.113.7`, an address and no range -> Write 203.0.113.7/32.',
    ],
  ],
  [
    'an API range with host bits',
    sampleAnd('firewall:\n  kubernetesApi: [10.1.2.3/8]'),
    [
      '20:19 error: firewall.kubernetesApi[0] is `10.1.2.3/8`, whose address is not the first of its range -> Write 10.0.0.0/8.',
    ],
  ],
  [
    'an IPv6 range with host bits',
    sampleAnd('firewall:\n  talosApi: ["2001:db8::1/64"]'),
    [
      '20:14 error: firewall.talosApi[0] is `2001:db8::1/64`, whose address is not the first of its range -> Write 2001:db8::/64.',
    ],
  ],
  [
    'an API range that is none',
    sampleAnd('firewall:\n  kubernetesApi: [office]'),
    [
      '20:19 error: firewall.kubernetesApi[0] is `office`, which is no range of addresses -> Write a range such as 203.0.113.0/24 or 2001:db8::/32.',
    ],
  ],
  [
    'a Talos API open to everybody',
    sampleAnd('firewall:\n  talosApi: [0.0.0.0/0]'),
    [
      '20:13 warning: firewall.talosApi lets everybody reach the Talos API, where a node that has no config yet takes one from anybody -> Name the ranges that you manage the nodes from; a run lets itself in.',
    ],
  ],
  [
    'more ranges than a rule takes',
    sampleAnd(
      'firewall:\n  kubernetesApi: [' +
        Array.from({ length: 101 }, (_, i) => `10.0.${i}.0/24`).join(', ') +
        ']',
    ),
    [
      "20:18 error: firewall.kubernetesApi has 101 ranges; a rule of Hetzner's firewall takes 100 -> Join neighbouring ranges.",
    ],
  ],
  [
    'more rules than a firewall takes',
    sampleAnd(
      'firewall:\n  extraRules:\n' +
        Array.from(
          { length: 51 },
          (_, i) => `    - {direction: in, protocol: tcp, port: ${i + 1}, sources: [0.0.0.0/0]}`,
        ).join('\n'),
    ),
    [
      '21:5 error: the firewall would have 51 rules, 0 of them for the APIs; Hetzner takes 50 -> Join rules that differ in their ranges only.',
    ],
  ],
  [
    'a TCP rule without port',
    sampleAnd(
      'firewall:\n  extraRules:\n    - {direction: in, protocol: tcp, sources: [0.0.0.0/0]}',
    ),
    [
      '21:7 error: firewall.extraRules[0] has no port, which tcp needs -> Add port: a number, a span such as "30000-32767", or any.',
    ],
  ],
  [
    'an ICMP rule with a port',
    sampleAnd(
      'firewall:\n  extraRules:\n    - {direction: in, protocol: icmp, port: 1, sources: [0.0.0.0/0]}',
    ),
    ['21:45 error: firewall.extraRules[0] has a port, but icmp has no ports -> Remove the port.'],
  ],
  [
    'a port that is none',
    sampleAnd(
      'firewall:\n  extraRules:\n    - {direction: in, protocol: udp, port: 90-80, sources: [0.0.0.0/0]}',
    ),
    [
      '21:44 error: firewall.extraRules[0].port is `90-80`, which is no port -> Write a number from 1 to 65535, a span such as "30000-32767", or any.',
    ],
  ],
  [
    'an inbound rule without sources',
    sampleAnd('firewall:\n  extraRules:\n    - {direction: in, protocol: tcp, port: 80}'),
    [
      '21:7 error: firewall.extraRules[0] has no sources, which a rule of direction in needs -> Add sources; for everybody, 0.0.0.0/0 and ::/0.',
    ],
  ],
  [
    'an inbound rule with destinations',
    sampleAnd(
      'firewall:\n  extraRules:\n    - {direction: in, protocol: tcp, port: 80, destinations: [0.0.0.0/0], sources: [0.0.0.0/0]}',
    ),
    [
      '21:48 error: firewall.extraRules[0] has destinations, which a rule of direction in does not know -> Write sources.',
    ],
  ],
  [
    'a first way out',
    sampleAnd(
      'firewall:\n  extraRules:\n    - {direction: out, protocol: tcp, port: any, destinations: [0.0.0.0/0]}',
    ),
    [
      '21:7 warning: a rule of direction out closes all other outgoing traffic of the nodes: images, NTP and DNS need rules too -> Allow at least tcp 80 and 443, udp 53 and 123 to everywhere, or remove the rules of direction out.',
    ],
  ],
]

describe('The firewall', () => {
  it.each(mistakes)('%s is reported where it stands, with what to do', (_name, text, found) => {
    expect(findingsOf(text)).toEqual(found)
  })
})
