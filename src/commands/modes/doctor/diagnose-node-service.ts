import type { KubernetesNode } from '../../../kubernetes/nodes.ts'
import type { PendingRequest } from '../../../kubernetes/pending-requests.ts'
import { type Diagnosis, problem } from '../../../run/diagnosis.ts'
import type { CommonSpec } from '../../../spec/common-spec.ts'

/** A node that takes no pods; `kept` is the reason where a cordon of ours stays for now. Pure. */
export function diagnoseCordon(
  { name, unschedulable, cordonedBy }: KubernetesNode,
  kept: string | undefined,
): Diagnosis[] {
  if (!unschedulable) return []
  if (cordonedBy === undefined) {
    return [
      problem(
        'kubernetes',
        'weak',
        `${name} was cordoned by hand`,
        `Run \`kubectl uncordon ${name}\` if it may take pods again.`,
      ),
    ]
  }
  const isUpgrade = kept?.includes('upgrade') ?? false
  const message = kept ?? `the run ${cordonedBy} cordoned it and ended early`
  const command = isUpgrade ? 'hcloud-talos upgrade' : 'hcloud-talos apply'
  return [problem('kubernetes', 'bad', `${name} is cordoned: ${message}`, command)]
}

/** How long an approver may take, in milliseconds. */
const approvedWithinMs = 10 * 60_000

/** Without the addon the user approves, or nobody: the file's own finding says so. Pure. */
export function diagnoseRequests(
  { addons }: CommonSpec,
  pending: readonly PendingRequest[],
  now: number,
): Diagnosis[] {
  if (!addons.csrApprover.enabled) return []
  const late = pending.filter(({ since }) => now - since > approvedWithinMs)
  const names = [...new Set(late.map(({ node }) => node))].sort()
  if (names.length === 0) return []
  const message = `nobody approves the certificates that kubelets ask for (${names.join(', ')}): those that they have end`
  return [problem('certificates', 'bad', message, 'hcloud-talos apply')]
}
