import { describe, expect, it } from 'vitest'
import { findingsOf, type Mistake, sampleAnd, sampleWith } from './sample-file.ts'

const mistakes: readonly Mistake[] = [
  [
    'a Kubernetes that this Talos does not run',
    sampleWith('1.32.0', '1.33.1'),
    [
      '14:12 error: kubernetes.version is 1.33.1, but Talos 1.9 runs Kubernetes 1.27 to 1.32 -> Take 1.32.4, or Talos v1.10.9 with 1.33.1.',
    ],
  ],
  [
    'a Kubernetes that no Talos runs',
    sampleWith('1.32.0', '1.20.0'),
    [
      '14:12 error: kubernetes.version is 1.20.0, but Talos 1.9 runs Kubernetes 1.27 to 1.32 -> Take 1.32.4.',
    ],
  ],
  [
    'a Talos that is too old',
    sampleWith('v1.9.0', 'v1.8.4'),
    [
      '12:12 error: talos.version is v1.8.4, but Talos is supported from v1.9 to v1.14 -> Take v1.14.1; an older cluster is first brought to v1.9 by hand.',
    ],
  ],
  [
    'a Talos that is too new',
    sampleWith('v1.9.0', 'v1.15.0'),
    [
      '12:12 error: talos.version is v1.15.0, but Talos is supported from v1.9 to v1.14 -> Take v1.14.1, or a newer version of hcloud-talos; `policy.unknownVersions: warn` goes ahead at your own risk.',
    ],
  ],
  [
    'a pre-release of Talos',
    sampleWith('v1.9.0', 'v1.9.0-rc.1'),
    [
      '12:12 warning: talos.version is v1.9.0-rc.1, a pre-release -> Take v1.9.6, the newest release of this line.',
    ],
  ],
  [
    'schematic and extensions at once',
    sampleWith(
      'v1.9.0',
      `v1.9.0\n  schematic: ${'a'.repeat(64)}\n  extensions: [siderolabs/iscsi-tools]`,
    ),
    [
      '14:3 error: talos.schematic and talos.extensions exclude each other: a schematic has its own -> Remove talos.schematic to have one made from the extensions and kernel arguments.',
    ],
  ],
  [
    'a workload without its namespace',
    sampleAnd('upgrade: {workloads: [Deployment/web]}'),
    [
      '19:23 error: upgrade.workloads[0] must name a workload as kind/namespace/name, such as statefulset/shop/database -> Name the namespace too: deployment/default/web.',
    ],
  ],
  [
    'a gate of another kind among the workloads',
    sampleAnd('upgrade: {workloads: [cluster/shop/db]}'),
    [
      '19:23 error: upgrade.workloads[0] must name a workload as kind/namespace/name, such as statefulset/shop/database -> Kinds are deployment, statefulset and daemonset; for others see upgrade.conditions.',
    ],
  ],
  [
    'a condition without its type',
    sampleAnd('upgrade: {conditions: [{apiVersion: v1, kind: Node, name: demo}]}'),
    [
      '19:24 error: upgrade.conditions[0] has no condition, which is needed -> Add upgrade.conditions[0].condition.',
    ],
  ],
  [
    'a name server that is no address',
    sampleWith('v1.9.0', 'v1.9.0\n  nameservers: [dns.example.com]'),
    ['13:17 error: talos.nameservers[0] is `dns.example.com`, which is no IP address'],
  ],
  [
    'more name servers than pods use',
    sampleWith('v1.9.0', 'v1.9.0\n  nameservers: [1.1.1.1, 1.0.0.1, 8.8.8.8, 9.9.9.9]'),
    ['13:16 warning: talos.nameservers has 4 entries; pods use the first 3 only -> Keep 3.'],
  ],
  [
    'a time server that is none',
    sampleWith('v1.9.0', 'v1.9.0\n  timeServers: ["ntp example"]'),
    ['13:17 error: talos.timeServers[0] is `ntp example`, which is no host name or IP address'],
  ],
  [
    'a mirror that is no address',
    sampleWith('v1.9.0', 'v1.9.0\n  registryMirrors:\n    docker.io: [mirror.gcr.io]'),
    [
      '14:17 error: talos.registryMirrors.docker.io[0] is `mirror.gcr.io`, which is no address that begins with https:// or http://',
    ],
  ],
  [
    'a mirror of no registry',
    sampleWith(
      'v1.9.0',
      'v1.9.0\n  registryMirrors:\n    https://docker.io: [https://mirror.gcr.io]',
    ),
    [
      '14:5 error: talos.registryMirrors has the key `https://docker.io`, which is no registry -> Write the host of the registry, such as docker.io, or "*" for all.',
    ],
  ],
  [
    'a patch that is no YAML',
    sampleWith('v1.9.0', 'v1.9.0\n  patches:\n    - |\n      machine:\n        a: [1\n      b: 2'),
    [
      '14:7 error: talos.patches[0] is not valid YAML on line 3 of the patch -> Check its indentation, colons and quotes.',
    ],
  ],
  [
    'a JSON patch with a further document',
    sampleWith(
      'v1.9.0',
      'v1.9.0\n  patches:\n    - |\n      - {op: add, path: /a, value: 1}\n      ---\n      machine: {}',
    ),
    [
      '14:7 error: talos.patches[0] is neither a mapping nor a JSON patch -> Write a piece of a machine config, such as machine: {sysctls: {…}}, or a list of operations (op, path, value) and nothing else.',
    ],
  ],
  [
    'an empty patch',
    sampleWith('v1.9.0', 'v1.9.0\n  patches: [{}]'),
    ['13:13 error: talos.patches[0] is empty -> Remove it.'],
  ],
  [
    'a patch of comments alone',
    sampleWith('v1.9.0', 'v1.9.0\n  patches: ["# nothing"]'),
    ['13:13 warning: talos.patches[0] does nothing: it is empty -> Remove it.'],
  ],
  [
    'a patch of empty documents alone',
    sampleWith('v1.9.0', 'v1.9.0\n  patches:\n    - |\n      ---\n      # nothing\n      ---\n'),
    ['14:7 warning: talos.patches[0] does nothing: it is empty -> Remove it.'],
  ],
  [
    'a patch of one pool that is no mapping',
    sampleWith('type: cx33', 'type: cx33\n    patches: [hello]'),
    [
      '11:15 error: nodes.workers.patches[0] is neither a mapping nor a JSON patch -> Write a piece of a machine config, such as machine: {sysctls: {…}}, or a list of operations (op, path, value) and nothing else.',
    ],
  ],
  [
    'a certificate name that is none',
    sampleWith('version: 1.32.0', 'version: 1.32.0\n  certSans: ["https://api.example.com"]'),
    [
      '15:14 error: kubernetes.certSans[0] is `https://api.example.com`, which is no name or address for a certificate -> Write a host name or an IP address, without scheme and port.',
    ],
  ],
  [
    'OIDC said twice',
    sampleWith(
      'version: 1.32.0',
      'version: 1.32.0\n  oidc: {issuerUrl: "https://x.example", clientId: a}\n  apiServerExtraArgs:\n    oidc-client-id: b',
    ),
    [
      '17:5 error: kubernetes.apiServerExtraArgs sets `oidc-client-id`, which kubernetes.oidc sets too -> Keep one of them.',
    ],
  ],
  [
    'no cloud controller manager',
    sampleAnd('addons:\n  hcloudCcm:\n    enabled: false'),
    [
      '21:14 warning: without the cloud controller manager nodes keep the taint node.cloudprovider.kubernetes.io/uninitialized, and nothing runs on them -> Install one yourself right after the first apply.',
    ],
  ],
]

describe('Talos, Kubernetes and addons', () => {
  it.each(mistakes)('%s is reported where it stands, with what to do', (_name, text, found) => {
    expect(findingsOf(text)).toEqual(found)
  })
})
