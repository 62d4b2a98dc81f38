import { describe, expect, it } from 'vitest'
import { findingsOf, type Mistake, sampleAnd } from './sample-file.ts'

const mistakes: readonly Mistake[] = [
  [
    'a network that is not private',
    sampleAnd('network:\n  cidr: 20.0.0.0/16'),
    [
      '20:9 error: network.cidr is 20.0.0.0/16, which is no private range -> Choose one within 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16.',
    ],
  ],
  [
    'a network that is too small for Hetzner',
    sampleAnd('network:\n  cidr: 10.0.0.0/25'),
    [
      '20:9 error: network.cidr is a /25; Hetzner takes no network smaller than /24 -> Choose a larger range: a /16 leaves room for everything.',
    ],
  ],
  [
    'a network too small for its nodes',
    sampleAnd('network:\n  cidr: 10.0.0.0/24'),
    [
      '19:1 error: network.podRange is too small: 10.0.0.128/25 has room for the pods of 0 of the 5 nodes that the file asks for (a /24 each) -> Widen it; where it is derived, widen network.cidr.',
    ],
  ],
  [
    'a range with host bits',
    sampleAnd('network:\n  cidr: 10.0.0.1/16'),
    [
      '20:9 error: network.cidr is 10.0.0.1/16, whose address is not the first of a /16 -> Write 10.0.0.0/16.',
    ],
  ],
  [
    'a range that is none',
    sampleAnd('network:\n  nodeRange: 10.0.300.0/24'),
    [
      '20:14 error: network.nodeRange is 10.0.300.0/24, which is no IPv4 range -> Write a range such as 10.0.0.0/16.',
    ],
  ],
  [
    'a node range outside the network',
    sampleAnd('network:\n  nodeRange: 10.1.0.0/24'),
    [
      '20:14 error: network.nodeRange 10.1.0.0/24 is not inside network.cidr 10.0.0.0/16 -> Remove the line to have one derived, or choose a range inside 10.0.0.0/16.',
    ],
  ],
  [
    'a pod range outside the network',
    sampleAnd('network:\n  podRange: 10.244.0.0/16'),
    [
      '20:13 error: network.podRange 10.244.0.0/16 is not inside network.cidr 10.0.0.0/16 -> Remove the line to have one derived, or choose a range inside 10.0.0.0/16.',
    ],
  ],
  [
    'two ranges that overlap',
    sampleAnd('network:\n  nodeRange: 10.0.0.0/24\n  podRange: 10.0.0.0/17'),
    [
      '21:13 error: network.podRange 10.0.0.0/17 overlaps network.nodeRange 10.0.0.0/24 -> Move one of them.',
      '21:13 error: network.podRange 10.0.0.0/17 overlaps network.serviceRange 10.0.96.0/19 -> Write network.serviceRange, which was derived from network.cidr, or move network.podRange.',
      '21:13 error: network.podRange 10.0.0.0/17 overlaps network.loadBalancerRange 10.0.32.0/24 -> Write network.loadBalancerRange, which was derived from network.cidr, or move network.podRange.',
    ],
  ],
  [
    'a range that overlaps a derived one',
    sampleAnd('network:\n  serviceRange: 10.0.128.0/18'),
    [
      '20:17 error: network.serviceRange 10.0.128.0/18 overlaps network.podRange 10.0.128.0/17 -> Write network.podRange, which was derived from network.cidr, or move network.serviceRange.',
    ],
  ],
  [
    'a derived network over a given range',
    sampleAnd('network:\n  cidr: 10.8.0.0/16\n  serviceRange: 10.8.128.0/18'),
    [
      '21:17 error: network.serviceRange 10.8.128.0/18 overlaps network.podRange 10.8.128.0/17 -> Write network.podRange, which was derived from network.cidr, or move network.serviceRange.',
    ],
  ],
  [
    'a node range that is too small',
    sampleAnd('network:\n  nodeRange: 10.0.64.0/30'),
    [
      '20:14 error: network.nodeRange is too small: 10.0.64.0/30 has room for 1 of the 5 nodes that the file asks for -> Widen it; where it is derived, widen network.cidr.',
    ],
  ],
  [
    'a pod range that is too small',
    sampleAnd('network:\n  podRange: 10.0.128.0/23'),
    [
      '20:13 error: network.podRange is too small: 10.0.128.0/23 has room for the pods of 2 of the 5 nodes that the file asks for (a /24 each) -> Widen it; where it is derived, widen network.cidr.',
    ],
  ],
  [
    'a service range that is too small',
    sampleAnd('network:\n  serviceRange: 10.0.96.0/28'),
    [
      '20:17 error: network.serviceRange is too small: 10.0.96.0/28 is smaller than a /27 -> Widen it; where it is derived, widen network.cidr.',
    ],
  ],
  [
    'a service range that is too large',
    sampleAnd('network:\n  serviceRange: 172.16.0.0/11'),
    [
      '20:17 error: network.serviceRange is 172.16.0.0/11, whose address is not the first of a /11 -> Write 172.0.0.0/11.',
    ],
  ],
  [
    'a service range beyond what Kubernetes takes',
    sampleAnd('network:\n  cidr: 10.0.0.0/16\n  serviceRange: 32.0.0.0/8'),
    [
      '21:17 error: network.serviceRange 32.0.0.0/8 would hide public addresses of the same numbers -> Choose one within 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10.',
      '21:17 error: network.serviceRange 32.0.0.0/8 is too large: Kubernetes takes no more than a /12 -> Choose a smaller range: a /16 has 65536 service addresses.',
    ],
  ],
  [
    'a load balancer range that is too small',
    sampleAnd('network:\n  loadBalancerRange: 10.0.32.0/29'),
    [
      '20:22 error: network.loadBalancerRange is too small: 10.0.32.0/29 is smaller than a /28 -> Widen it; where it is derived, widen network.cidr.',
    ],
  ],
  [
    'a load balancer range over the gateway',
    sampleAnd('network:\n  loadBalancerRange: 10.0.0.0/24'),
    [
      '20:22 error: network.loadBalancerRange 10.0.0.0/24 holds 10.0.0.1, which Hetzner keeps for itself -> Choose a range without it.',
    ],
  ],
  [
    'a subnet over the reserved address',
    sampleAnd('network:\n  cidr: 172.31.0.0/16\n  nodeRange: 172.31.1.0/24'),
    [
      '21:14 error: network.nodeRange 172.31.1.0/24 holds 172.31.1.1, which Hetzner keeps for itself -> Choose a range without it.',
    ],
  ],
  [
    'pods over the reserved address',
    sampleAnd(
      'network:\n  cidr: 172.31.0.0/16\n  nodeRange: 172.31.64.0/24\n  podRange: 172.31.0.0/19',
    ),
    [
      '22:13 error: network.podRange 172.31.0.0/19 holds 172.31.1.1, which Hetzner keeps for itself -> Choose a range without it.',
    ],
  ],
]

describe('The ranges of the network', () => {
  it.each(mistakes)('%s is reported where it stands, with what to do', (_name, text, found) => {
    expect(findingsOf(text)).toEqual(found)
  })
})
