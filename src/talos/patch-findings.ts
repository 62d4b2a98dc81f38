import { isClusterError } from '../lib/cluster-error.ts'
import type { Finding } from '../lib/finding.ts'
import { allocateNodes } from '../plan/allocate-nodes.ts'
import type { ClusterNode } from '../plan/cluster-node.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { publicConfig } from './config/config-digest.ts'
import { PatchProblem } from './config/patch-problem.ts'

/** A finding about a patch, and where in it. */
export interface PatchFinding extends Finding {
  /** Keys from the top of the patch's document of `kind`; empty for all of it. */
  readonly at: readonly string[]
  readonly kind: string
}

/**
 * Patches that do not fit the configs that they are for: what each node would be told halfway through an
 * apply is told before anything is asked. One node of each pool is tried, and of each the first patch that
 * does not fit.
 */
export function patchFindings(spec: ClusterSpec): PatchFinding[] {
  const pools = new Map(allocateNodes(spec, undefined).map((node) => [node.pool, node]))
  const found = [...pools.values()].flatMap((node) => findingOf(spec, node) ?? [])
  return [...new Map(found.map((finding) => [JSON.stringify(finding.path), finding])).values()]
}

function findingOf(spec: ClusterSpec, node: ClusterNode): PatchFinding | undefined {
  try {
    publicConfig(spec, node)
    return undefined
  } catch (error) {
    const path = isClusterError(error, 'spec-invalid') && pathOf(spec, node, error.target ?? '')
    if (!path) throw error
    const { cause } = error
    const [problem, at, kind] =
      cause instanceof PatchProblem
        ? [cause.message, cause.at.map(String), cause.kind]
        : [error.message, [], '']
    return {
      severity: 'error',
      path,
      message: problem,
      hint: `It is merged into the config of the nodes of ${node.pool}.`,
      at,
      kind,
    }
  }
}

/** Where a patch stands in the cluster file, by the name that applyPatches gives it. */
function pathOf(
  { workers }: ClusterSpec,
  { pool, role }: ClusterNode,
  source: string,
): (string | number)[] | undefined {
  const [, where, index] = /^(.*)\[(\d+)\]$/.exec(source) ?? []
  if (where === undefined) return undefined
  if (where.startsWith('talos.')) return [...where.split('.'), Number(index)]
  const owner =
    role === 'control-plane'
      ? ['nodes', 'controlPlane']
      : ['nodes', 'workers', workers.findIndex(({ name }) => name === pool)]
  return [...owner, 'patches', Number(index)]
}
