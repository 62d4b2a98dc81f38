import { ClusterError } from '../../lib/cluster-error.ts'
import type { StateStore } from '../../store/state-store.ts'
import { type SecretsBundle, secretLeaves } from '../../talos/config/secrets-bundle.ts'
import { parseSecretsBundle } from '../../talos/config/secrets-bundle-yaml.ts'
import type { RunContext } from '../run-context.ts'

/**
 * The cluster's secrets from its state, none of which is ever shown. Throws `identity-missing`,
 * `state-undecryptable`, `state-missing`, `secrets-invalid`.
 */
export async function readSecrets(
  { keys, redactor }: Pick<RunContext, 'keys' | 'redactor'>,
  store: StateStore,
  clusterName: string,
): Promise<SecretsBundle> {
  const text = await store.readSecrets()
  if (text === undefined) {
    throw new ClusterError('state-missing', 'the state branch holds no secrets of this cluster', {
      operation: 'read the secrets of',
      target: clusterName,
      hint: 'Run `hcloud-talos verify`, which names the commit that took the secrets away, and `hcloud-talos repair`, which puts them back. Only a cluster of which no node was ever configured gets its secrets from an apply.',
    })
  }
  const bundle = parseSecretsBundle(text, keys)
  for (const leaf of secretLeaves(bundle)) redactor.add(leaf)
  return bundle
}
