import { readFile } from 'node:fs/promises'
import { ClusterError } from '../lib/cluster-error.ts'
import type { Redactor } from '../lib/redactor.ts'
import { type AgeIdentity, parseIdentities } from './identity.ts'

/** Where a run's age identities come from: their text, or the path of a file with it. */
export interface IdentitySource {
  readonly text?: string | undefined
  readonly file?: string | undefined
}

/**
 * The age identities of a run; none where neither text nor file is given, which is enough for planning.
 * Throws `identity-missing` for a file that cannot be read, and `identity-invalid`.
 */
export async function loadIdentities(
  { text, file }: IdentitySource,
  redactor: Redactor,
): Promise<readonly AgeIdentity[]> {
  if (text !== undefined && text.trim() !== '') return await parseIdentities(text, redactor)
  if (file === undefined || file === '') return []
  return await parseIdentities(await readIdentityFile(file), redactor)
}

async function readIdentityFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ClusterError('identity-missing', 'the file of the age identity cannot be read', {
      hint: 'Check HCLOUD_TALOS_AGE_IDENTITY_FILE and who may read what it names.',
      operation: 'read the age identity',
      target: file,
      cause: error,
    })
  }
}
