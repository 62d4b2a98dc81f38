import { ClusterError } from '../../lib/cluster-error.ts'
import { parseVersion } from '../../spec/tables/version-matrix.ts'
import type { ConfigDocument } from '../../talos/config/config-document.ts'
import { isReshaped } from '../../talos/config/reshape/old-view.ts'
import type { ConfigProblem } from '../../talos/config/validate/config-problem.ts'
import { validateConfig } from '../../talos/config/validate/validate-config.ts'
import { parseMachineConfig, readRunningConfig } from '../../talos/running-config.ts'
import type { ReachedNode } from './reached-cluster.ts'

/**
 * Sees that the Talos which a rollback boots on a node can read the machine config that the node boots with: it would
 * come up without one. No API of Talos shows what that one is: it is known where the state recorded it, and where the
 * node runs one of the two that the state has. Throws `talos-refused`.
 */
export async function requireReadableConfig(node: ReachedNode): Promise<void> {
  const { name, api } = node
  const [kept, { version }] = await Promise.all([readRunningConfig(api), api.machine.version()])
  const config = parseMachineConfig(kept?.persistent ?? '')
  const running = version?.tag ?? ''
  const others = otherTalos(node, running)
  if (others.length === 0 && isReshaped(config)) throw unknownTalos(node)
  for (const other of others) {
    const [problem] = newProblems(config, { running, other })
    if (!problem) continue
    const verb = others.length > 1 ? 'may' : 'would'
    throw new ClusterError(
      'talos-refused',
      `${name} ${verb} boot Talos ${other}, which cannot read its machine config: ${problem.message}`,
      {
        operation: 'rollback',
        target: name,
        hint: isReshaped(config) ? wayBack : 'Put back what that Talos has not, and apply, first.',
      },
    )
  }
}

const wayBack =
  'Bring the machine configs back first: write `talos.contract: v1.13`, then `hcloud-talos apply`.'

/**
 * What a node may have besides the Talos that it runs: a rollback changes the two over. Two where an upgrade was cut off
 * of which nobody knows whether it installed anything; none where nothing shows what it is.
 */
function otherTalos({ recorded }: ReachedNode, running: string): readonly string[] {
  const { talosVersion, formerTalosVersion, installing } = recorded ?? {}
  if (installing && running === installing.to && running !== installing.from) {
    return [installing.from]
  }
  const other = otherOf(running, talosVersion, formerTalosVersion)
  if (other === undefined) return []
  return installing && running === installing.from ? [other, installing.to] : [other]
}

function otherOf(
  running: string,
  newer: string | undefined,
  former: string | undefined,
): string | undefined {
  if (running === newer) return former
  return running === former ? newer : undefined
}

/** What the other Talos would refuse, and the one that runs does not. */
function newProblems(
  config: readonly ConfigDocument[],
  { running, other }: { readonly running: string; readonly other: string },
): ConfigProblem[] {
  const refusedBy = (version: string) => {
    const { minor = 0, patch = 0 } = parseVersion(version) ?? {}
    return validateConfig(config, minor, patch).filter(({ severity }) => severity === 'error')
  }
  const known = new Set(refusedBy(running).map(placeOf))
  return refusedBy(other).filter((problem) => !known.has(placeOf(problem)))
}

function placeOf({ places: [place] }: ConfigProblem): string {
  return JSON.stringify(place)
}

function unknownTalos({ name, recorded }: ReachedNode): ClusterError {
  return new ClusterError(
    'talos-refused',
    `nothing shows which Talos ${name} would boot, and none before v1.14 can read its machine config of the contract v1.14`,
    {
      operation: 'rollback',
      target: name,
      hint: recorded
        ? wayBack
        : 'Name the cluster file instead of --talosconfig: the state has what ran before the last upgrade.',
    },
  )
}
