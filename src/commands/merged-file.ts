import { relative, resolve } from 'node:path'
import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { Finding } from '../lib/finding.ts'
import { loadSpec } from '../spec/load-spec.ts'
import { type BranchFile, readBranchFile } from '../store/branch-file.ts'
import type { Generation } from '../store/generation.ts'
import { isApplied } from './applied-spec.ts'
import type { ClusterFile } from './cluster-session.ts'
import type { RunContext } from './run-context.ts'

/**
 * Stops a run whose file is not, or not any more, the one on the default branch: a re-run keeps the commit that it
 * was first started for, and a queue may start it late. Goes on where that branch has the same file by now. Only
 * under the lock: who is refused here has been overtaken for good. Throws `run-outdated`, `usage` for a run of
 * another branch, and what reading the branch does.
 */
export async function refuseOutdated(context: RunContext, file: ClusterFile): Promise<void> {
  const { source, commit } = context.run
  if (!source) return
  const merged = await readMerged(context, file)
  if (!merged || source.ref !== `refs/heads/${merged.branch}`) {
    throw new ClusterError('usage', `a run of ${source.ref} changes nothing`, {
      hint: `run it from ${merged?.branch ?? 'the default branch'}: merge the change first`,
    })
  }
  if (merged.commit === commit || merged.text === file.text) return
  const now = merged.text === undefined ? 'has no such file' : 'has another one'
  throw new ClusterError(
    'run-outdated',
    `this run would carry out ${file.path} as of the commit ${short(commit)}, and ${merged.branch}, which is at ${short(merged.commit)}, ${now}`,
    {
      hint: `look at the run of the newest commit; where there is none, run the workflow anew from ${merged.branch} instead of re-running this one`,
      operation: 'carry out',
      target: file.path,
    },
  )
}

/** The file as the default branch has it, for a run that only looks: where it cannot be read, that is said. */
export async function lookAtMerged(
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
      hint: `look at the runs of ${merged.branch}, and run the workflow anew from it`,
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
    credentials: state.credentials,
    environment: state.environment,
    temporaryFolder: tempFolder,
    redactor,
    signal,
  })
}

function short(commit: string | undefined): string {
  return commit?.slice(0, 12) ?? 'nothing'
}
