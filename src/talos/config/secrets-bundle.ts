import type { CertificateAndKey } from './certificate-authority.ts'

/**
 * Every secret of a cluster, made once and kept in the store: what `talosctl gen secrets` makes.
 * Certificates and keys are PEM texts here; the file holds them in base64.
 */
export interface SecretsBundle {
  readonly cluster: {
    /** An opaque text that the discovery service knows the cluster by. */
    readonly id: string
    /** Base64 of the 32 bytes that encrypt what is told to the discovery service. */
    readonly secret: string
  }
  readonly secrets: {
    /** With which kubelets join: `abcdef.0123456789abcdef`. */
    readonly bootstrapToken: string
    /** Base64; encrypts Kubernetes secrets in etcd. Exactly one of the two is there. */
    readonly secretboxEncryptionSecret?: string | undefined
    /** Base64; the same, as Talos up to 1.2 made it. */
    readonly aescbcEncryptionSecret?: string | undefined
  }
  readonly trustdInfo: {
    /** With which workers ask control planes for their Talos certificates. */
    readonly token: string
  }
  readonly certs: {
    readonly etcd: CertificateAndKey
    readonly k8s: CertificateAndKey
    readonly k8sAggregator: CertificateAndKey
    readonly k8sServiceAccount: { readonly key: string }
    /** The CA of the Talos API: it issues the certificates of nodes and clients. */
    readonly os: CertificateAndKey
    /** While that CA is being replaced: the other one, whose certificates are accepted too. */
    readonly osAccepted?: AcceptedAuthority | undefined
  }
}

/** A CA besides the one that issues: the next one, whose key is kept, or the former one, whose key is not. */
export interface AcceptedAuthority {
  readonly crt: string
  readonly key?: string | undefined
}

/** Every value of a bundle that must never be shown: for the redactor. */
export function secretLeaves({ cluster, secrets, trustdInfo, certs }: SecretsBundle): string[] {
  const leaves = [
    cluster.secret,
    secrets.bootstrapToken,
    secrets.secretboxEncryptionSecret,
    secrets.aescbcEncryptionSecret,
    trustdInfo.token,
    certs.etcd.key,
    certs.k8s.key,
    certs.k8sAggregator.key,
    certs.k8sServiceAccount.key,
    certs.os.key,
    certs.osAccepted?.key,
  ]
  return leaves.filter((leaf) => leaf !== undefined)
}
