import type { Mistake } from './mistake.ts'

/** A cluster on a host that nobody has, with a key in a variable that nothing sets. */
const onHosts = `clusterName: rack
hosts:
  - name: cp-1
    address: 192.0.2.11
    role: control-plane
    hostKey: ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1
ssh: { key: { environment: RACK_SSH_KEY } }
kubeadm: { endpoint: { host: 'api.example.com:6443' } }
kubernetes: { version: 1.35.4 }
state:
  recipients:
    - age1ktayav25lhrgzxfwyejyluaq6mwg5ruk43elhc9u0927s5xnzqhs2eg575
    - age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7
`

/** Commands that are about Talos, or about what Hetzner has. */
const ofTalos = [
  ['talos', 'services'],
  ['talosconfig'],
  ['config', 'cp-1'],
  ['build-image', '--yes'],
].map(
  (args): Mistake => ({
    name: `${args.join(' ')} for a cluster on hosts`,
    args,
    file: onHosts,
    code: 'spec-invalid',
    mentions: [/\.yaml:2:1: .*on hosts that exist/, 'hcloud-talos status'],
  }),
)

export const mistakesOnHosts: readonly Mistake[] = [
  ...ofTalos,
  {
    name: 'a file with servers and hosts',
    args: ['plan'],
    file: `${onHosts}talos: { version: v1.13.9 }\n`,
    code: 'spec-invalid',
    mentions: ['the file has talos and hosts'],
  },
  {
    name: 'a file with neither servers nor hosts',
    args: ['plan'],
    file: 'clusterName: rack\nkubernetes: { version: 1.35.4 }\n',
    code: 'spec-invalid',
    mentions: ['neither hetzner and talos nor hosts and kubeadm'],
  },
  {
    name: 'hosts without their key',
    args: ['plan'],
    file: onHosts,
    code: 'ssh-key-unreadable',
    mentions: ['RACK_SSH_KEY, which is not set'],
  },
]
