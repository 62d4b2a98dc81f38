import { manifestPath, signaturePath } from '../files/layout.ts'
import { type Manifest, parseManifest } from '../files/manifest.ts'
import { stateDamage } from './state-damage.ts'
import type { StateTrust } from './state-trust.ts'

/** What a state must be to be taken for that of a cluster. */
export interface StateExpectations {
  readonly cluster: string
  /** owner/name of the repository. */
  readonly repository: string
  readonly trust: StateTrust
}

/**
 * The manifest among a cluster's files: first its signature is verified, and nothing else of it is parsed
 * before; then that it is of this cluster, repository and epoch. Throws the code of the first that fails.
 */
export function verifyManifest(
  files: ReadonlyMap<string, Uint8Array>,
  { cluster, repository, trust }: StateExpectations,
): Manifest {
  const target = `${cluster}/${manifestPath}`
  const content = files.get(manifestPath)
  if (!content)
    throw stateDamage('state-file-missing', target, 'the manifest of the state is missing')
  const signer = trust.verify(content, files.get(signaturePath), `${cluster}/${signaturePath}`)
  const manifest = parseManifest(content, target)
  if (manifest.cluster !== cluster) {
    const message = `the state in the folder ${cluster} is that of the cluster ${manifest.cluster}`
    throw stateDamage('state-other-cluster', target, message)
  }
  if (manifest.repository !== repository) {
    const message = `the state was written for the repository ${manifest.repository}, and this is ${repository}`
    throw stateDamage('state-other-repository', target, message)
  }
  trust.verifyEpoch(manifest.keyEpoch, signer, target)
  return manifest
}
