import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mintAccess } from '../commands/access/mint-access.ts'
import type { Runner } from '../github/runner.ts'
import type { ClusterFile } from '../run/cluster-file.ts'
import { temporaryPlace } from '../run/create-run-context.ts'
import type { AdminCredentials } from '../run/mode/credential-mint.ts'
import { makePrivateFolder } from '../run/private-folder.ts'
import type { RunContext } from '../run/run-context.ts'
import type { ActionRun } from './action.ts'
import { removeSavedFolder } from './remove-saved-folder.ts'

const files = ['kubeconfig', 'talosconfig'] as const

/** Outputs that name files. */
export const accessOutputs = {
  kubeconfig:
    "Path of a kubeconfig for the job's next steps; the file is removed when the job ends.",
  talosconfig:
    "Path of a talosconfig for the job's next steps; the file is removed when the job ends.",
} satisfies Record<(typeof files)[number], string>

/** The longest that a job may run: the credentials of its steps need not outlive it. */
const hours = 6

const stateKey = 'access-folder'

/**
 * Puts a kubeconfig and a talosconfig where the job's next steps find them: in files that only this
 * user can read, whose paths are the outputs. The contents never pass through an output, which would
 * end up in the runner's records.
 */
export async function writeAccessFiles(run: ActionRun, file: ClusterFile): Promise<void> {
  await putAccessFiles(run, await mintAccess(run.context, { file, hours }))
}

/** Only what there is: nodes that are reached by no talosconfig leave that output unset. */
export async function putAccessFiles(
  { runner, context, environment }: AccessRun,
  minted: AdminCredentials,
): Promise<void> {
  // A folder of this step's own: another one of the job may be about another cluster.
  const folder = await makePrivateFolder(temporaryPlace(environment), context.run, 'access-')
  runner.saveState(stateKey, folder)
  for (const name of files) {
    const content = minted[name]
    if (content === undefined) continue
    const path = join(folder, name)
    await writeFile(path, content, { mode: 0o600 })
    runner.setOutput(name, path)
  }
}

interface AccessRun {
  readonly runner: Pick<Runner, 'setOutput' | 'saveState'>
  readonly context: Pick<RunContext, 'run'>
  readonly environment: ActionRun['environment']
}

/** Removes them, in `post`. */
export async function removeAccessFiles(run: ActionRun): Promise<void> {
  await removeSavedFolder(run, run.runner.savedState(stateKey))
}
