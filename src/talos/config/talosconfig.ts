import { encodeText } from './base64.ts'
import { readCertificate } from './certificate.ts'
import {
  type CertificateAndKey,
  createClientCertificate,
  type PkiEnvironment,
} from './certificate-authority.ts'
import type { SecretsBundle } from './secrets-bundle.ts'
import { formatYamlDocuments } from './yaml-documents.ts'

/** What a client may do: everything, operate without reading secrets, or look. */
export type TalosRole = 'os:admin' | 'os:operator' | 'os:reader' | 'os:etcd:backup'

/** Who a client is, and whom it believes: three PEM texts. */
export interface TalosCredentials extends CertificateAndKey {
  /** The CA that signs the nodes' own certificates; two of them while it is replaced. */
  readonly ca: string
}

/** When what a client shows, and whom it believes, ends. */
export function credentialEnds({ ca, crt }: Pick<TalosCredentials, 'ca' | 'crt'>) {
  return [
    { name: 'the CA of the Talos API', pem: ca },
    { name: 'the certificate of this client', pem: crt },
  ].flatMap(({ name, pem }) => {
    const notAfter = readCertificate(pem)?.notAfter
    return notAfter === undefined ? [] : [{ name, notAfter }]
  })
}

/** Credentials for the Talos API, minted for a use and good for `hours`. */
export async function mintTalosCredentials(
  { certs }: SecretsBundle,
  { roles, hours }: { readonly roles: readonly TalosRole[]; readonly hours: number },
  environment: PkiEnvironment,
): Promise<TalosCredentials> {
  const client = await createClientCertificate(
    certs.os,
    {
      subject: { organizations: roles },
      kind: 'ed25519',
      keyUsage: ['digitalSignature'],
      hours,
    },
    environment,
  )
  // While the CA is replaced, some nodes show a certificate of one and some of the other.
  const authorities = [certs.os.crt, certs.osAccepted?.crt].filter((crt) => crt !== undefined)
  return { ca: authorities.join('\n'), ...client }
}

/** The file that `talosctl` reads, with one context. */
export function formatTalosconfig(
  clusterName: string,
  endpoints: readonly string[],
  { ca, crt, key }: TalosCredentials,
): string {
  return formatYamlDocuments([
    {
      context: clusterName,
      contexts: {
        [clusterName]: {
          endpoints,
          ca: encodeText(ca),
          crt: encodeText(crt),
          key: encodeText(key),
        },
      },
    },
  ])
}
