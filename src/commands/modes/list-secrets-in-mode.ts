import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import { openStateStore } from '../../run/open-state-store.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { StateSession } from '../../run/state-session.ts'
import { referredSecrets } from '../../spec/secret-references.ts'

export interface ListedSecret {
  readonly name: string
  /** Undefined for one that the cluster file refers to and the state does not keep. */
  readonly kept:
    | {
        readonly version: number
        readonly setAt: string
        readonly setBy: string
        readonly origin: 'set' | 'environment'
      }
    | undefined
  /** Places in the cluster file, such as `talos.patches.0`. */
  readonly referredFrom: readonly string[]
}

/**
 * The named secrets of a cluster, those that its state keeps and those that its file refers to, without any value.
 * Needs neither the identity nor a token.
 */
export async function listSecretsInMode<S extends StateSession, V extends KnownCluster>(
  { read, machines }: ClusterMode<S, V>,
  context: RunContext,
  file: ClusterFile,
): Promise<readonly ListedSecret[]> {
  const { spec } = read(file)
  await using store = await openStateStore(context, spec)
  const generation = await store.read()
  if (!generation) await machines.refuseLost(context, { file, spec })
  const records = Object.entries(generation?.inventory.secrets ?? {})
  const kept = new Map(records.filter(([, { isRemoved }]) => isRemoved !== true))
  const referred = referredSecrets(spec)
  const names = new Set([...kept.keys(), ...referred.map(({ name }) => name)])
  return [...names].sort().map((name) => {
    const record = kept.get(name)
    return {
      name,
      kept: record && {
        version: record.version,
        setAt: record.setAt,
        setBy: record.setBy,
        origin: record.origin,
      },
      referredFrom: referred.filter((each) => each.name === name).map(({ path }) => path.join('.')),
    }
  })
}
