import { carryOutOnHosts } from '../../../engine/kubeadm/carry-out-hosts.ts'
import { upgradeHosts } from '../../../engine/kubeadm/upgrade-hosts.ts'
import { verifyHosts } from '../../../engine/kubeadm/verify-hosts.ts'
import { guardBeginning } from '../../../planner/kubeadm/guard-beginning.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { planApply } from '../../../planner/kubeadm/plan-apply.ts'
import { planUpgrade } from '../../../planner/kubeadm/plan-upgrade.ts'
import { firstInventory, recordHosts } from '../../../planner/kubeadm/record-hosts.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import type { ClusterLife } from '../../../run/mode/cluster-life.ts'
import { supportFindings } from '../../../spec/tables/support-windows.ts'

/** The life of a cluster by kubeadm. */
export const hostsLife: ClusterLife<HostsSession, HostsView> = {
  planApply,
  planUpgrade,
  guardBeginning,
  fileFindings: ({ spec }, now) => supportFindings(spec, now),
  firstInventory,
  carryOut: (changes, work) => carryOutOnHosts(changes, work),
  carryOutUpgrade: (changes, work) => upgradeHosts(changes, work),
  verify: verifyHosts,
  recordAll: recordHosts,
}
