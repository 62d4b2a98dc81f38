import { formatPath } from '../../lib/finding.ts'
import type { Taint } from '../cluster-spec.ts'
import { quoteValue } from '../quote-value.ts'
import type { Path } from '../yaml/yaml-source.ts'
import { isWithinDomain, labelKeyProblem, labelPrefix, labelValueProblem } from './label-syntax.ts'
import type { CheckFinding } from './spec-check.ts'

/** Labels that the kubelet, Kubernetes or Hetzner's cloud controller write themselves. */
const labelsOfKubernetes = [
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]

/** Labels that nodes are to have, of what stands at `path`. */
export function labelFindings(
  labels: Readonly<Record<string, string>>,
  path: Path,
): CheckFinding[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const here = [...path, 'labels', key]
    const subject = `the label ${quoteValue(key)} of ${formatPath(path)}`
    const keyProblem = labelKeyProblem(key)
    if (keyProblem !== undefined) return [refuseKey(here, `${subject} ${keyProblem}`)]
    const valueProblem = labelValueProblem(value)
    const reserved = reservedLabel(key)
    return [
      ...(reserved ? [refuseKey(here, `${subject} ${reserved.why}`, reserved.hint)] : []),
      ...(valueProblem === undefined
        ? []
        : [refuse(here, `${subject} has the value ${quoteValue(value)}, which ${valueProblem}`)]),
    ]
  })
}

/**
 * What the admission plugin NodeRestriction keeps a node from giving itself, what others write, and
 * Hetzner's own prefix.
 */
function reservedLabel(key: string): { why: string; hint: string } | undefined {
  const prefix = labelPrefix(key)
  const own = 'Use a prefix of your own, such as example.com/.'
  if (labelsOfKubernetes.includes(key)) {
    return { why: 'is written by Kubernetes itself', hint: 'Remove it.' }
  }
  if (isWithinDomain(prefix, 'hetzner.cloud'))
    return { why: 'has a prefix that Hetzner keeps for itself', hint: own }
  const mayBeOwn =
    isWithinDomain(prefix, 'node.kubernetes.io') || isWithinDomain(prefix, 'kubelet.kubernetes.io')
  const isOfKubernetes = isWithinDomain(prefix, 'kubernetes.io') || isWithinDomain(prefix, 'k8s.io')
  if (!isOfKubernetes || mayBeOwn) return undefined
  return { why: 'has a prefix under which a node may not label itself', hint: own }
}

/** Taints that nodes are to have, of what stands at `path`. */
export function taintFindings(taints: readonly Taint[], path: Path): CheckFinding[] {
  return taints.flatMap(({ key, value = '', effect }, index, all) => {
    const here = [...path, 'taints', index]
    const subject = `the taint ${quoteValue(key)} of ${formatPath(path)}`
    const keyProblem = labelKeyProblem(key) ?? reservedTaint(key)
    const valueProblem = labelValueProblem(value)
    const twin = all.findIndex((other) => other.key === key && other.effect === effect)
    return [
      ...(keyProblem === undefined ? [] : [refuse([...here, 'key'], `${subject} ${keyProblem}`)]),
      ...(valueProblem === undefined
        ? []
        : [refuse([...here, 'value'], `${subject} has a value that ${valueProblem}`)]),
      ...(twin < index
        ? [refuse(here, `${subject} appears twice with the effect ${effect}`, 'Keep one of them.')]
        : []),
    ]
  })
}

function reservedTaint(key: string): string | undefined {
  const prefix = labelPrefix(key)
  const isOfKubernetes =
    isWithinDomain(prefix, 'node.kubernetes.io') ||
    isWithinDomain(prefix, 'node.cloudprovider.kubernetes.io')
  return isOfKubernetes ? 'is one that Kubernetes sets and takes away itself' : undefined
}

function refuseKey(path: Path, message: string, hint?: string): CheckFinding {
  return { ...refuse(path, message, hint), atKey: true }
}

function refuse(path: Path, message: string, hint?: string): CheckFinding {
  return { severity: 'error', path, message, ...(hint !== undefined && { hint }) }
}
