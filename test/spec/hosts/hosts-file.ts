import { loadHostsSpec } from '../../../src/spec/hosts/load-hosts-spec.ts'
import { showFinding } from '../sample-file.ts'

/** A small file of hosts without any finding. Its lines are counted on by the tables of mistakes. */
export const hostsFile = `clusterName: rack
hosts:
  - name: cp-1
    address: 192.0.2.11
    role: control-plane
    hostKey: ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1
  - name: cp-2
    address: 192.0.2.12
    role: control-plane
    hostKey: ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA2
  - name: cp-3
    address: 192.0.2.13
    role: control-plane
    hostKey: ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3
  - name: worker-1
    address: 192.0.2.21
    role: worker
    hostKey: ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4
ssh:
  user: admin
kubeadm:
  endpoint:
    virtualIp:
      address: 192.0.2.10
kubernetes:
  version: 1.35.4
state:
  recipients:
    - age1ktayav25lhrgzxfwyejyluaq6mwg5ruk43elhc9u0927s5xnzqhs2eg575
    - age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7
`

/** The findings of a text, each as one line. */
export function findingsOfHosts(text: string): string[] {
  return loadHostsSpec(text).findings.map(showFinding)
}

/** The sample with one part exchanged, which must be in it exactly once. */
export function hostsFileWith(part: string, replacement: string): string {
  const pieces = hostsFile.split(part)
  if (pieces.length !== 2) throw new Error(`the sample has ${pieces.length - 1} times: ${part}`)
  return pieces.join(replacement)
}

/** The sample with lines added at its end. */
export function hostsFileAnd(lines: string): string {
  return `${hostsFile}${lines}\n`
}
