import { createLimit } from '../../lib/limit.ts'
import { waitFor } from '../../lib/wait-for.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { replacementStep } from '../../talos/config/replace-authority.ts'
import type { SecretsBundle } from '../../talos/config/secrets-bundle.ts'
import { mintTalosCredentials, type TalosCredentials } from '../../talos/config/talosconfig.ts'
import { doubtRejection } from '../../talos/doubt-rejection.ts'
import type { ReplacementInput } from './replace-talos-authority.ts'

/** How long a node may take to stop believing the former CA after its config says so, in milliseconds. */
const withinMs = 2 * 60_000
const asksAtOnce = 16

/**
 * Credentials of the CA that a revocation is about, minted before it is replaced: what a thief could mint. Undefined
 * where a run that died got so far that the key of that CA is kept nowhere any more.
 */
export async function mintFormerCredentials(
  context: RunContext,
  secrets: SecretsBundle,
): Promise<TalosCredentials | undefined> {
  return replacementStep(secrets) === 'issuing' ? undefined : mintForTrial(context, secrets)
}

async function mintForTrial(
  { keys, calendar, random, redactor }: RunContext,
  secrets: SecretsBundle,
): Promise<TalosCredentials> {
  const environment = { keys, clock: calendar, random }
  const access = { roles: ['os:admin'], hours: 1 } as const
  const credentials = await mintTalosCredentials(secrets, access, environment)
  redactor.add(credentials.key)
  return credentials
}

/**
 * Tries on every node what the thief would: it is shown a certificate of the former CA, by somebody who trusts the
 * node as it is now. `doubtRejection` says what is proof; a node that is away proves nothing. Throws `wait-timeout`, `certificate-ended` and `clock-wrong`.
 */
export async function proveFormerShut(
  { context, session, view, nodes }: ReplacementInput,
  former: TalosCredentials,
): Promise<void> {
  const { clock, signal, progress } = context
  using reach = new ClusterReach(context, session.store, view)
  const own = await mintForTrial(context, await reach.secrets())
  await runPhase(progress, 'Try the former CA on every node', async (phase) => {
    const limit = createLimit(asksAtOnce)
    await Promise.all(
      nodes.map(({ name }) =>
        limit(() =>
          waitFor(
            `${name} to reject the former CA`,
            async () => {
              const { address } = reach.addresses.of(name)
              const doubt = await doubtRejection(address, { former, own, signal })
              return doubt === undefined ? { done: undefined } : { pending: `${name}: ${doubt}` }
            },
            {
              clock,
              signal,
              everyMs: 1_000,
              withinMs,
              onPending: (reason) => phase.step(reason),
              hint: 'Run `hcloud-talos revoke` again: it continues from there.',
            },
          ),
        ),
      ),
    )
  })
}
