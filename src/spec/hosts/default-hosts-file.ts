import { type DefaultClusterFileOptions, stateSection } from '../default-cluster-file.ts'
import { newFileVersions } from '../tables/version-matrix.ts'
import { hostKeyToFillIn } from './login-schema.ts'

/** The variable that a new file takes the private key from, and a new workflow gives to it. */
export const sshKeyVariable = 'SSH_PRIVATE_KEY'

type DefaultHostsFileOptions = Pick<DefaultClusterFileOptions, 'recipients' | 'signer'> & {
  readonly clusterName: string
}

/** What `init --hosts` writes: a short cluster file in which nothing is wrong but the host keys, which only people know. */
export function defaultHostsFile(options: DefaultHostsFileOptions): string {
  const { clusterName, recipients = [], signer } = options
  return `# A Kubernetes cluster on hosts that exist. Every field: docs/reference/hosts-file.md

# It cannot be changed later.
clusterName: ${clusterName}

# Each is a node of this name. A host proves itself by its key: write what \`ssh-keyscan -t ed25519 <address>\` prints
# after the address, once you have compared it with the host itself.
hosts:
  # One, three or five control planes. Three survive the loss of one.
  - name: cp-1
    address: 10.0.0.11
    role: control-plane
    hostKey: ${hostKeyToFillIn}
  - name: cp-2
    address: 10.0.0.12
    role: control-plane
    hostKey: ${hostKeyToFillIn}
  - name: cp-3
    address: 10.0.0.13
    role: control-plane
    hostKey: ${hostKeyToFillIn}
  - name: worker-1
    address: 10.0.0.21
    role: worker
    hostKey: ${hostKeyToFillIn}

ssh:
  # root by default. Anybody else becomes root by sudo, without a password unless ssh.sudo names where it is.
  # user: admin
  key:
    # The variable of the job, or of your terminal, that has the private key.
    environment: ${sshKeyVariable}

kubeadm:
  endpoint:
    # An address in the network of the control planes that nobody has: they share it. It cannot be changed later.
    virtualIp:
      address: 10.0.0.10
  # A host that leaves, or whose cluster is destroyed: reset undoes what kubeadm did, keep leaves it as it is.
  onRemove: reset

kubernetes:
  version: ${newFileVersions.kubernetes}

${stateSection(recipients, signer)}`
}
