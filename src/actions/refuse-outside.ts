import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { ClusterError } from '../lib/cluster-error.ts'

/**
 * Throws `usage` for a file that is not in the checked out repository, links followed: what is read is quoted in
 * findings, plans and errors. One that is not there at all is left to whoever reads it.
 */
export async function refuseOutside(path: string, workspace: string | undefined): Promise<void> {
  if (!workspace || path === '') return
  const [file, folder] = await Promise.all([path, workspace].map(whereItIs))
  if (file === undefined || folder === undefined) return
  const way = relative(folder, file)
  if (way !== '..' && !way.startsWith(`..${sep}`) && join(folder, way) === file) return
  throw new ClusterError('usage', `the input config leads out of the workspace: ${path}`, {
    hint: 'Name a cluster file of the checked out repository, and no link to somewhere else.',
  })
}

async function whereItIs(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}
