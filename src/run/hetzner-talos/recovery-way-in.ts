import { ClusterError } from '../../lib/cluster-error.ts'
import { importSecrets } from '../../talos/config/import-secrets.ts'
import { parseTalosconfig } from '../../talos/config/parse-talosconfig.ts'
import { mintTalosCredentials, type TalosCredentials } from '../../talos/config/talosconfig.ts'
import type { WayIn } from '../mode/cluster-recovery.ts'
import type { RunContext } from '../run-context.ts'

/** Throws `usage` without anything that leads into the nodes: nothing at Hetzner does. */
export function requireWayIn(wayIn: WayIn | undefined): asserts wayIn is WayIn {
  if (wayIn) return
  throw new ClusterError('usage', 'nothing is given that leads into the cluster', {
    hint: 'Give --talosconfig, or --secrets with the file of `talosctl gen secrets` or the machine config of a control plane; docs/disaster-recovery.md shows how to get one.',
  })
}

/** Credentials that a node's own config can be read with. Throws `usage`, `secrets-invalid`. */
export async function openWayIn(
  { keys, calendar, random, redactor }: RunContext,
  wayIn: WayIn | undefined,
): Promise<TalosCredentials> {
  requireWayIn(wayIn)
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
