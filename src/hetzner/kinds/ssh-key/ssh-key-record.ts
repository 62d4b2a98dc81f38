import { z } from 'zod'
import type { DiffRules } from '../../../plan/diff-records.ts'
import type { ClusterRecord } from '../../../plan/record.ts'
import type { ClusterSpec } from '../../../spec/cluster-spec.ts'
import type { ApiSshKey } from '../../api/ssh-keys.ts'
import type { OwnResource } from '../../own-resources.ts'
import { type ClusterIdentity, ownLabels, resourceLabels } from '../../ownership.ts'
import { ownFacts } from '../record-parts.ts'

export const sshKeySpecSchema = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.string()),
})
type SshKeySpec = z.infer<typeof sshKeySpecSchema>

/**
 * Talos has no SSH, but a server made without a key gets a root password, which Hetzner mails. So a
 * cluster whose spec names no key gets one that nobody can use: its private half is never kept.
 */
export function desireSshKey(spec: ClusterSpec, identity: ClusterIdentity): ClusterRecord[] {
  if (spec.hetzner.sshKeys.length > 0) return []
  const key: SshKeySpec = { name: spec.clusterName, labels: resourceLabels(identity, 'ssh-key') }
  return [{ kind: 'ssh-key', name: spec.clusterName, spec: key, needs: [] }]
}

export function liveSshKey(own: OwnResource<ApiSshKey>): ClusterRecord {
  const { name, labels } = own.item
  const spec: SshKeySpec = { name, labels: ownLabels(labels) }
  return { kind: 'ssh-key', name: own.name, spec, needs: [], facts: ownFacts(own) }
}

export const sshKeyRules: DiffRules = {
  create: () => ({ risk: 'additive', reason: 'keeps Hetzner from mailing root passwords' }),
  delete: () => ({ risk: 'live', reason: 'the spec names other keys' }),
  update: () => ({ action: 'update', risk: 'live', reason: 'changed in place' }),
}
