import { importSecrets } from '../../talos/config/import-secrets.ts'
import { parseTalosconfig } from '../../talos/config/parse-talosconfig.ts'
import { mintTalosCredentials, type TalosCredentials } from '../../talos/config/talosconfig.ts'
import type { WayIn } from '../mode/cluster-recovery.ts'
import { recoveryImpossible } from '../recovery-impossible.ts'
import type { RunContext } from '../run-context.ts'

/** Credentials that a node's own config can be read with. Throws `recovery-impossible`, `secrets-invalid`. */
export async function openWayIn(
  { keys, calendar, random, redactor }: RunContext,
  wayIn: WayIn | undefined,
): Promise<TalosCredentials> {
  if (!wayIn) {
    throw recoveryImpossible(
      'nothing is given that leads into the nodes',
      'Give a talosconfig, or the secrets of the cluster; docs/disaster-recovery.md shows how to get one.',
    )
  }
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
