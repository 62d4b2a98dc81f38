import { describe, expect, it } from 'vitest'
import type { Mistake } from '../sample-file.ts'
import { findingsOfHosts, hostsFile, hostsFileAnd, hostsFileWith } from './hosts-file.ts'

const key = (number: number) =>
  `hostKey: ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA${number}`

/** The key that is within is of another type than the one before it. */
const wrongType =
  'ssh-ed25519 AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7vbqajDw4o6gJy8UtmIbkcpnkO3Kwc4qsEnSZp'

const onHosts: readonly Mistake[] = [
  [
    'two hosts of one name',
    hostsFileWith('name: cp-2', 'name: cp-1'),
    ['7:11 error: two hosts are called `cp-1` -> Give one of them another: hosts[0] has it too.'],
  ],
  [
    'two hosts at one address and port',
    hostsFileWith('address: 192.0.2.12', 'address: 192.0.2.11'),
    [
      '8:14 error: two hosts are reached at 192.0.2.11, port 22 -> Give one of them another: hosts[0] has it too.',
    ],
  ],
  [
    'two nodes of one address behind different ports',
    hostsFileWith('address: 192.0.2.12', 'address: 192.0.2.11\n    ssh: {port: 2222}'),
    [
      '8:14 error: two nodes have the address 192.0.2.11 -> Give one of them another: hosts[0] has it too.',
    ],
  ],
  [
    'a name that is no DNS label',
    hostsFileWith('name: worker-1', 'name: Worker_1'),
    [
      '15:11 error: hosts[3].name must be made of lower-case letters, digits and hyphens, with a letter or digit at both ends, and have 63 characters at most -> Write worker-1.',
    ],
  ],
  [
    'an address with a scheme',
    hostsFileWith('address: 192.0.2.21', 'address: ssh://192.0.2.21'),
    [
      '16:14 error: hosts[3].address is `ssh://192.0.2.21`, which is no host name or address -> Write it without scheme, user and port.',
    ],
  ],
  [
    'a host name without an address for the node',
    hostsFileWith('address: 192.0.2.21', 'address: worker-1.example.com'),
    [
      '16:14 error: hosts[3] has no nodeIp, and its address `worker-1.example.com` is no IPv4 address -> Add nodeIp: the IPv4 address at which the other nodes reach it.',
    ],
  ],
  [
    'an even number of control planes',
    hostsFileWith(
      `address: 192.0.2.13\n    role: control-plane`,
      'address: 192.0.2.13\n    role: worker',
    ),
    [
      '2:1 error: hosts has 2 control planes, and their number must be odd: etcd bears the loss of no more of 2 members than of 1 -> Make one more of them, or one fewer.',
    ],
  ],
  [
    'no control plane',
    hostsFile.replaceAll('role: control-plane', 'role: worker'),
    [
      '2:1 error: hosts has no control plane -> Give one, three or five hosts the role control-plane.',
    ],
  ],
  [
    'a role that is none',
    hostsFileWith('role: worker', 'role: gpuworker'),
    [
      '17:11 error: hosts[3].role must be control-plane or worker or gpu-worker, but is the text `gpuworker` -> Did you mean gpu-worker?',
    ],
  ],
  [
    'a label that nodes may not give themselves',
    hostsFileWith('role: worker', 'role: worker\n    labels: {node-role.kubernetes.io/db: ""}'),
    [
      '18:14 error: the label `node-role.kubernetes.io/db` of hosts[3] has a prefix under which a node may not label itself -> Use a prefix of your own, such as example.com/.',
    ],
  ],
]

