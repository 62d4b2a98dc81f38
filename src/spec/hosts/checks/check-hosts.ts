import { formatPath } from '../../../lib/finding.ts'
import { isAddress, isHostName } from '../../checks/host-syntax.ts'
import { labelFindings, taintFindings } from '../../checks/node-labels.ts'
import type { CheckFinding } from '../../checks/spec-check.ts'
import { quoteValue } from '../../quote-value.ts'
import type { Path } from '../../yaml/yaml-source.ts'
import type { HostInFile, HostsFile } from '../hosts-file.ts'
import { type HostsCheckContext, hostsError } from './hosts-check.ts'

/** More members make etcd slower and no safer. */
const mostControlPlanes = 7

/** What the hosts are called, where they are reached, and how many control planes there are. */
export function checkHosts({ file }: HostsCheckContext): CheckFinding[] {
  const { hosts } = file
  return [
    ...hosts.flatMap((host, index) => {
      const path = ['hosts', index]
      return [
        ...checkAddress(host, path),
        ...checkTwins(file, index),
        ...labelFindings(host.labels, path),
        ...taintFindings(host.taints, path),
      ]
    }),
    ...checkControlPlanes(hosts),
  ]
}

function checkAddress({ address, nodeIp }: HostInFile, path: Path): CheckFinding[] {
  if (!isAddress(address) && !isHostName(address)) {
    return [
      hostsError(
        [...path, 'address'],
        `${formatPath([...path, 'address'])} is ${quoteValue(address)}, which is no host name or address`,
        'Write it without scheme, user and port.',
      ),
    ]
  }
  if (nodeIp !== undefined) return isIpv4(nodeIp) ? [] : [noIpv4([...path, 'nodeIp'], nodeIp)]
  if (isIpv4(address)) return []
  return [
    {
      ...hostsError(
        [...path, 'address'],
        `${formatPath(path)} has no nodeIp, and its address ${quoteValue(address)} is no IPv4 address`,
        'Add nodeIp: the IPv4 address at which the other nodes reach it.',
      ),
      involves: [[...path, 'nodeIp']],
    },
  ]
}

function noIpv4(path: Path, value: string): CheckFinding {
  return hostsError(
    path,
    `${formatPath(path)} is ${quoteValue(value)}, which is no IPv4 address`,
    'Write an address such as 10.0.0.11.',
  )
}

function isIpv4(text: string): boolean {
  return isAddress(text) && !text.includes(':')
}

/** What two hosts cannot both have. The later one is reported. */
function checkTwins(file: HostsFile, index: number): CheckFinding[] {
  const host = file.hosts[index]
  if (host === undefined) return []
  const former = file.hosts.slice(0, index)
  const portOf = ({ ssh }: HostInFile) => ssh.port ?? file.ssh.port ?? 22
  const ipOf = ({ nodeIp, address }: HostInFile) => nodeIp ?? address
  const rules = [
    {
      field: 'name',
      message: `two hosts are called ${quoteValue(host.name)}`,
      isTwin: (other: HostInFile) => other.name === host.name,
    },
    {
      field: 'address',
      message: `two hosts are reached at ${host.address}, port ${portOf(host)}`,
      isTwin: (other: HostInFile) =>
        other.address === host.address && portOf(other) === portOf(host),
    },
    {
      field: host.nodeIp === undefined ? 'address' : 'nodeIp',
      message: `two nodes have the address ${ipOf(host)}`,
      isTwin: (other: HostInFile) =>
        ipOf(other) === ipOf(host) &&
        !(other.address === host.address && portOf(other) === portOf(host)),
    },
  ]
  return rules.flatMap(({ field, message, isTwin }) => {
    const twin = former.findIndex(isTwin)
    if (twin < 0) return []
    const other = ['hosts', twin]
    return [
      {
        ...hostsError(
          ['hosts', index, field],
          message,
          `Give one of them another: ${formatPath(other)} has it too.`,
        ),
        involves: ['name', 'address', 'nodeIp'].map((each) => [...other, each]),
      },
    ]
  })
}

function checkControlPlanes(hosts: readonly HostInFile[]): CheckFinding[] {
  const count = hosts.filter(({ role }) => role === 'control-plane').length
  const finding = {
    severity: 'error' as const,
    path: ['hosts'],
    atKey: true,
    involves: hosts.map((_, index) => ['hosts', index, 'role']),
  }
  if (count === 0) {
    const message = 'hosts has no control plane'
    return [{ ...finding, message, hint: 'Give one, three or five hosts the role control-plane.' }]
  }
  if (count > mostControlPlanes) {
    const message = `hosts has ${count} control planes: etcd is for ${mostControlPlanes} members at most`
    return [{ ...finding, message, hint: 'Make workers of the others.' }]
  }
  if (count % 2 === 1) return []
  return [
    {
      ...finding,
      message: `hosts has ${count} control planes, and their number must be odd: etcd bears the loss of no more of ${count} members than of ${count - 1}`,
      hint: 'Make one more of them, or one fewer.',
    },
  ]
}
