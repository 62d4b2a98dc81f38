import { describe, expect, it } from 'vitest'
import { findingsOf, type Mistake, sampleAnd, sampleWith, sampleWithPools } from './sample-file.ts'

const mistakes: readonly Mistake[] = [
  [
    'an unknown key near a known one',
    sampleWith('  region: hel1', '  region: hel1\n  sshkey: [a]'),
    ['4:3 error: hetzner has no field `sshkey` -> Did you mean sshKeys?'],
  ],
  [
    'an unknown key that belongs elsewhere',
    sampleAnd('networkZone: eu-central'),
    ['19:1 error: the file has no field `networkZone` -> Did you mean network?'],
  ],
  [
    'an unknown key that nobody knows',
    sampleAnd('frobnicate: 1'),
    [
      '19:1 error: the file has no field `frobnicate` -> Use one of the known fields: clusterName, hetzner, network, firewall, loadBalancer, endpoint, nodes, talos, kubernetes, cni, addons, state, upgrade, policy.',
    ],
  ],
  [
    'an unknown key in a list',
    sampleAnd(
      'firewall:\n  extraRules:\n    - {direction: in, protocol: icmp, sources: [0.0.0.0/0], prot: 1}',
    ),
    [
      '21:61 error: firewall.extraRules[0] has no field `prot` -> Use one of the known fields: description, direction, protocol, port, sources, destinations.',
    ],
  ],
  [
    'a needed field that is missing',
    sampleWith('  region: hel1', '  sshKeys: []'),
    ['2:1 error: hetzner has no region, which is needed -> Add hetzner.region.'],
  ],
  [
    'a needed section that is missing',
    sampleWith('kubernetes:\n  version: 1.32.0\n', ''),
    ['1:1 error: the file has no kubernetes, which is needed -> Add kubernetes.'],
  ],
  [
    'a number in quotes',
    sampleWith('count: 3', 'count: "3"'),
    [
      '6:12 error: nodes.controlPlane.count must be a number, but is the text `3` -> Write 3 without quotes.',
    ],
  ],
  [
    'a fraction for a count',
    sampleWith('count: 3', 'count: 1.5'),
    ['6:12 error: nodes.controlPlane.count must be a whole number, but is the number `1.5`'],
  ],
  [
    'a count below its range',
    sampleWith('count: 3', 'count: 0'),
    ['6:12 error: nodes.controlPlane.count must be at least 1'],
  ],
  [
    'a count above its range',
    sampleWith('count: 3', 'count: 9'),
    ['6:12 error: nodes.controlPlane.count must be 7 at most'],
  ],
  [
    'a worker count above its range',
    sampleWith('count: 2', 'count: 101'),
    ['9:12 error: nodes.workers.count must be 100 at most'],
  ],
  [
    'a version that YAML reads as a number',
    sampleWith('version: 1.32.0', 'version: 1.30'),
    [
      '14:12 error: kubernetes.version must be a text, but is the number `1.3` -> Put it in quotes: "1.30".',
    ],
  ],
  [
    'a Talos version without its v',
    sampleWith('v1.9.0', '1.9.0'),
    ['12:12 error: talos.version must be a version such as v1.9.0 -> Write v1.9.0.'],
  ],
  [
    'a Talos version without its patch',
    sampleWith('v1.9.0', 'v1.9'),
    ['12:12 error: talos.version must be a version such as v1.9.0 -> Name the patch too: v1.9.0.'],
  ],
  [
    'a Talos version that is none',
    sampleWith('v1.9.0', 'latest'),
    ['12:12 error: talos.version must be a version such as v1.9.0'],
  ],
  [
    'a Talos version with a zero in front',
    sampleWith('v1.9.0', 'v1.9.06'),
    ['12:12 error: talos.version must be a version such as v1.9.0 -> Write v1.9.6.'],
  ],
  [
    'a Kubernetes version with a zero in front',
    sampleWith('1.32.0', '1.032.0'),
    ['14:12 error: kubernetes.version must be a version such as 1.32.0 -> Write 1.32.0.'],
  ],
  [
    'a Kubernetes version with a v',
    sampleWith('1.32.0', 'v1.32.0'),
    [
      '14:12 error: kubernetes.version must be a version such as 1.32.0 -> Write 1.32.0, without the v.',
    ],
  ],
  [
    'a Kubernetes version without its patch',
    sampleWith('version: 1.32.0', 'version: "1.32"'),
    [
      '14:12 error: kubernetes.version must be a version such as 1.32.0 -> Name the patch too: 1.32.0.',
    ],
  ],
  [
    'a word for a boolean',
    sampleAnd('addons:\n  hcloudCsi:\n    enabled: no'),
    [
      '21:14 error: addons.hcloudCsi.enabled must be true or false, but is the text `no` -> Write false, without quotes.',
    ],
  ],
  [
    'another word for a boolean',
    sampleAnd('firewall:\n  runnerAccess: "on"'),
    [
      '20:17 error: firewall.runnerAccess must be true or false, but is the text `on` -> Write true, without quotes.',
    ],
  ],
  [
    'a scalar for a mapping',
    sampleAnd('cni: cilium'),
    ['19:6 error: cni must be a mapping, but is the text `cilium`'],
  ],
  [
    'a list for a mapping',
    sampleAnd('cni: [cilium]'),
    ['19:6 error: cni must be a mapping, but is a list'],
  ],
  [
    'a scalar for a list',
    sampleWith('  region: hel1', '  region: hel1\n  sshKeys: my-key'),
    [
      '4:12 error: hetzner.sshKeys must be a list, but is the text `my-key` -> Write it as a list: one line "- …" for each entry.',
    ],
  ],
  [
    'a mapping for a text',
    sampleWith('region: hel1', 'region: {name: hel1}'),
    ['3:11 error: hetzner.region must be a text, but is a mapping'],
  ],
  [
    'an empty value',
    sampleWith('region: hel1', 'region:'),
    [
      '3:3 error: hetzner.region has no value -> Give it one, or remove the line; what is left out has its default.',
    ],
  ],
  [
    'an empty section',
    sampleAnd('network:'),
    [
      '19:1 error: network has no value -> Give it one, or remove the line; what is left out has its default.',
    ],
  ],
  [
    'an empty text',
    sampleWith('region: hel1', 'region: ""'),
    ['3:11 error: hetzner.region must not be empty'],
  ],
  [
    'an empty list where one entry is needed',
    sampleWith('type: cx23', 'type: cx23\n    locations: []'),
    ['8:16 error: nodes.controlPlane.locations must have at least one entry'],
  ],
  [
    'a misspelt choice',
    sampleWith('type: cx23', 'type: cx23\n    arch: amd46'),
    [
      '8:11 error: nodes.controlPlane.arch must be amd64 or arm64, but is the text `amd46` -> Did you mean amd64?',
    ],
  ],
  [
    'a choice that is none',
    sampleAnd('policy:\n  onDestroyVolumes: burn'),
    ['20:21 error: policy.onDestroyVolumes must be keep or delete, but is the text `burn`'],
  ],
  [
    'a label value that is no text',
    sampleWith('type: cx23', 'type: cx23\n    labels: {a: true}'),
    [
      '8:17 error: nodes.controlPlane.labels.a must be a text, but is `true` -> Put it in quotes: "true".',
    ],
  ],
  [
    'a scalar for the workers',
    sampleWith('  workers:\n    count: 2\n    type: cx33\n', '  workers: 3\n'),
    ['8:12 error: nodes.workers must be a mapping or a list, but is the number `3`'],
  ],
  [
    'a mistake within a named pool',
    sampleWithPools('    - name: a\n      count: two\n      type: cx33\n'),
    ['10:14 error: nodes.workers[0].count must be a number, but is the text `two`'],
  ],
  [
    'a named pool without a name',
    sampleWithPools('    - count: 1\n      type: cx33\n'),
    ['9:7 error: nodes.workers[0] has no name, which is needed -> Add nodes.workers[0].name.'],
  ],
  [
    'a pool name that is no DNS label',
    sampleWithPools('    - name: My_Pool\n      count: 1\n      type: cx33\n'),
    [
      '9:13 error: nodes.workers[0].name must be made of lower-case letters, digits and hyphens, with a letter or digit at both ends, and have 63 characters at most -> Write my-pool.',
    ],
  ],
  [
    'a cluster name that is no DNS label',
    sampleWith('demo', 'Demo Cluster'),
    [
      '1:14 error: clusterName must be made of lower-case letters, digits and hyphens, with a letter or digit at both ends, and have 63 characters at most -> Write demo-cluster.',
    ],
  ],
  [
    'an endpoint of an unknown type',
    sampleAnd('endpoint:\n  type: loadbalancer'),
    [
      '20:9 error: endpoint.type must be loadBalancer or dns or floatingIp or vip, but is the text `loadbalancer` -> Did you mean loadBalancer?',
    ],
  ],
  [
    'an endpoint without type',
    sampleAnd('endpoint:\n  name: api.example.com'),
    ['19:1 error: endpoint has no type, which is needed -> Add endpoint.type.'],
  ],
  [
    'a DNS endpoint without name',
    sampleAnd('endpoint:\n  type: dns'),
    ['19:1 error: endpoint has no name, which is needed -> Add endpoint.name.'],
  ],
  [
    'a DNS endpoint with scheme',
    sampleAnd('endpoint:\n  type: dns\n  name: https://api.example.com'),
    [
      '21:9 error: endpoint.name must be a DNS name such as api.example.com, without scheme and port',
    ],
  ],
  [
    'an argument with leading hyphens',
    sampleWith('version: 1.32.0', 'version: 1.32.0\n  kubeletExtraArgs:\n    --max-pods: "200"'),
    [
      '16:5 error: kubernetes.kubeletExtraArgs.--max-pods must be the name of an argument without its leading hyphens -> Write max-pods.',
    ],
  ],
  [
    'an extension without its owner',
    sampleWith('v1.9.0', 'v1.9.0\n  extensions: [iscsi-tools]'),
    [
      '13:16 error: talos.extensions[0] must be the name of a system extension such as siderolabs/iscsi-tools -> Write siderolabs/iscsi-tools.',
    ],
  ],
  [
    'a schematic that is none',
    sampleWith('v1.9.0', 'v1.9.0\n  schematic: abc'),
    ['13:14 error: talos.schematic must be the id of a schematic: 64 lower-case hex digits'],
  ],
  [
    'a kernel argument with spaces',
    sampleWith('v1.9.0', 'v1.9.0\n  kernelArgs: ["a b"]'),
    ['13:16 error: talos.kernelArgs[0] must be one kernel argument without spaces'],
  ],
  [
    'a range without prefix length',
    sampleAnd('network:\n  cidr: 10.0.0.0'),
    [
      '20:9 error: network.cidr must be an IPv4 range such as 10.0.0.0/16 -> Add a prefix length: 10.0.0.0/16.',
    ],
  ],
  [
    'a patch that is a number',
    sampleWith('v1.9.0', 'v1.9.0\n  patches: [3]'),
    ['13:13 error: talos.patches[0] must be a text or a mapping or a list, but is the number `3`'],
  ],
  [
    'an OIDC issuer without https',
    sampleWith('version: 1.32.0', 'version: 1.32.0\n  oidc: {issuerUrl: "http://x", clientId: a}'),
    ['15:21 error: kubernetes.oidc.issuerUrl must be an address that begins with https://'],
  ],
]

describe('A field that is wrong by itself', () => {
  it.each(mistakes)('%s is reported where it stands, with what to do', (_name, text, found) => {
    expect(findingsOf(text)).toEqual(found)
  })
})
