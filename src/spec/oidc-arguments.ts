import type { ClusterSpec } from './cluster-spec.ts'

/** The arguments of kube-apiserver that log people in with OpenID Connect. */
export function oidcArguments(oidc: ClusterSpec['kubernetes']['oidc']): Record<string, string> {
  if (oidc === undefined) return {}
  return {
    'oidc-issuer-url': oidc.issuerUrl,
    'oidc-client-id': oidc.clientId,
    ...(oidc.usernameClaim !== undefined && { 'oidc-username-claim': oidc.usernameClaim }),
    ...(oidc.groupsClaim !== undefined && { 'oidc-groups-claim': oidc.groupsClaim }),
  }
}
