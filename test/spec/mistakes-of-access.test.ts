import { describe, expect, it } from 'vitest'
import { findingsOf, type Mistake, sampleAnd, sampleWith } from './sample-file.ts'

const mistakes: readonly Mistake[] = [
  [
    'a load balancer in another zone',
    sampleAnd('loadBalancer:\n  location: sin'),
    [
      "20:13 error: loadBalancer.location is sin in ap-southeast, but the cluster's network is in eu-central, as the region hel1 is -> Choose from fsn1, nbg1, hel1.",
    ],
  ],
  [
    'a load balancer of unknown type',
    sampleAnd('loadBalancer:\n  type: lb12'),
    [
      '20:9 error: loadBalancer.type is `lb12`, which is no load balancer of Hetzner -> Did you mean lb11?',
    ],
  ],
  [
    'a load balancer that everybody reaches unasked',
    sampleAnd('loadBalancer:\n  privateOnly: false'),
    [
      '20:16 warning: loadBalancer.privateOnly is false: everybody reaches the Kubernetes API through the load balancer, which no firewall filters, whatever firewall.kubernetesApi allows -> Remove the line, or admit 0.0.0.0/0 in firewall.kubernetesApi to confirm that this is intended.',
    ],
  ],
  [
    'a floating IP as endpoint',
    sampleAnd('endpoint:\n  type: floatingIp'),
    [
      '20:9 error: endpoint.type is floatingIp: a floating IP comes with a later version -> Use loadBalancer, or dns with a name that you keep.',
    ],
  ],
  [
    'a shared address as endpoint',
    sampleAnd('endpoint:\n  type: vip\n  address: 10.0.64.5'),
    [
      '20:9 error: endpoint.type is vip: an address that control planes share comes with a later version -> Use loadBalancer, or dns with a name that you keep.',
    ],
  ],
  [
    'nodes without a public IPv4 address',
    sampleAnd('network:\n  publicIpv4:\n    workers: false'),
    [
      '21:14 error: network.publicIpv4.workers is false: nodes without a public IPv4 address come with a later version -> Remove the line; the firewall keeps everybody out of the address.',
    ],
  ],
  [
    'nodes without any public address',
    sampleAnd('network:\n  publicIpv4: {workers: false}\n  publicIpv6: {workers: false}'),
    [
      '20:25 error: network.publicIpv4.workers is false: nodes without any public address come with a later version -> Remove the line; the firewall keeps everybody out of the address.',
    ],
  ],
  [
    'an SSH key twice',
    sampleWith('region: hel1', 'region: hel1\n  sshKeys: [a, b, a]'),
    ['4:19 error: hetzner.sshKeys names `a` twice -> Keep one of them.'],
  ],
  [
    'an SSH key instead of its name',
    sampleWith('region: hel1', 'region: hel1\n  sshKeys: ["ssh-ed25519 AAAAC3 me@home"]'),
    [
      '4:13 error: hetzner.sshKeys[0] is a public key, not the name of one -> Add the key to the Hetzner project, and write the name that it has there.',
    ],
  ],
  [
    'a state branch that holds sources',
    sampleWith('state:', 'state:\n  branch: main'),
    [
      '16:11 error: state.branch is main, where sources are kept -> Choose a branch that holds nothing else; hcloud-talos is the default.',
    ],
  ],
  [
    'a state branch that git does not take',
    sampleWith('state:', 'state:\n  branch: "a..b"'),
    [
      '16:11 error: state.branch is `a..b`, which git takes for no name of a branch -> Use letters, digits, hyphens and slashes.',
    ],
  ],
  [
    'a recipient with a wrong character',
    sampleWith('s2eg575', 's2eg576'),
    [
      '17:7 error: state.recipients[0] is `age1ktayav25lhrgzxfwyejyluaq6mwg5ruk43elhc9u0927s5xnzqhs2eg5…`, which is no age recipient -> Copy the public key that age-keygen printed (age1… or age1pq1…) once more: every character counts.',
    ],
  ],
  [
    'a recipient that appears twice',
    sampleWith(
      'age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7',
      'age1ktayav25lhrgzxfwyejyluaq6mwg5ruk43elhc9u0927s5xnzqhs2eg575',
    ),
    ['18:7 error: state.recipients[1] appears twice -> Keep one of them.'],
  ],
  [
    'an SSH key as recipient',
    sampleWith(
      'age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7',
      'ssh-ed25519 AAAA',
    ),
    [
      '18:7 error: state.recipients[1] is `ssh-ed25519 AAAA`, which is no age recipient -> Make a key with age-keygen: SSH keys are not supported.',
    ],
  ],
  [
    'a recipient of a plugin',
    sampleWith(
      'age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7',
      'age1yubikey1qwsrw6u',
    ),
    [
      '18:7 error: state.recipients[1] is `age1yubikey1qwsrw6u`, which is no age recipient -> Make a key with age-keygen: recipients of age plugins are not supported.',
    ],
  ],
  [
    'a secret key as recipient',
    sampleWith(
      'age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7',
      'AGE-SECRET-KEY-1QQPQYYSZQGFP',
    ),
    [
      '18:7 error: state.recipients[1] is a secret key of age, which must never stand in a repository -> Treat it as lost: make a new one with age-keygen, and write its public half (age1…) here.',
    ],
  ],
  [
    'a single recipient',
    sampleWith('    - age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7\n', ''),
    [
      '17:5 warning: state.recipients names a single recipient: whoever loses the key of the runs loses the secrets of the cluster -> Add the public keys of at least two age identities, one of them kept offline.',
    ],
  ],
]

describe('Endpoint, load balancer, keys and state', () => {
  it.each(mistakes)('%s is reported where it stands, with what to do', (_name, text, found) => {
    expect(findingsOf(text)).toEqual(found)
  })
})
