import { carrySecrets, readCarried } from '../../../engine/carry-secrets.ts'
import { readLostCluster } from '../../../engine/hetzner-talos/read-lost-cluster.ts'
import { readLostNodes } from '../../../engine/hetzner-talos/read-lost-nodes.ts'
import { recoverAddons } from '../../../engine/hetzner-talos/recover-addons.ts'
import type { ClusterView } from '../../../planner/hetzner-talos/cluster-view.ts'
import type { ClusterSession } from '../../../run/hetzner-talos/cluster-session.ts'
import { openWayIn, requireWayIn } from '../../../run/hetzner-talos/recovery-way-in.ts'
import { openTemporaryRuleOf } from '../../../run/hetzner-talos/temporary-rule.ts'
import type {
  ClusterRecovery,
  RecoveredParts,
  RecoverySource,
} from '../../../run/mode/cluster-recovery.ts'
import type { RunContext } from '../../../run/run-context.ts'
import { runPhase } from '../../../run/run-phase.ts'
import { withSecretVersions } from '../../../spec/secret-references.ts'
import { secretLeaves } from '../../../talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../../../talos/config/secrets-bundle-yaml.ts'

/**
 * Out of a cluster of Talos nodes: its secrets from the machine config of a control plane, its nodes and their slots
 * from the labels at Hetzner, configs and versions from the nodes.
 */
export const talosRecovery: ClusterRecovery<ClusterSession, ClusterView> = {
  requireWayIn,
  find: readLostCluster,
  read: readState,
}

async function readState(
  context: RunContext,
  session: ClusterSession,
  { lost, wayIn, former }: RecoverySource<ClusterView>,
): Promise<RecoveredParts> {
  const { anchor } = lost.view.hetzner
  const credentials = await openWayIn(context, wayIn)
  await using _rule = await openTemporaryRuleOf(context, lost.uid, session)
  const carried = await readCarried(context, session, former)
  const view = { ...lost.view, spec: withSecretVersions(session.spec, carried.versions) }
  const running = await runPhase(context.progress, 'Read the nodes', (phase) =>
    readLostNodes(context, { ...lost, view }, { credentials, named: carried.named }, phase),
  )
  const { secrets, inventory, nodeConfigs } = running
  for (const leaf of secretLeaves(secrets)) context.redactor.add(leaf)
  // It is written before etcd begins: a new etcd must not take the place of one that was lost.
  if (anchor && !inventory.bootstrapped) {
    context.progress.warn('no control plane has data of etcd: restore a snapshot next')
  }
  const addons = inventory.bootstrapped
    ? await recoverAddons(context, view, { secrets, uid: lost.uid })
    : {}
  const bootstrapped = inventory.bootstrapped || Boolean(anchor)
  return {
    ...(await carrySecrets(context, { ...inventory, addons, bootstrapped }, carried)),
    secrets: formatSecretsBundle(secrets),
    nodeConfigs,
  }
}
