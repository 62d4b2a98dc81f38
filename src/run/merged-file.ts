import { relative, resolve } from 'node:path'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { Finding } from '../lib/finding.ts'
import { isApplied } from '../planner/applied-spec.ts'
import { loadSpec } from '../spec/load-spec.ts'
import { type BranchFile, readBranchFile } from '../store/files/branch-file.ts'
import type { Generation } from '../store/generation.ts'
import type { ClusterFile } from './cluster-file.ts'
import type { RunContext } from './run-context.ts'

/**
 * Stops a run whose file is not, or not any more, the one on the default branch: a re-run keeps the commit that it
 * was first started for, a queue may start it late, and a job may have checked out anything. The texts are compared,
 * whatever commit the run is of. Under the lock, who is refused here has been overtaken for good. Throws
 * `run-outdated`, `usage` for a run of another branch, and what reading the branch does.
 */
export async function refuseOutdated(context: RunContext, file: ClusterFile): Promise<void> {
  const { source, commit } = context.run
  if (!source) return
  const merged = await readMerged(context, file)
  if (!merged || source.ref !== `refs/heads/${merged.branch}`) {
    throw new ClusterError('usage', `a run of ${source.ref} changes nothing`, {
      hint: `Run it from ${merged?.branch ?? 'the default branch'}: merge the change first.`,
    })
  }
  if (merged.text === file.text) return
  const now = merged.text === undefined ? 'has no such file' : 'has another one'
  if (merged.commit === commit) throw notMerged(file, `${merged.branch} at ${short(commit)} ${now}`)
  throw new ClusterError(
    'run-outdated',
    `this run would carry out ${file.path} as of the commit ${short(commit)}, and ${merged.branch}, which is at ${short(merged.commit)}, ${now}`,
    {
      hint: `Look at the run of the newest commit; where there is none, start a new run of the workflow from ${merged.branch} instead of re-running this one.`,
      operation: 'carry out',
      target: file.path,
    },
  )
}

/** The newest commit, and yet another file: it was changed in the job, or checked out from elsewhere. */
function notMerged({ path }: ClusterFile, why: string): ClusterError {
  return new ClusterError('run-outdated', `${path} is not what was merged: ${why}`, {
    hint: 'Check out the commit of the run, and let no step of the job write the cluster file: what is carried out is what was reviewed.',
    operation: 'carry out',
    target: path,
  })
}

/** The file as the default branch has it, for a run that only looks: where it cannot be read, that is said. */
export async function readMergedForPlan(
  context: RunContext,
  file: ClusterFile,
): Promise<BranchFile | undefined> {
  try {
    return await readMerged(context, file)
  } catch (error) {
    if (!isClusterError(error)) throw error
    context.progress.warn(`whether everything merged was applied is not known: ${error.message}`)
    return undefined
  }
}

/**
 * Says that what the default branch asks for was never applied to its end: its run was cancelled, failed, or never
 * came. A plan then holds its changes besides those that it is about. Nothing where that cannot be told.
 */
export function findUnapplied(
  merged: BranchFile | undefined,
  file: ClusterFile,
  generation: Generation | undefined,
  { toolVersion }: Pick<RunContext, 'toolVersion'>,
): Finding[] {
  if (merged?.text === undefined) return []
  // Digests are of specs with their defaults, and defaults are those of a version of this tool.
  if (generation && generation.manifest.toolVersion !== toolVersion) return []
  const { spec } = loadSpec(merged.text, { fileName: file.path })
  if (!spec || isApplied(spec, generation)) return []
  return [
    {
      severity: 'warning',
      path: [],
      message: `${file.path} was merged to ${merged.branch} (${short(merged.commit)}) and never applied to its end: this plan has its changes too`,
      hint: `Look at the runs of ${merged.branch}, and start a new run of the workflow from it.`,
    },
  ]
}

async function readMerged(
  { run, state, redactor, signal, tempFolder }: RunContext,
  file: ClusterFile,
): Promise<BranchFile | undefined> {
  const { source } = run
  if (!source) return undefined
  return readBranchFile({
    remote: source.remote,
    branch: source.defaultBranch,
    path: relative(resolve(state.folder), resolve(file.path)),
    folder: state.folder,
    credentials: source.credentials,
    environment: state.environment,
    temporaryFolder: tempFolder,
    redactor,
    signal,
  })
}

function short(commit: string | undefined): string {
  return commit?.slice(0, 12) ?? 'nothing'
}