const onLogins: readonly Mistake[] = [
  [
    'a fingerprint without its type',
    hostsFileWith(key(4), 'hostKey: SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4'),
    [
      '18:14 error: hosts[3].hostKey must be the type and the key of a host, such as ssh-ed25519 AAAA… or ssh-ed25519 SHA256:…, or record -> Write its type before it, such as ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4: a fingerprint alone does not name the key to ask for.',
    ],
  ],
  [
    'a line of known_hosts',
    hostsFileWith(key(4), `hostKey: 192.0.2.21 ssh-ed25519 ${'A'.repeat(68)}`),
    [
      `18:14 error: hosts[3].hostKey must be the type and the key of a host, such as ssh-ed25519 AAAA… or ssh-ed25519 SHA256:…, or record -> Write ssh-ed25519 ${'A'.repeat(68)}.`,
    ],
  ],
  [
    'a key of another type than it says',
    hostsFileWith(key(4), `hostKey: ${wrongType}`),
    [
      '18:14 error: hosts[3].hostKey is no ssh-ed25519 key, whatever stands before it -> Copy the line of ssh-keyscan once more: every character counts.',
    ],
  ],
  [
    'no host key',
    hostsFileWith(`    ${key(4)}\n`, ''),
    [
      '15:5 error: hosts[3] has no hostKey, so that nothing proves that it is this host -> Add one line of ssh-keyscan without its host name, or hostKey: record to accept the first key that it shows.',
    ],
  ],
  [
    'two ways to log in',
    hostsFileWith('user: admin', 'user: admin\n  key: {agent: true, file: id_ed25519}'),
    ['21:22 error: ssh.key has agent and file, which exclude each other -> Keep one of them.'],
  ],
  [
    'no way to log in',
    hostsFileWith('user: admin', 'user: admin\n  key: {}'),
    ['21:3 error: ssh.key has none of agent, file, environment -> Add one of them.'],
  ],
  [
    'a passphrase for an agent',
    hostsFileWith('user: admin', 'user: admin\n  key: {agent: true, passphrase: {secret: a}}'),
    ['21:22 error: ssh.key.passphrase is of no use: an agent keeps its keys open -> Remove it.'],
  ],
  [
    'a password in plain text',
    hostsFileWith('user: admin', 'user: admin\n  sudo: {password: hunter2}'),
    ['21:20 error: ssh.sudo.password must be a mapping, but is the text `hunter2`'],
  ],
  [
    'sudo that is no way',
    hostsFileWith('user: admin', 'user: admin\n  sudo: sometimes'),
    ['21:9 error: ssh.sudo must be none or passwordless, but is the text `sometimes`'],
  ],
  [
    'somebody who is not root and has no sudo',
    hostsFileWith('role: worker', 'role: worker\n    ssh: {sudo: none}'),
    [
      '18:17 error: `admin` of hosts[3] is not root and has no sudo -> Write passwordless, or the password that sudo asks for.',
    ],
  ],
  [
    'a jump host without a key',
    hostsFileWith('user: admin', 'user: admin\n  jump: {address: 198.51.100.1}'),
    [
      '21:9 error: ssh.jump has no hostKey, so that nothing proves that it is this host -> Add one line of ssh-keyscan without its host name, or hostKey: record to accept the first key that it shows.',
    ],
  ],
]

