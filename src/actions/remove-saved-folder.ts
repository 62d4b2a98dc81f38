import { temporaryPlace } from '../run/create-run-context.ts'
import { removePrivateFolder } from '../run/private-folder.ts'
import type { ActionRun } from './action.ts'

/** Removes a folder that `main` saved for `post`, and nothing that `main` of this very job did not make. */
export async function removeSavedFolder(
  { runner, context, environment }: ActionRun,
  path: string,
): Promise<void> {
  if (path === '') return
  const parent = temporaryPlace(environment)
  const result = await removePrivateFolder(path, { parent, owner: context.run })
  if (result === 'not-ours') {
    runner.warn(`the saved state names ${path}, which is no folder of this run: it was left alone`)
  }
}
