import { formatPath } from '../../lib/finding.ts'
import type { PoolInFile } from '../pools-in-file.ts'
import { quoteValue } from '../quote-value.ts'
import type { Path } from '../yaml/yaml-source.ts'
import { isWithinDomain, labelKeyProblem, labelPrefix, labelValueProblem } from './label-syntax.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

/** Kubernetes takes no more than this for all annotations of an object together, in bytes. */
const mostAnnotationBytes = 256 * 1024

/** Labels that the kubelet, Kubernetes or Hetzner's cloud controller write themselves. */
const labelsOfKubernetes = [
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]

/** Labels, annotations and taints of nodes. */
export function checkLabels({ pools }: CheckContext): CheckFinding[] {
  return [
    ...pools.flatMap((pool) => [
      ...checkNodeLabels(pool),
      ...checkAnnotations(pool),
      ...checkTaints(pool),
    ]),
    ...checkDnsHasNodes(pools),
  ]
}

function checkNodeLabels({ pool, path }: PoolInFile): CheckFinding[] {
  return Object.entries(pool.labels).flatMap(([key, value]) => {
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

/** Whether another taint before this one has its key and another effect. */
function isEarlier(key: string, index: number) {
  return (other: { readonly key: string }, at: number) => other.key === key && at < index
}

function checkTaints({ pool, path, role }: PoolInFile): CheckFinding[] {
  return pool.taints.flatMap(({ key, value = '', effect }, index, all) => {
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
      // Talos keeps taints of control planes by their keys.
      ...(twin === index && role === 'control-plane' && all.some(isEarlier(key, index))
        ? [
            refuse(
              here,
              `${subject} stands there with two effects, of which a control plane takes one`,
              'Give the other one another key.',
            ),
          ]
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
