import { describe, expect, it } from 'vitest'
import { findingsOf, type Mistake, sampleWith, sampleWithPools } from './sample-file.ts'

const mistakes: readonly Mistake[] = [
  [
    'an even number of control planes',
    sampleWith('count: 3', 'count: 4'),
    [
      '6:12 error: nodes.controlPlane.count must be odd, but is 4: etcd bears the loss of no more of 4 members than of 3 -> Write 3 or 5.',
    ],
  ],
  [
    'two control planes',
    sampleWith('count: 3', 'count: 2'),
    [
      '6:12 error: nodes.controlPlane.count must be odd, but is 2: etcd bears the loss of no more of 2 members than of 1 -> Write 1 or 3.',
    ],
  ],
  [
    'more nodes than a network holds',
    sampleWith('count: 2', 'count: 98'),
    [
      '4:1 error: the file asks for 101 nodes; a Hetzner network holds 100 servers -> Make the pools smaller, or several clusters.',
    ],
  ],
  [
    'more placement groups than a project holds',
    sampleWithPools(
      Array.from({ length: 51 }, (_, i) => `    - {name: p${i}, count: 1, type: cx33}\n`).join(''),
    ),
    [
      '8:3 error: the pools need 52 placement groups (one for each ten nodes of a pool); a Hetzner project holds 50 -> Join small pools.',
    ],
  ],
  [
    'more nodes than the account may have',
    sampleWith('region: hel1', 'region: hel1\n  serverLimit: 4'),
    [
      '4:16 error: the file asks for 5 nodes, but hetzner.serverLimit is 4 -> Ask Hetzner for a higher limit, or make the pools smaller.',
    ],
  ],
  [
    'no server left for building an image',
    sampleWith('region: hel1', 'region: hel1\n  serverLimit: 5'),
    [
      '4:16 warning: the 5 nodes use up hetzner.serverLimit: building a new image needs one more server for some minutes -> Ask Hetzner for a higher limit before the next Talos version.',
    ],
  ],
  [
    'autoscaling',
    sampleWith('count: 2', 'count: 2\n    autoscaling: {min: 1, max: 3}'),
    [
      '10:5 error: nodes.workers.autoscaling comes with a later version -> Remove it, and give the pool the count that it needs.',
    ],
  ],
  [
    'a region that is none',
    sampleWith('hel1', 'hel2'),
    ['3:11 error: hetzner.region is `hel2`, which is no location of Hetzner -> Did you mean hel1?'],
  ],
  [
    'a region far from any',
    sampleWith('hel1', 'frankfurt'),
    [
      '3:11 error: hetzner.region is `frankfurt`, which is no location of Hetzner -> Choose one of fsn1, nbg1, hel1, ash, hil, sin.',
    ],
  ],
  [
    'a network zone that is none',
    sampleWith('region: hel1', 'region: hel1\n  networkZone: eu'),
    [
      '4:16 error: hetzner.networkZone is `eu`, which is no network zone of Hetzner -> Write eu-central.',
    ],
  ],
  [
    'a network zone of another region',
    sampleWith('region: hel1', 'region: hel1\n  networkZone: us-east'),
    [
      '4:16 error: hetzner.networkZone is us-east, but the region hel1 lies in eu-central -> Write eu-central, or remove the line: it follows from the region.',
    ],
  ],
  [
    'a location that is none',
    sampleWith('type: cx23', 'type: cx23\n    locations: [hel1, nbg2]'),
    [
      '8:23 error: nodes.controlPlane.locations[1] is `nbg2`, which is no location of Hetzner -> Did you mean nbg1?',
    ],
  ],
  [
    'a location in another zone',
    sampleWith('type: cx23', 'type: cx23\n    locations: [hel1, ash]'),
    [
      "8:23 error: nodes.controlPlane.locations[1] is ash in us-east, but the cluster's network is in eu-central, as the region hel1 is -> Choose from fsn1, nbg1, hel1.",
    ],
  ],
  [
    'a location named twice',
    sampleWith('type: cx23', 'type: cx23\n    locations: [hel1, hel1]'),
    [
      '8:23 error: nodes.controlPlane.locations names `hel1` twice -> Name each location once: nodes are spread evenly over them.',
    ],
  ],
  [
    'a server type that is none',
    sampleWith('cx23', 'cx233'),
    [
      '7:11 error: nodes.controlPlane.type is `cx233`, which is no server type of Hetzner -> Did you mean cx23?',
    ],
  ],
  [
    'a server type far from any',
    sampleWith('cx23', 't3.medium'),
    [
      '7:11 error: nodes.controlPlane.type is `t3.medium`, which is no server type of Hetzner -> Choose a server type such as cx33, cpx32, ccx23 or cax21.',
    ],
  ],
  [
    'a server type of another architecture',
    sampleWith('type: cx23', 'type: cx23\n    arch: arm64'),
    [
      '8:11 error: nodes.controlPlane.arch is arm64, but servers of type cx23 are amd64 -> Write amd64, or take the type cax11.',
    ],
  ],
  [
    'a retired server type',
    sampleWith('cx23', 'cpx21'),
    [
      '7:11 warning: nodes.controlPlane.type: cpx21 cannot be ordered in hel1 any more (since 2026-01-01); no new node can be made of it there -> Take cpx22 instead (2 cores, 4 GB of memory, 80 GB of disk; cpx21 has 3 cores, 4 GB of memory, 80 GB of disk).',
    ],
  ],
  [
    'a retired type with an obvious follower',
    sampleWith('cx23', 'cx22'),
    [
      '7:11 warning: nodes.controlPlane.type: cx22 cannot be ordered in hel1 any more (since 2026-01-01); no new node can be made of it there -> Take cx23 instead (2 cores, 4 GB of memory, 40 GB of disk; cx22 has 2 cores, 4 GB of memory, 40 GB of disk).',
    ],
  ],
  [
    'a server type that is not sold in the region',
    sampleWith('region: hel1', 'region: ash'),
    [
      '7:11 warning: nodes.controlPlane.type: cx23 is not sold in ash; no new node can be made of it there -> Take cpx21 instead (3 cores, 4 GB of memory, 80 GB of disk; cx23 has 2 cores, 4 GB of memory, 40 GB of disk).',
      '10:11 warning: nodes.workers.type: cx33 is not sold in ash; no new node can be made of it there -> Take cpx31 instead (4 cores, 8 GB of memory, 160 GB of disk; cx33 has 4 cores, 8 GB of memory, 80 GB of disk).',
    ],
  ],
  [
    'two pools of one name',
    sampleWithPools(
      '    - {name: a, count: 1, type: cx33}\n    - {name: a, count: 2, type: cx33}\n',
    ),
    [
      '10:14 error: two pools are called `a` -> Give one another name, or add its count to nodes.workers[0].',
    ],
  ],
  [
    'a worker pool called control-plane',
    sampleWithPools('    - {name: control-plane, count: 1, type: cx33}\n'),
    [
      '9:14 error: a worker pool cannot be called `control-plane`: its nodes would look like control planes -> Choose another name; control planes are described under nodes.controlPlane.',
    ],
  ],
  [
    'names of nodes that get too long',
    sampleWith('demo', 'a'.repeat(50)),
    [
      '1:14 error: names of nodes such as aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-control-plane-1 would pass 63 characters -> Shorten `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa` to 45 characters.',
    ],
  ],
  [
    'a pool name that makes names of nodes too long',
    sampleWithPools(`    - {name: ${'a'.repeat(60)}, count: 1, type: cx33}\n`),
    [
      '9:14 error: names of nodes such as demo-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-1 would pass 63 characters -> Shorten `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa` to 54 characters.',
    ],
  ],
]

describe('Nodes, places and server types', () => {
  it.each(mistakes)('%s is reported where it stands, with what to do', (_name, text, found) => {
    expect(findingsOf(text)).toEqual(found)
  })
})
