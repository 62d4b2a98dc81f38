import { formatPath } from '../../lib/finding.ts'
import type { PoolInFile } from '../pools-in-file.ts'
import { quoteValue } from '../quote-value.ts'
import type { Path } from '../yaml/yaml-source.ts'
import { labelKeyProblem } from './label-syntax.ts'
import { labelFindings, taintFindings } from './node-labels.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

/** Kubernetes takes no more than this for all annotations of an object together, in bytes. */
const mostAnnotationBytes = 256 * 1024

/** Labels, annotations and taints of nodes. */
export function checkLabels({ pools }: CheckContext): CheckFinding[] {
  return [
    ...pools.flatMap((pool) => [
      ...labelFindings(pool.pool.labels, pool.path),
      ...checkAnnotations(pool),
      ...taintFindings(pool.pool.taints, pool.path),
      ...checkTaintsByKey(pool),
    ]),
    ...checkDnsHasNodes(pools),
  ]
}

function checkAnnotations({ pool, path }: PoolInFile): CheckFinding[] {
  const here = [...path, 'annotations']
  const entries = Object.entries(pool.annotations)
  const findings = entries.flatMap(([key]) => {
    const problem = labelKeyProblem(key)
    if (problem === undefined) return []
    return [
      refuseKey(
        [...here, key],
        `the annotation ${quoteValue(key)} of ${formatPath(path)} ${problem}`,
      ),
    ]
  })
  const bytes = new TextEncoder().encode(entries.flat().join('')).length
  if (bytes <= mostAnnotationBytes) return findings
  return [
    ...findings,
    refuse(here, `${formatPath(here)} is larger than 256 KiB, which Kubernetes does not take`),
  ]
}

/**
 * Talos brings CoreDNS along, which tolerates the control planes' own taint and no other: where every pool keeps
 * it out, nothing in the cluster resolves a name.
 */
function checkDnsHasNodes(pools: readonly PoolInFile[]): CheckFinding[] {
  const withNodes = pools.filter(({ pool }) => pool.count > 0)
  const keepsOut = ({ pool }: PoolInFile) =>
    pool.taints.some(
      ({ key, effect }) =>
        effect === 'NoExecute' ||
        (effect === 'NoSchedule' && key !== 'node-role.kubernetes.io/control-plane'),
    )
  const [first] = withNodes
  if (!first || !withNodes.every(keepsOut)) return []
  return [
    {
      severity: 'warning',
      path: [...first.path, 'taints'],
      message: 'every pool has taints, so that CoreDNS, which tolerates none of them, runs nowhere',
      hint: 'Leave one pool without taints of the effects NoSchedule and NoExecute.',
    },
  ]
}

/** Talos keeps taints of control planes by their keys. */
function checkTaintsByKey({ pool, path, role }: PoolInFile): CheckFinding[] {
  if (role !== 'control-plane') return []
  return pool.taints.flatMap(({ key, effect }, index, all) => {
    const former = all.slice(0, index).filter((other) => other.key === key)
    if (former.length === 0 || former.some((other) => other.effect === effect)) return []
    return [
      refuse(
        [...path, 'taints', index],
        `the taint ${quoteValue(key)} of ${formatPath(path)} stands there with two effects, of which a control plane takes one`,
        'Give the other one another key.',
      ),
    ]
  })
}

function refuseKey(path: Path, message: string, hint?: string): CheckFinding {
  return { ...refuse(path, message, hint), atKey: true }
}

function refuse(path: Path, message: string, hint?: string): CheckFinding {
  return { severity: 'error', path, message, ...(hint !== undefined && { hint }) }
}
