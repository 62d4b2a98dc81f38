import { describeEndpoint, describeNodes } from '../../../planner/kubeadm/describe-cluster.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { type HostsSession, openHostsSession } from '../../../run/kubeadm/hosts-session.ts'
import { readHostsFile } from '../../../run/kubeadm/read-hosts-file.ts'
import type { ClusterMode } from '../../../run/mode/cluster-mode.ts'
import { hostsAddons } from './hosts-addons.ts'
import { hostsAdoption } from './hosts-adoption.ts'
import { hostsBackup } from './hosts-backup.ts'
import { hostsCredentials } from './hosts-credentials.ts'
import { hostsHealth } from './hosts-health.ts'
import { hostsKeys } from './hosts-keys.ts'
import { hostsLife } from './hosts-life.ts'
import { hostsNodes } from './hosts-nodes.ts'
import { hostsProvider } from './hosts-provider.ts'
import { hostsRecovery } from './hosts-recovery.ts'

/** kubeadm on hosts that exist: the one place where the parts of this mode are put together. */
export const hostsMode: ClusterMode<HostsSession, HostsView> = {
  read: readHostsFile,
  open: openHostsSession,
  machines: hostsProvider,
  nodes: hostsNodes,
  life: hostsLife,
  description: { endpoint: describeEndpoint, nodes: describeNodes },
  keys: hostsKeys,
  health: hostsHealth,
  backup: hostsBackup,
  recovery: hostsRecovery,
  adoption: hostsAdoption,
  addons: hostsAddons,
  credentials: hostsCredentials,
}
