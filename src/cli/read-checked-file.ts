import type { ClusterFile } from '../run/cluster-file.ts'

/**
 * Reads a cluster file and throws all that is wrong with it (`spec-…`), before anything else is looked
 * at: a mistake in the file is told although the token is missing too, and without asking anybody.
 */
export async function readCheckedFile(path: string): Promise<ClusterFile> {
  const { readClusterFileFrom } = await import('../run/read-cluster-file.ts')
  const { readClusterFile } = await import('../commands/modes/cluster-modes.ts')
  const file = await readClusterFileFrom(path)
  readClusterFile(file)
  return file
}
