import { formatPath } from '../../../lib/finding.ts'
import { isAddress, isHostName } from '../../checks/host-syntax.ts'
import type { CheckFinding } from '../../checks/spec-check.ts'
import { quoteValue } from '../../quote-value.ts'
import { type HostsCheckContext, hostsError } from './hosts-check.ts'

const path = ['kubeadm', 'endpoint']

/** Under which address the Kubernetes API is reached. */
export function checkEndpoint(context: HostsCheckContext): CheckFinding[] {
  const { virtualIp, host } = context.file.kubeadm.endpoint
  if (virtualIp !== undefined && host !== undefined) {
    return [
      {
        ...hostsError(
          [...path, 'host'],
          `${formatPath(path)} has virtualIp and host, which exclude each other`,
          'Keep virtualIp where the control planes share an address, host for one that you keep before them.',
        ),
        atKey: true,
      },
    ]
  }
  if (virtualIp !== undefined) return checkVirtualIp(context, virtualIp.address)
  if (host !== undefined) return checkHost(context, host)
  return [
    {
      ...hostsError(
        path,
        `${formatPath(path)} has neither virtualIp nor host`,
        'Add virtualIp: a free address in the network of the control planes.',
      ),
      atKey: true,
      involves: [
        [...path, 'virtualIp'],
        [...path, 'host'],
      ],
    },
  ]
}

function checkVirtualIp({ file }: HostsCheckContext, address: string): CheckFinding[] {
  const at = [...path, 'virtualIp', 'address']
  if (!isAddress(address) || address.includes(':')) {
    return [
      hostsError(
        at,
        `${formatPath(at)} is ${quoteValue(address)}, which is no IPv4 address`,
        'Write an address such as 10.0.0.10.',
      ),
    ]
  }
  const holder = file.hosts.findIndex((host) =>
    [host.address, host.nodeIp].some((own) => own === address),
  )
  if (holder < 0) return []
  return [
    {
      ...hostsError(
        at,
        `${formatPath(at)} is ${address}, which is the address of ${formatPath(['hosts', holder])}`,
        'Choose one that nobody has: it moves from one control plane to another.',
      ),
      involves: [
        ['hosts', holder, 'address'],
        ['hosts', holder, 'nodeIp'],
      ],
    },
  ]
}

function checkHost({ file, spec }: HostsCheckContext, written: string): CheckFinding[] {
  const at = [...path, 'host']
  const { endpoint } = spec.kubeadm
  const { host = '', port = 0 } = endpoint.type === 'host' ? endpoint : {}
  if ((!isAddress(host) && !isHostName(host)) || host.includes(':') || port < 1 || port > 65535) {
    return [
      hostsError(
        at,
        `${formatPath(at)} is ${quoteValue(written)}, which is no host name or IPv4 address with a port`,
        'Write it without scheme, such as api.example.com:6443.',
      ),
    ]
  }
  const holder = file.hosts.findIndex(({ address, nodeIp }) => address === host || nodeIp === host)
  const controlPlanes = file.hosts.filter(({ role }) => role === 'control-plane').length
  const involves = [
    ['hosts', holder, 'address'],
    ['hosts', holder, 'role'],
  ]
  if (holder < 0) return []
  if (file.hosts[holder]?.role !== 'control-plane') {
    return [
      {
        ...hostsError(
          at,
          `${formatPath(at)} is the address of ${formatPath(['hosts', holder])}, which is no control plane`,
          'Write virtualIp, or the address of what leads to all control planes.',
        ),
        involves,
      },
    ]
  }
  if (controlPlanes === 1) return []
  return [
    {
      severity: 'warning',
      path: at,
      message: `${formatPath(at)} is the address of ${formatPath(['hosts', holder])}: without this host nobody reaches the API, whatever the ${controlPlanes} control planes do`,
      hint: 'Write virtualIp, or the address of what leads to all control planes.',
      involves,
    },
  ]
}
