import { knownResources } from '../hetzner/known-resources.ts'
import { observeHetzner } from '../hetzner/observe.ts'
import { requireWrite } from '../hetzner/require-write.ts'
import { writeAnchor } from '../hetzner/state-anchor.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { runPhase } from '../phases/run-phase.ts'
import type { Generation } from '../store/generation.ts'
import { lastFact } from '../store/journal.ts'
import { manifestPath } from '../store/layout.ts'
import { digest } from '../store/manifest.ts'
import { type ClusterFile, lockCluster, openSession } from './cluster-session.ts'
import { refuseOtherCluster, refuseRolledBack } from './observe-cluster.ts'
import type { RunContext } from './run-context.ts'

export interface ImportInput {
  readonly file: ClusterFile
  readonly bundle: Uint8Array
  /** Takes a bundle that is older than Hetzner remembers: what came after it is lost. */
  readonly acceptsOlder?: boolean
}

export interface ImportedState {
  /** Of the bundle. */
  readonly from: number
  readonly writtenAt: string
  /** As it is on the branch now. */
  readonly generation: number
  /** How far the state had come, as Hetzner remembers it; undefined where it does not. */
  readonly remembered: number | undefined
}

/**
 * Restores the state of a cluster from a bundle of `exportState` onto a branch that does not hold it. The bundle is
 * believed like a branch: signed by whom the cluster file names, written for this cluster and repository, with the
 * uid of what is at Hetzner. It becomes the next generation, encrypted and signed anew by this run. Again after it
 * died, it goes on. Throws `bundle-invalid`, `import-refused` where the branch holds the cluster already,
 * `state-rolled-back`, `state-other-cluster`, and what reading does.
 */
export async function importState(context: RunContext, input: ImportInput): Promise<ImportedState> {
  const { file, bundle, acceptsOlder = false } = input
  const { progress } = context
  await using session = await openSession(context, file, { dropsRecipients: true })
  const { spec, store, hetzner } = session
  const { clusterName } = spec
  const base = await runPhase(progress, 'Open the bundle', () => store.openBundle(bundle))
  const source = digest(base.files.get(manifestPath) ?? new Uint8Array())
  const { uid } = base.manifest
  await requireWrite(hetzner)
  await lockCluster(context, session)
  const live = await runPhase(progress, 'Look at what is there', () =>
    observeHetzner(hetzner, {
      clusterName,
      uid,
      known: knownResources(base.inventory),
      network: spec.hetzner.network,
    }),
  )
  refuseOtherCluster(base, live)
  const present = await store.read()
  if (present) refusePresent(present, source)
  else if (!acceptsOlder) refuseRolledBack(base, live)
  const restored = await runPhase(progress, 'Restore the state', () =>
    store.restore(base, {
      above: live.anchor?.generation,
      fact: {
        fact: 'state-imported',
        detail: { manifest: source, generation: String(base.manifest.generation) },
      },
      refuse: (other) => refusePresent(other, source),
    }),
  )
  const { generation, keyEpoch } = restored.manifest
  await writeAnchor(
    hetzner,
    { clusterName, uid },
    { generation, keyEpoch },
    { known: live.anchor, firewallId: live.ids.get(`firewall/${clusterName}`) },
  )
  return {
    from: base.manifest.generation,
    writtenAt: base.manifest.writtenAt,
    generation,
    remembered: live.anchor?.generation,
  }
}

/** A state that is there is the newest; only that of this very bundle is gone on with. */
function refusePresent({ journal, manifest }: Generation, source: string): void {
  if (lastFact(journal, 'state-imported')?.detail?.['manifest'] === source) return
  const { cluster, generation } = manifest
  throw new ClusterError(
    'import-refused',
    `the state branch holds the generation ${generation} of ${cluster}; a bundle never takes its place`,
    {
      operation: 'import the state of',
      target: cluster,
      hint: 'go on with what is there; only if you know it to be of no use, delete its folder from the branch first',
    },
  )
}
