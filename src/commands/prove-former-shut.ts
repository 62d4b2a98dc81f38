import { isClusterError } from '../lib/cluster-error.ts'
import { createLimit } from '../lib/limit.ts'
import { waitFor } from '../lib/wait-for.ts'
import { runPhase } from '../phases/run-phase.ts'
import { getVersion } from '../talos/api/node-version.ts'
import { TalosClient } from '../talos/api/talos-client.ts'
import { replacementStep } from '../talos/config/replace-authority.ts'
import type { SecretsBundle } from '../talos/config/secrets-bundle.ts'
import { mintTalosCredentials, type TalosCredentials } from '../talos/config/talosconfig.ts'
import { ClusterReach } from './cluster-reach.ts'
import type { ReplacementInput } from './replace-talos-authority.ts'
import type { RunContext } from './run-context.ts'

/** How long a node may take to stop believing the former CA after its config says so, in milliseconds. */
const withinMs = 2 * 60_000
const asksAtOnce = 16

/**
 * Credentials of the CA that a revocation is about, minted before it is replaced: what a thief could mint. Undefined
 * where a run that died got so far that the key of that CA is kept nowhere any more.
 */
export async function mintFormerCredentials(
  { keys, calendar, random, redactor }: RunContext,
  secrets: SecretsBundle,
): Promise<TalosCredentials | undefined> {
  if (replacementStep(secrets) === 'issuing') return undefined
  const environment = { keys, clock: calendar, random }
  const access = { roles: ['os:admin'], hours: 1 } as const
  const credentials = await mintTalosCredentials(secrets, access, environment)
  redactor.add(credentials.key)
  return credentials
}

/**
 * Tries on every node what the thief would: a call with a certificate of the former CA, trusting the node as it is
 * now. A node that answers it has not dropped that CA. Throws `wait-timeout`.
 */
export async function proveFormerShut(
  { context, session, view, nodes }: ReplacementInput,
  former: TalosCredentials,
): Promise<void> {
  const { clock, signal, progress } = context
  using reach = new ClusterReach(context, session.store, view)
  const { certs } = await reach.secrets()
  const credentials = { ...former, ca: certs.os.crt }
  await runPhase(progress, 'Try the former CA on every node', async (phase) => {
    const limit = createLimit(asksAtOnce)
    await Promise.all(
      nodes.map(({ name }) =>
        limit(() =>
          waitFor(
            `${name} to reject the former CA`,
            async () => {
              const { address } = reach.addresses.of(name)
              const isLetIn = await letsIn(address, credentials, signal)
              return isLetIn ? { pending: `${name} still accepts it` } : { done: undefined }
            },
            {
              clock,
              signal,
              everyMs: 1_000,
              withinMs,
              onPending: (reason) => phase.step(reason),
              hint: 'Run `hcloud-talos revoke` again: it goes on from there.',
            },
          ),
        ),
      ),
    )
  })
}

async function letsIn(
  address: string,
  credentials: TalosCredentials,
  signal: AbortSignal,
): Promise<boolean> {
  using client = new TalosClient({ address, credentials, signal })
  try {
    await getVersion(client)
    return true
  } catch (error) {
    if (isClusterError(error, 'interrupted') || !isClusterError(error)) throw error
    return false
  }
}
