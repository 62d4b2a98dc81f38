import { ClusterError } from '../../lib/cluster-error.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { lockCluster } from '../../run/lock-cluster.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import { furthest, type PresentState, readPresentState } from '../../run/present-state.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'
import { lastFact } from '../../store/files/journal.ts'
import { manifestPath } from '../../store/files/layout.ts'
import { digest } from '../../store/files/manifest.ts'
import type { Generation } from '../../store/generation.ts'
import { isOlder, refuseFormerKey, refuseOlder } from '../../store/trust/refuse-older.ts'

export interface ImportInput {
  readonly file: ClusterFile
  readonly bundle: Uint8Array
  /** Takes a bundle that is older than the provider remembers: what came after it is lost. */
  readonly acceptsOlder?: boolean
  /** Takes the place of a state that was imported from an older bundle. */
  readonly replaces?: boolean
}

export interface ImportedState {
  /** Of the bundle. */
  readonly from: number
  readonly writtenAt: string
  /** As it is on the branch now. */
  readonly generation: number
  /** How far the state had come, as the provider remembers it; undefined where it does not. */
  readonly remembered: number | undefined
}

/**
 * Restores the state of a cluster from a bundle of `exportState` onto a branch that does not hold it. The bundle is
 * believed like a branch: signed by whom the cluster file names, written for this cluster and repository, with the
 * uid of what is there. It becomes the next generation, encrypted and signed again by this run. A damaged state
 * with nothing as new in its history makes way. Again after it died, it goes on. Throws `bundle-invalid`, `import-refused` where the branch holds the cluster already,
 * `state-rolled-back`, `state-other-cluster`, and what reading does.
 */
export async function importInMode<S extends StateSession, V extends KnownCluster>(
  { open, machines }: ClusterMode<S, V>,
  context: RunContext,
  input: ImportInput,
): Promise<ImportedState> {
  const { file, bundle, acceptsOlder = false, replaces = false } = input
  const { progress } = context
  await using session = await open(context, file, { dropsRecipients: true })
  const { spec, store } = session
  const { clusterName } = spec
  const base = await runPhase(progress, 'Open the bundle', () => store.openBundle(bundle))
  const source = digest(base.files.get(manifestPath) ?? new Uint8Array())
  await machines.requireWrite(session)
  await lockCluster(context, session)
  const live = await runPhase(progress, 'Look at what is there', () =>
    machines.findStateOf(session, base),
  )
  live.refuseOther()
  const present = await readPresentState(store)
  const signed = present.kind === 'damaged' ? present.audit.signedUpTo : undefined
  const known = furthest([live.anchor, signed])
  const remembered = known?.generation
  const judge = (there: Generation) => judgePresent(there, { base, source, remembered, replaces })
  if (present.kind === 'damaged') judgeDamaged(present, base, live.isThere)
  if (present.kind === 'believed') {
    judge(present.generation)
    // A key that was rotated away is not brought back by a bundle of its time.
    const { keyEpoch } = present.generation.manifest
    refuseOlder(base, { ...base.manifest, keyEpoch }, 'the branch records', noFormerKey)
  }
  const isNewest = present.kind === 'believed' && !(known && isOlder(present.generation, known))
  if (known && !isNewest) {
    refuseFormerKey(base, known)
    if (!acceptsOlder) refuseOlder(base, known, 'it is known', onlyOlder)
  }
  const restoring = {
    above: remembered,
    fact: {
      fact: 'state-imported',
      detail: { manifest: source, generation: String(base.manifest.generation) },
    },
  } as const
  const restored = await runPhase(progress, 'Restore the state', () =>
    present.kind === 'damaged'
      ? store.restoreUpon(present.audit, base, restoring)
      : store.restore(base, { ...restoring, judge }),
  )
  if (!restored) throw moved(clusterName)
  const { generation } = restored.manifest
  await live.remember(restored.manifest)
  return {
    from: base.manifest.generation,
    writtenAt: base.manifest.writtenAt,
    generation,
    remembered,
  }
}

const onlyOlder =
  'Take a newer bundle, or push the newest commit that a clone has to the state branch. Only if this bundle is the newest copy that is left, run the same command with `--accept-older`, and look at a plan before you apply.'

const noFormerKey = 'Continue with what is on the branch: `hcloud-talos plan`.'

/**
 * A bundle takes the place of a damaged state only where it is newer than whatever of it can still be believed: a
 * repair loses nothing otherwise. Throws `import-refused`, and the damage itself where a bundle is no answer to it.
 */
function judgeDamaged(
  { error, audit }: Extract<PresentState, { kind: 'damaged' }>,
  { manifest }: Generation,
  isThere: boolean,
): void {
  const there = audit.newest ?? audit.ended
  const isOther = there !== undefined && there.manifest.uid !== manifest.uid
  if (audit.isPartlyUnreadable || (isOther && !isThere)) throw error
  // What is there has the uid of the bundle: the other one is a predecessor of the same name.
  if (!there || isOther || there.manifest.generation < manifest.generation) return
  const { cluster, generation } = there.manifest
  throw new ClusterError(
    'import-refused',
    `the state on the branch is damaged (${error.code}), and generation ${generation} of ${cluster} in its history is not older than this bundle of generation ${manifest.generation}`,
    {
      operation: 'import the state of',
      target: cluster,
      hint: 'Run `hcloud-talos repair`: it brings the branch back to that generation.',
      cause: error,
    },
  )
}

function moved(target: string): ClusterError {
  return new ClusterError('import-refused', 'the state branch moved while it was looked at', {
    operation: 'import the state of',
    target,
    hint: 'Run the same command again.',
  })
}

interface Newcomer {
  readonly base: Generation
  readonly source: string
  readonly remembered: number | undefined
  readonly replaces: boolean
}

/**
 * What a bundle is to a state that is there. That of this very bundle is gone on with. One that was forced back behind
 * what the provider remembers makes way for a newer one; so does, where that is meant, one that was itself imported from an
 * older bundle. Any other state is the newest there is. Throws `import-refused`.
 */
function judgePresent(
  { journal, manifest }: Generation,
  { base, source, remembered = 0, replaces }: Newcomer,
): 'done' | 'replace' {
  const imported = lastFact(journal, 'state-imported')
  const { cluster, generation } = manifest
  const isThis = imported?.detail?.['manifest'] === source
  if (isThis && generation >= remembered) return 'done'
  const offered = base.manifest.generation
  const isSame = base.manifest.uid === manifest.uid
  if (isSame && generation < remembered && offered > generation) return 'replace'
  const from = Number(imported?.detail?.['generation'] ?? Number.NaN)
  const isNewer = isSame && offered > from
  if (isNewer && replaces) return 'replace'
  const context = { operation: 'import the state of', target: cluster }
  if (isNewer) {
    throw new ClusterError(
      'import-refused',
      `the state branch holds the generation ${generation} of ${cluster}, which was imported from a bundle of generation ${from}; this bundle is of generation ${offered} and knows more of what was before`,
      {
        ...context,
        hint: 'Run the same command with `--replace-older` to let it take that place. What was applied since the former import (`hcloud-talos verify --json` lists it) is not in it: look at a plan before you apply.',
      },
    )
  }
  throw new ClusterError(
    'import-refused',
    `the state branch holds the generation ${generation} of ${cluster}; a bundle of generation ${offered} never takes its place`,
    {
      ...context,
      hint: 'Continue with what is there (`hcloud-talos plan`): it is newer than the bundle. If it is damaged, run `hcloud-talos repair`.',
    },
  )
}
