import { Decrypter, Encrypter } from 'age-encryption'
import { ClusterError } from '../../lib/cluster-error.ts'
import { packFiles, unpackFiles } from '../../lib/tar-archive.ts'
import { type AgeIdentity, identityMissing } from '../trust/identity.ts'

/**
 * All files of one generation of a cluster, signature included, as one file for age recipients: `age -d` gives a
 * tar archive of the cluster's folder, as it stands on the state branch. Throws `identity-missing` where there is
 * nobody to encrypt it for.
 */
export async function sealBundle(
  cluster: string,
  files: ReadonlyMap<string, Uint8Array>,
  recipients: readonly string[],
): Promise<Uint8Array> {
  if (recipients.length === 0) throw identityMissing(cluster)
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  const members = [...files].map(([path, content]) => ({ path: `${cluster}/${path}`, content }))
  return await encrypter.encrypt(await packFiles(members))
}

/**
 * The files of a cluster in a bundle, by path in its folder; nothing of them is verified yet. Throws
 * `identity-missing`, `state-undecryptable`, `bundle-invalid`, and `state-other-cluster` for that of another one.
 */
export async function openBundle(
  cluster: string,
  bundle: Uint8Array,
  identities: readonly AgeIdentity[],
): Promise<Map<string, Uint8Array>> {
  if (identities.length === 0) throw identityMissing(cluster)
  if (!Buffer.from(bundle.subarray(0, 22)).equals(Buffer.from('age-encryption.org/v1\n'))) {
    throw invalid(cluster, 'it is no file of age')
  }
  const files = await unpackFiles(await decrypt(cluster, bundle, identities))
  if (!files) throw invalid(cluster, 'what is in it is no archive of a state')
  const folders = new Set([...files.keys()].map((path) => path.split('/', 1)[0] ?? ''))
  const [folder = ''] = folders
  if (folders.size > 1) throw invalid(cluster, 'it holds more than one folder')
  if (folder !== cluster) {
    throw new ClusterError('state-other-cluster', `the bundle is that of the cluster ${folder}`, {
      operation: 'open the recovery bundle of',
      target: cluster,
      hint: 'Take the bundle of this cluster, or the cluster file of that one.',
    })
  }
  return new Map([...files].map(([path, content]) => [path.slice(cluster.length + 1), content]))
}

async function decrypt(
  cluster: string,
  bundle: Uint8Array,
  identities: readonly AgeIdentity[],
): Promise<Uint8Array> {
  const decrypter = new Decrypter()
  for (const { secret } of identities) decrypter.addIdentity(secret)
  try {
    return await decrypter.decrypt(bundle)
  } catch (error) {
    // age tells nobody's key from a damaged file by its text alone.
    if (!String(error).includes('no identity matched')) throw invalid(cluster, 'it is damaged')
    throw new ClusterError(
      'state-undecryptable',
      'the bundle opens with none of the identities given',
      {
        operation: 'open the recovery bundle of',
        target: cluster,
        hint: 'Give the identity of one of those that it was written for: that of the runs, or the offline one.',
      },
    )
  }
}

function invalid(cluster: string, why: string): ClusterError {
  return new ClusterError('bundle-invalid', `the recovery bundle cannot be used: ${why}`, {
    operation: 'open the recovery bundle of',
    target: cluster,
    hint: 'Take another copy of it; `hcloud-talos export` makes a new one as long as the state branch is there.',
  })
}
