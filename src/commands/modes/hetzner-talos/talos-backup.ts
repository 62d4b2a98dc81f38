import { formatPlace } from '../../../backup/snapshot-place.ts'
import { chooseEtcdSource, describeSurvivor } from '../../../engine/etcd-sources.ts'
import { carryOutRestore } from '../../../engine/hetzner-talos/carry-out-restore.ts'
import { findNewerData } from '../../../engine/hetzner-talos/find-newer-data.ts'
import { judgeControlPlanes } from '../../../engine/hetzner-talos/judge-control-planes.ts'
import { storeEtcdSnapshot } from '../../../engine/hetzner-talos/store-etcd-snapshot.ts'
import { refuseUnlost } from '../../../engine/refuse-unlost.ts'
import { findMadeSince } from '../../../hetzner/find-made-since.ts'
import { type ClusterView, configuredNodes } from '../../../planner/hetzner-talos/cluster-view.ts'
import { guardCluster, guardNewNodes } from '../../../planner/hetzner-talos/guard-cluster.ts'
import { guardFixedSettings } from '../../../planner/hetzner-talos/guard-fixed-settings.ts'
import { missingParts } from '../../../planner/hetzner-talos/plan-restore.ts'
import { dueUntil } from '../../../planner/hetzner-talos/renew-authorities.ts'
import { recoveryBegun } from '../../../planner/restore-plan.ts'
import { clusterUnknown } from '../../../run/cluster-unknown.ts'
import { ClusterReach } from '../../../run/hetzner-talos/cluster-reach.ts'
import type { ClusterSession } from '../../../run/hetzner-talos/cluster-session.ts'
import { readSecrets } from '../../../run/hetzner-talos/read-secrets.ts'
import type { ClusterBackup } from '../../../run/mode/cluster-backup.ts'
import type { RunContext } from '../../../run/run-context.ts'
import { runPhase } from '../../../run/run-phase.ts'
import { etcdProblems } from '../../../talos/etcd/etcd-health.ts'
import { type EtcdSource, findEtcdSource } from '../../../talos/etcd/etcd-source.ts'

type Backup = ClusterBackup<ClusterSession, ClusterView>

const aboutSilent =
  'See that it answers, or delete its server in the Hetzner console if it is lost: it is recreated then.'

/** etcd through the Talos API: a snapshot of a member, and Talos's own steps of disaster recovery. */
export const talosBackup: Backup = {
  take,
  authority: async (context, { store, spec }) =>
    (await readSecrets(context, store, spec.clusterName)).certs.k8s.crt,
  planRestore(view, { now }) {
    const creates = missingParts(view)
    const findings = [
      // What the cluster was born with is in the snapshot too: nothing brings it to another value.
      ...guardFixedSettings(view),
      ...guardNewNodes(view, creates),
      ...guardCluster(withoutEtcd(view), creates, { now, restores: true }),
    ]
    return { creates, findings }
  },
  judgeRestore,
  restore: (context, work) => carryOutRestore({ context, ...work }),
}

async function take(
  context: RunContext,
  { session, view }: Parameters<Backup['take']>[1],
  { place, takenAt, seal }: Parameters<Backup['take']>[2],
): ReturnType<Backup['take']> {
  using reach = new ClusterReach(context, session.store, view)
  const source = await chooseSource(context, reach)
  return await runPhase(
    context.progress,
    'Take the snapshot',
    async () => {
      const stored = await storeEtcdSnapshot(context, { source, place, takenAt, seal, view })
      return { ...stored, node: source.name, quorum: source.kind === 'quorum' }
    },
    ({ node, quorum }) => `${formatPlace(place)}, of ${quorum ? '' : 'the survivor '}${node}`,
  )
}

async function judgeRestore(
  context: RunContext,
  { session, view }: Parameters<Backup['judgeRestore']>[1],
  { now, snapshot, creates, discardEtcd }: Parameters<Backup['judgeRestore']>[2],
): ReturnType<Backup['judgeRestore']> {
  const { generation } = view
  if (!generation) throw clusterUnknown(session.spec, 'restore')
  using reach = new ClusterReach(context, session.store, view)
  // A server whose creation was cut short is off and never had a config: it has no etcd to ask about.
  for (const { action, after } of creates) {
    if (action === 'create' && after?.kind === 'server') reach.exclude(after.name)
  }
  const judged = await judgeControlPlanes(context, reach)
  const begun = recoveryBegun(generation.journal, snapshot.digest)
  const resumes = judged.some(
    ({ name, condition }) => name === begun && (condition === 'alive' || condition === 'data'),
  )
  const having = judged.filter(({ condition }) => condition === 'alive' || condition === 'data')
  const wipes = resumes ? [] : having.map(({ name }) => name)
  const newer = await findNewerData(reach, wipes, { metadata: snapshot.metadata, generation })
  refuseUnlost(judged, { resumes, discardEtcd, newer, aboutSilent })
  const takenAt = snapshot.metadata && Date.parse(snapshot.metadata.takenAt)
  return {
    wipes,
    alive: resumes ? [] : judged.flatMap((n) => (n.condition === 'alive' ? [n.name] : [])),
    newer,
    madeSince: takenAt === undefined || resumes ? [] : await madeSince(session, view, takenAt),
    resumes,
    // Where a node is left it runs with the former ones, and an apply renews them.
    renews: configuredNodes(view).length === 0 ? dueUntil(generation, now) : undefined,
  }
}

async function chooseSource(context: RunContext, reach: ClusterReach): Promise<EtcdSource> {
  const { progress } = context
  return runPhase(
    progress,
    'Choose a control plane',
    async () => {
      const [first, ...others] = reach.controlPlanes()
      const access = await reach.access()
      const controlPlanes = first ? access.controlPlanes([first, ...others]) : []
      const chosen = chooseEtcdSource(await Promise.all(controlPlanes.map(findEtcdSource)))
      const { source } = chosen
      if (source.kind !== 'quorum') progress.warn(describeSurvivor(chosen))
      else {
        const [problem] = await etcdProblems(controlPlanes)
        if (problem !== undefined) progress.warn(`etcd is not healthy: ${problem}`)
      }
      return source
    },
    ({ name }) => name,
  )
}

/** What Kubernetes will not know of, when it goes back to that moment. */
function madeSince(
  { hetzner }: ClusterSession,
  { spec, generation, hetzner: { ids } }: ClusterView,
  since: number,
): Promise<string[]> {
  const serverIds = [...ids].flatMap(([key, id]) => (key.startsWith('server/') ? [id] : []))
  const ownNetwork = ids.get(`network/${spec.clusterName}`)
  const place = {
    networkId: ownNetwork ?? ids.get(`network/${spec.hetzner.network ?? ''}`),
    networkIsOurs: ownNetwork !== undefined,
    serverIds: new Set(serverIds),
  }
  return findMadeSince(hetzner, { uid: generation?.inventory.uid ?? '', place, since })
}

/** What guards a living etcd must not stand in the way of one that is lost. */
function withoutEtcd(view: ClusterView): ClusterView {
  const { generation } = view
  if (!generation) return view
  const inventory = { ...generation.inventory, bootstrapped: false }
  return { ...view, generation: { ...generation, inventory } }
}
