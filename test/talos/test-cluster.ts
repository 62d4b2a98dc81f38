import { generateSecretsBundle } from '../../src/talos/config/generate-secrets-bundle.ts'
import type { SecretsBundle } from '../../src/talos/config/secrets-bundle.ts'
import { mintTalosCredentials, type TalosCredentials } from '../../src/talos/config/talosconfig.ts'
import { testPki } from './pki-environment.ts'

/** The secrets of a cluster, and an administrator of it. */
export async function testCluster(): Promise<{
  secrets: SecretsBundle
  credentials: TalosCredentials
}> {
  const secrets = await generateSecretsBundle(testPki)
  const roles = ['os:admin'] as const
  return { secrets, credentials: await mintTalosCredentials(secrets, { roles, hours: 1 }, testPki) }
}
