import { ClusterError } from '../../lib/cluster-error.ts'
import { importSecrets } from '../../talos/config/import-secrets.ts'
import { parseTalosconfig } from '../../talos/config/parse-talosconfig.ts'
import { mintTalosCredentials, type TalosCredentials } from '../../talos/config/talosconfig.ts'
import type { RunContext } from '../run-context.ts'

/** What somebody still has of a cluster whose state is lost, as text. */
export type WayIn =
  | { readonly kind: 'talosconfig'; readonly text: string }
  /** The file of `talosctl gen secrets`, or the machine config of a control plane. */
  | { readonly kind: 'secrets'; readonly text: string }

/** Credentials that a node's own config can be read with. Throws `recovery-impossible`, `secrets-invalid`. */
export async function openWayIn(
  { keys, calendar, random, redactor }: RunContext,
  wayIn: WayIn,
): Promise<TalosCredentials> {
  const credentials =
    wayIn.kind === 'talosconfig'
      ? parseTalosconfig(wayIn.text, 'the talosconfig').credentials
      : await mintTalosCredentials(
          importSecrets(wayIn.text, keys),
          { roles: ['os:admin'], hours: 1 },
          { keys, clock: calendar, random },
        )
  redactor.add(credentials.key)
  return credentials
}

export function impossible(message: string, hint: string, cause?: unknown): ClusterError {
  return new ClusterError('recovery-impossible', message, {
    operation: 'recover the state',
    hint,
    cause,
  })
}
