import type { Finding } from '../../lib/finding.ts'
import { isJsonObject, type Json } from '../../lib/json.ts'
import type { ConfigDocument } from '../../talos/config/config-document.ts'
import { oldView } from '../../talos/config/reshape/old-view.ts'
import type { ClusterView } from './cluster-view.ts'
import { givenConfigs } from './guard-fixed-settings.ts'

/**
 * A load balancer that was replaced, or got its public side later, has an address that the control planes knew nothing
 * of when they were configured: kubeconfigs name it, and no certificate of the Kubernetes API does.
 */
export function checkServedAddress(view: ClusterView): Finding[] {
  const { hetzner, spec } = view
  const balancer = hetzner.records.find(({ kind }) => kind === 'load-balancer')
  const address = balancer?.facts?.['publicIp']
  if (typeof address !== 'string' || spec.kubernetes.certSans.includes(address)) return []
  if (givenConfigs(view).every((documents) => isCertified(documents, address))) return []
  return [
    {
      severity: 'warning',
      path: ['kubernetes', 'certSans'],
      message: `the load balancer has the address ${address}, which the certificates of the Kubernetes API do not name: it came after the control planes were configured, and kubectl rejects what answers there`,
      hint: `Add ${address} to kubernetes.certSans, and apply.`,
    },
  ]
}

function isCertified(documents: readonly ConfigDocument[], address: string): boolean {
  const names = at(oldView(documents), 'cluster', 'apiServer', 'certSANs')
  return Array.isArray(names) && names.includes(address)
}

function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (found, key) => (isJsonObject(found) ? found[key] : undefined),
    value,
  )
}
