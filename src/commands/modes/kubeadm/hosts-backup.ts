import { formatPlace } from '../../../backup/snapshot-place.ts'
import {
  type ChosenSource,
  chooseEtcdSource,
  describeSurvivor,
} from '../../../engine/etcd-sources.ts'
import { type HostSource, sourceOf } from '../../../engine/kubeadm/etcd-source.ts'
import { judgeHostsRestore } from '../../../engine/kubeadm/judge-hosts-restore.ts'
import { lookAtControlPlanes } from '../../../engine/kubeadm/look-at-control-planes.ts'
import { restoreHosts } from '../../../engine/kubeadm/restore-hosts.ts'
import { storeHostSnapshot } from '../../../engine/kubeadm/store-host-snapshot.ts'
import { caCertHashes } from '../../../kubeadm/config/ca-cert-hash.ts'
import { kubernetesFolder } from '../../../kubeadm/config/kubeadm-paths.ts'
import { ClusterError, isClusterError } from '../../../lib/cluster-error.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { planRestore, restoredHosts } from '../../../planner/kubeadm/plan-restore.ts'
import type { HostsSession } from '../../../run/kubeadm/hosts-session.ts'
import { knownHosts } from '../../../run/kubeadm/known-hosts.ts'
import type { ClusterBackup } from '../../../run/mode/cluster-backup.ts'
import type { RunContext } from '../../../run/run-context.ts'
import { runPhase } from '../../../run/run-phase.ts'
import { readFile } from '../../../ssh/read-file.ts'

type Backup = ClusterBackup<HostsSession, HostsView>

const readMs = 60_000
const mostCertificate = 64 * 1024

/** etcd by the programs of its own image: a snapshot of a member over SSH, and etcd's own steps of disaster recovery. */
export const hostsBackup: Backup = {
  take,
  authority,
  planRestore,
  judgeRestore: async (context, { session, view }, { snapshot, discardEtcd }) => ({
    ...(await judgeHostsRestore(context, { session, view, snapshot, discardEtcd })),
    // Nobody makes anything for the cluster outside of it, and certificates of kubeadm are not ours to issue.
    madeSince: [],
    renews: undefined,
  }),
  restore: (context, work) => restoreHosts({ context, ...work }),
}

async function take(
  context: RunContext,
  { session, view }: Parameters<Backup['take']>[1],
  { place, takenAt, seal }: Parameters<Backup['take']>[2],
): ReturnType<Backup['take']> {
  const { source } = await runPhase(
    context.progress,
    'Choose a control plane',
    () => choose(context, session, view),
    (chosen) => chosen.source.name,
  )
  return await runPhase(
    context.progress,
    'Take the snapshot',
    async () => {
      const stored = await storeHostSnapshot(context, { source, place, takenAt, seal, view })
      return { ...stored, node: source.name, quorum: source.kind === 'quorum' }
    },
    ({ node, quorum }) => `${formatPlace(place)}, of ${quorum ? '' : 'the survivor '}${node}`,
  )
}

async function choose(
  { progress }: RunContext,
  session: HostsSession,
  view: HostsView,
): Promise<ChosenSource<HostSource>> {
  const { there, silent } = restoredHosts(view)
  const seen = await lookAtControlPlanes(session, view, there)
  const unreached = silent.map((name) => `${name} is not reached`)
  const chosen = chooseEtcdSource(seen.map(sourceOf), unreached)
  if (chosen.source.kind !== 'quorum') progress.warn(describeSurvivor(chosen))
  else if (chosen.silent.length > 0) {
    progress.warn(`etcd is not healthy: ${chosen.silent.join('; ')}`)
  }
  return chosen
}

/** Its key is on the control planes alone, and so is it; that it is the one of this cluster the state says. */
async function authority(_context: RunContext, session: HostsSession): Promise<string> {
  const inventory = session.store.known?.inventory
  const path = `${kubernetesFolder}/pki/ca.crt`
  const controlPlanes = knownHosts(session.spec, inventory).filter(
    ({ role }) => role === 'control-plane',
  )
  for (const host of controlPlanes) {
    try {
      const remote = await session.hosts.to(host)
      const pem = await readFile(remote, path, { mostBytes: mostCertificate, withinMs: readMs })
      const text = pem?.toString('utf8') ?? ''
      if (inventory?.authority !== undefined && caCertHashes(text).includes(inventory.authority)) {
        return text
      }
    } catch (error) {
      if (!isClusterError(error)) throw error
    }
  }
  throw new ClusterError(
    'snapshot-foreign',
    'it is a plain one, and no control plane that answers has the authority by which it is known to be of this cluster',
    {
      operation: 'verify the snapshot',
      hint: 'Give a sealed snapshot, which names its cluster, or start a control plane that has /etc/kubernetes/pki/ca.crt.',
    },
  )
}
