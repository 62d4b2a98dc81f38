import type { JsonObject } from '../../lib/json.ts'
import { type FoundCluster, isMember, runningRole } from './found-cluster.ts'

/** How long before its end a certificate is renewed or reported: kubeadm's are good for a year. */
export const endsSoonMs = 30 * 24 * 3_600_000

/**
 * When the certificates of a control plane end that kubeadm renews, as a field of its node; undefined for another host.
 * They are asked for as they are until they end soon.
 */
export function certificatesField(
  found: FoundCluster,
  name: string,
  now?: number | undefined,
): JsonObject {
  const end = found.hosts.get(name)?.traces.certificatesEnd
  if (end === undefined || !isMember(found, name)) return {}
  if (runningRole(found, name) !== 'control-plane') return {}
  const isDue = now !== undefined && end - now <= endsSoonMs
  return { certificates: isDue ? 'renewed' : `until ${dayOf(end)}` }
}

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
