import {
  type Cidr,
  cidrHasAddress,
  cidrsOverlap,
  formatCidr,
  parseCidr,
} from '../../../lib/cidr.ts'
import { formatPath } from '../../../lib/finding.ts'
import { notARange } from '../../checks/check-network.ts'
import type { CheckFinding } from '../../checks/spec-check.ts'
import type { Path } from '../../yaml/yaml-source.ts'
import { type HostsCheckContext, hostsError } from './hosts-check.ts'

/** Kubernetes gives each node this much of the pod range. */
const podPrefixOfNode = 24

/** kube-apiserver takes no larger service range, and cluster DNS wants its tenth address. */
const [largestServicePrefix, smallestServicePrefix] = [12, 27]

interface PlacedRange {
  readonly path: Path
  readonly range: Cidr
}

/** The ranges of pods and services: apart from each other and from every address of a host, and large enough. */
export function checkHostRanges({ file }: HostsCheckContext): CheckFinding[] {
  const malformed: CheckFinding[] = []
  const read = (name: 'podRange' | 'serviceRange'): PlacedRange | undefined => {
    const path = ['network', name]
    const range = parseCidr(file.network[name])
    if (range !== undefined) return { path, range }
    malformed.push(notARange(path, file.network[name]))
    return undefined
  }
  const [pods, services] = [read('podRange'), read('serviceRange')]
  return [
    ...malformed,
    ...(pods === undefined
      ? []
      : [...checkPods(pods, file.hosts.length), ...checkApart(pods, file)]),
    ...(services === undefined ? [] : [...checkServices(services), ...checkApart(services, file)]),
    ...(pods && services && cidrsOverlap(pods.range, services.range)
      ? [overlap(pods, services)]
      : []),
  ]
}

function overlap(pods: PlacedRange, { path, range }: PlacedRange): CheckFinding {
  return {
    ...hostsError(
      pods.path,
      `${formatPath(pods.path)} ${formatCidr(pods.range)} overlaps ${formatPath(path)} ${formatCidr(range)}`,
      'Move one of them.',
    ),
    involves: [path],
  }
}

function checkPods({ path, range }: PlacedRange, nodes: number): CheckFinding[] {
  const room = range.prefix > podPrefixOfNode ? 0 : 2 ** (podPrefixOfNode - range.prefix)
  if (nodes <= room) return []
  return [
    {
      ...hostsError(
        path,
        `${formatPath(path)} is too small: ${formatCidr(range)} has room for the pods of ${room} of the ${nodes} hosts (a /${podPrefixOfNode} each)`,
        'Widen it: it cannot be changed later.',
      ),
      involves: [['hosts']],
    },
  ]
}

function checkServices({ path, range }: PlacedRange): CheckFinding[] {
  if (range.prefix < largestServicePrefix) {
    const message = `${formatPath(path)} ${formatCidr(range)} is too large: Kubernetes takes no more than a /${largestServicePrefix}`
    return [hostsError(path, message, 'Choose a smaller range: a /16 has 65536 service addresses.')]
  }
  if (range.prefix <= smallestServicePrefix) return []
  const message = `${formatPath(path)} is too small: ${formatCidr(range)} is smaller than a /${smallestServicePrefix}`
  return [hostsError(path, message, 'Widen it: it cannot be changed later.')]
}

/** Nodes would send what is for the host to a pod, or to a service. */
function checkApart(
  { path, range }: PlacedRange,
  { hosts, kubeadm }: HostsCheckContext['file'],
): CheckFinding[] {
  const { virtualIp } = kubeadm.endpoint
  const addresses = [
    ...hosts.flatMap(({ address, nodeIp }, index) => [
      { address, at: ['hosts', index, 'address'] },
      ...(nodeIp === undefined ? [] : [{ address: nodeIp, at: ['hosts', index, 'nodeIp'] }]),
    ]),
    ...(virtualIp === undefined
      ? []
      : [{ address: virtualIp.address, at: ['kubeadm', 'endpoint', 'virtualIp', 'address'] }]),
  ]
  const [inside] = addresses.filter(({ address }) => cidrHasAddress(range, address))
  if (inside === undefined) return []
  return [
    {
      ...hostsError(
        path,
        `${formatPath(path)} ${formatCidr(range)} holds ${inside.address}, which is ${formatPath(inside.at)}`,
        'Choose a range outside of the network of the hosts.',
      ),
      involves: [inside.at],
    },
  ]
}