const onCluster: readonly Mistake[] = [
  [
    'a virtual IP that a host has',
    hostsFileWith('address: 192.0.2.10', 'address: 192.0.2.21'),
    [
      '24:16 error: kubeadm.endpoint.virtualIp.address is 192.0.2.21, which is the address of hosts[3] -> Choose one that nobody has: it moves from one control plane to another.',
    ],
  ],
  [
    'a virtual IP beside an endpoint',
    hostsFileWith('  endpoint:\n', '  endpoint:\n    host: api.example.com:6443\n'),
    [
      '23:5 error: kubeadm.endpoint has virtualIp and host, which exclude each other -> Keep virtualIp where the control planes share an address, host for one that you keep before them.',
    ],
  ],
  [
    'an endpoint that is a worker',
    hostsFileWith('virtualIp:\n      address: 192.0.2.10', 'host: 192.0.2.21:6443'),
    [
      '23:11 error: kubeadm.endpoint.host is the address of hosts[3], which is no control plane -> Write virtualIp, or the address of what leads to all control planes.',
    ],
  ],
  [
    'one of three control planes for all',
    hostsFileWith('virtualIp:\n      address: 192.0.2.10', 'host: 192.0.2.11:6443'),
    [
      '23:11 warning: kubeadm.endpoint.host is the address of hosts[0]: without this host nobody reaches the API, whatever the 3 control planes do -> Write virtualIp, or the address of what leads to all control planes.',
    ],
  ],
  [
    'an endpoint with a scheme',
    hostsFileWith('virtualIp:\n      address: 192.0.2.10', 'host: https://api.example.com'),
    [
      '23:11 error: kubeadm.endpoint.host is `https://api.example.com`, which is no host name or IPv4 address with a port -> Write it without scheme, such as api.example.com:6443.',
    ],
  ],
  [
    'ranges that overlap',
    hostsFileAnd('network: {podRange: 10.100.0.0/16}'),
    [
      '31:21 error: network.podRange 10.100.0.0/16 overlaps network.serviceRange 10.96.0.0/12 -> Move one of them.',
    ],
  ],
  [
    'a range that holds a host',
    hostsFileAnd('network: {podRange: 192.0.2.0/23}'),
    [
      '31:21 error: network.podRange is too small: 192.0.2.0/23 has room for the pods of 2 of the 4 hosts (a /24 each) -> Widen it: it cannot be changed later.',
      '31:21 error: network.podRange 192.0.2.0/23 holds 192.0.2.11, which is hosts[0].address -> Choose a range outside of the network of the hosts.',
    ],
  ],
  [
    'a service range that is too small',
    hostsFileAnd('network: {serviceRange: 10.96.0.0/28}'),
    [
      '31:25 error: network.serviceRange is too small: 10.96.0.0/28 is smaller than a /27 -> Widen it: it cannot be changed later.',
    ],
  ],
  [
    'a Kubernetes before v1beta4',
    hostsFileWith('1.35.4', '1.30.9'),
    [
      '26:12 error: kubernetes.version is 1.30.9, but kubeadm is configured from Kubernetes 1.31 to 1.37 -> Take 1.37.2; an older cluster is first brought to 1.31 by hand.',
    ],
  ],
  [
    'a containerd that is too old',
    hostsFileWith('kubeadm:\n', 'kubeadm:\n  runtime: {version: 2.1.4}\n'),
    [
      '22:22 error: kubeadm.runtime.version is 2.1.4, but Kubernetes 1.35 is for containerd 1.7.28, 2.1.5, 2.2.0 or newer ones of these lines -> Take 2.2.0 or newer.',
    ],
  ],
  [
    'a distribution that is too old',
    hostsFileWith('kubeadm:\n', 'kubeadm:\n  runtime: {source: {type: distribution}}\n').replace(
      '1.35.4',
      '1.36.3',
    ),
    [
      '22:28 error: kubeadm.runtime.source is the distribution, which has containerd 1.7.28 at best: Kubernetes 1.36 is for 2.2.0 or 2.3.0 and newer -> Write repository, which has containerd as Docker packages it.',
    ],
  ],
  [
    'files of which some are missing',
    hostsFileWith(
      'kubeadm:\n',
      `kubeadm:\n  runtime: {source: {type: files, files: [{name: runc, from: runc, sha256: ${'a'.repeat(64)}}]}}\n`,
    ),
    [
      '22:35 error: kubeadm.runtime.source.files has no containerd for amd64, no cni-plugins for amd64 -> Add each of them.',
    ],
  ],
  [
    'a file whose name has a line feed',
    hostsFileWith(
      'kubeadm:\n',
      `kubeadm:\n  packages: {type: files, files: [{name: kubelet, from: "a\\nb", sha256: ${'a'.repeat(64)}}]}\n`,
    ),
    [
      '22:57 error: kubeadm.packages.files[0].from must be an address or a path, without white space and control characters',
    ],
  ],
  [
    'a mirror of a registry for which containerd has no folder',
    hostsFileWith(
      'kubeadm:\n',
      'kubeadm:\n  registryMirrors: {"2001:db8::abcd": [https://m.example.com], "*": [https://m.example.com]}\n',
    ),
    [
      '22:21 error: kubeadm.registryMirrors has the key `2001:db8::abcd`, for which containerd has no folder -> Write a host name or an IPv4 address, with its port where it has one.',
    ],
  ],
  [
    'a patch of the wrong form',
    hostsFileWith(
      'kubeadm:\n',
      'kubeadm:\n  patches: [{target: etcd, type: json, patch: {a: 1}}]\n',
    ),
    [
      '22:47 error: kubeadm.patches[0].patch is no list of operations -> Write operations with op, path and value, or another type.',
    ],
  ],
  [
    'addons for servers of Hetzner Cloud',
    hostsFileAnd('addons: {hcloudCcm: {enabled: true}}'),
    [
      '31:31 error: addons.hcloudCcm is for servers of Hetzner Cloud, and not for hosts that exist -> Remove it: it is off by default here.',
    ],
  ],
  [
    'an argument that kubeadm sets',
    hostsFileWith('version: 1.35.4', 'version: 1.35.4\n  kubeletExtraArgs: {node-ip: 10.0.0.1}'),
    ['27:22 error: hcloud-talos and kubeadm set node-ip of kubelet by themselves -> Remove it.'],
  ],
  [
    'a policy for what hosts do not have',
    hostsFileAnd('policy: {onDestroyNetwork: keep}'),
    [
      '31:10 error: policy has no field `onDestroyNetwork` -> Use one of the known fields: unknownVersions, unapproved, onNodeConfigDrift, onAddonDrift.',
    ],
  ],
]

const onModes: readonly Mistake[] = [
  [
    'both modes',
    hostsFileAnd('talos: {version: v1.14.1}'),
    [
      '2:1 error: the file has talos and hosts: a cluster has either servers at Hetzner or hosts that exist -> Keep hetzner and talos for servers that are created, or hosts and kubeadm for hosts that exist.',
    ],
  ],
  [
    'neither mode',
    'clusterName: rack\nkubernetes: {version: 1.35.4}\n',
    [
      '1:1 error: the file has neither hetzner and talos nor hosts and kubeadm: what the nodes run on is missing -> Keep hetzner and talos for servers that are created, or hosts and kubeadm for hosts that exist.',
    ],
  ],
]

describe('A file of hosts', () => {
  it.each([...onHosts, ...onLogins, ...onCluster, ...onModes])(
    '%s is reported where it stands, with what to do',
    (_name, text, found) => {
      expect(findingsOfHosts(text)).toEqual(found)
    },
  )
})
