import { type PkiEnvironment, reissueAuthority } from './certificate-authority.ts'
import type { SecretsBundle } from './secrets-bundle.ts'

/**
 * Every authority of a cluster over its own key, good for ten years again. Keys, names and key ids stay: certificates
 * that were issued before stay good, and whoever still holds the former certificate of an authority goes on believing
 * what it issues until that ends. So nodes can take it over one by one.
 */
export function reissueAuthorities(
  bundle: SecretsBundle,
  environment: PkiEnvironment,
): SecretsBundle {
  const { etcd, k8s, k8sAggregator, os, osAccepted } = bundle.certs
  return {
    ...bundle,
    certs: {
      ...bundle.certs,
      etcd: reissueAuthority(etcd, environment),
      k8s: reissueAuthority(k8s, environment),
      k8sAggregator: reissueAuthority(k8sAggregator, environment),
      os: reissueAuthority(os, environment),
      ...(osAccepted && { osAccepted: reissueAuthority(osAccepted, environment) }),
    },
  }
}
