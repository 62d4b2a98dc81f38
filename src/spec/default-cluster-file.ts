import { newFileVersions } from './tables/version-matrix.ts'

export interface DefaultClusterFileOptions {
  readonly clusterName?: string
  /** A location of Hetzner in Europe: elsewhere the server types have other names. */
  readonly region?: string
  /** Address or path of the JSON Schema, for editors. */
  readonly schema?: string
  /** Public keys of age identities that can read the cluster's secrets. */
  readonly recipients?: readonly string[]
  /** Public half of the key that signs the state. */
  readonly signer?: string | undefined
}

/** What `init` writes: a short cluster file that is valid as it is, and says what to look at first. */
export function defaultClusterFile(options: DefaultClusterFileOptions = {}): string {
  const { clusterName = 'my-cluster', region = 'hel1', schema, recipients = [], signer } = options
  const modeline = schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n`
  return `${modeline}# A Kubernetes cluster on Hetzner Cloud. Every field: docs/reference/cluster-file.md

# Part of the names of its servers; it cannot be changed later.
clusterName: ${clusterName}

hetzner:
  # One of fsn1, nbg1, hel1 (Europe), ash, hil (USA), sin (Singapore).
  region: ${region}
  # How many servers your account may have at once; Hetzner's console shows it.
  # serverLimit: 10

nodes:
  controlPlane:
    # 1, 3, 5 or 7. Three survive the loss of one.
    count: 3
    type: cx23
  workers:
    count: 2
    type: cx33

# Nobody reaches the APIs from outside unless you allow it. A run opens the firewall for itself while it lasts.
# firewall:
#   kubernetesApi: [203.0.113.0/24]

talos:
  version: ${newFileVersions.talos}
kubernetes:
  version: ${newFileVersions.kubernetes}

${stateSection(recipients, signer)}`
}

/** Who can read the cluster's secrets and signs its state: the same in the files of all modes. */
export function stateSection(recipients: readonly string[], signer: string | undefined): string {
  const why = `# The public keys of two age identities (age-keygen), one of them kept offline: they can read the
# cluster's secrets when the key of the runs is lost.
`
  if (recipients.length === 0) {
    return `${why}# state:
#   recipients:
#     - age1...
#     - age1...
`
  }
  return `${why}state:
  recipients:
${recipients.map((recipient) => `    - ${recipient}\n`).join('')}    # - age1...
${signer === undefined ? '' : `  # Who signs the state; nobody else is believed. \`hcloud-talos signer\` prints it.\n  signer: ${signer}\n`}`
}
