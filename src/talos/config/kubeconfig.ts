import { encodeText } from './base64.ts'
import { createClientCertificate, type PkiEnvironment } from './certificate-authority.ts'
import type { SecretsBundle } from './secrets-bundle.ts'
import { formatYamlDocuments } from './yaml-documents.ts'

export interface KubeconfigOptions {
  readonly clusterName: string
  /** Where the Kubernetes API is reached: `https://10.0.127.254:6443`. */
  readonly server: string
  readonly hours: number
}

/**
 * A kubeconfig of a cluster administrator (`system:masters`), as Talos itself would hand it out,
 * minted for a use and good for `hours`. Needs the secrets and no node.
 */
export async function mintKubeconfig(
  { certs }: SecretsBundle,
  { clusterName, server, hours }: KubeconfigOptions,
  environment: PkiEnvironment,
): Promise<string> {
  const client = await createClientCertificate(
    certs.k8s,
    {
      subject: { organizations: ['system:masters'], commonName: 'admin' },
      kind: 'ecdsa-p256',
      keyUsage: ['digitalSignature', 'keyEncipherment'],
      hours,
    },
    environment,
  )
  const name = `admin@${clusterName}`
  return formatYamlDocuments([
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: clusterName,
          cluster: { server, 'certificate-authority-data': encodeText(certs.k8s.crt) },
        },
      ],
      users: [
        {
          name,
          user: {
            'client-certificate-data': encodeText(client.crt),
            'client-key-data': encodeText(client.key),
          },
        },
      ],
      contexts: [{ name, context: { cluster: clusterName, namespace: 'default', user: name } }],
      'current-context': name,
    },
  ])
}
