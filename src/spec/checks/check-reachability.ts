import { formatPath } from '../../lib/finding.ts'
import { nearestName } from '../nearest-name.ts'
import { quoteValue } from '../quote-value.ts'
import { admitsEverybody } from '../resolve-spec.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

/** Hetzner's load balancers, as of November 2026. */
const loadBalancerTypes = ['lb11', 'lb21', 'lb31']

/** How the cluster is reached: endpoint, load balancer, public addresses, SSH keys. */
export function checkReachability(context: CheckContext): CheckFinding[] {
  return [
    ...checkEndpoint(context),
    ...checkLoadBalancer(context),
    ...checkPublicAddresses(context),
    ...checkSshKeys(context),
  ]
}

function checkEndpoint({ file }: CheckContext): CheckFinding[] {
  const { type } = file.endpoint
  if (type === 'loadBalancer' || type === 'dns') return []
  const what = type === 'vip' ? 'an address that control planes share' : 'a floating IP'
  return [
    {
      severity: 'error',
      path: ['endpoint', 'type'],
      message: `endpoint.type is ${type}: ${what} comes with a later version`,
      hint: 'Use loadBalancer, or dns with a name that you keep.',
    },
  ]
}

function checkLoadBalancer({ file }: CheckContext): CheckFinding[] {
  const { type, privateOnly } = file.loadBalancer
  const findings: CheckFinding[] = []
  if (!loadBalancerTypes.includes(type)) {
    const near = nearestName(type, loadBalancerTypes)
    findings.push({
      severity: 'error',
      path: ['loadBalancer', 'type'],
      message: `loadBalancer.type is ${quoteValue(type)}, which is no load balancer of Hetzner`,
      hint:
        near === undefined
          ? `Choose one of ${loadBalancerTypes.join(', ')}.`
          : `Did you mean ${near}?`,
    })
  }
  if (privateOnly === false && !admitsEverybody(file.firewall.kubernetesApi)) {
    findings.push({
      severity: 'warning',
      path: ['loadBalancer', 'privateOnly'],
      message:
        'loadBalancer.privateOnly is false: everybody reaches the Kubernetes API through the load balancer, which no firewall filters, whatever firewall.kubernetesApi allows',
      hint: 'Remove the line, or admit 0.0.0.0/0 in firewall.kubernetesApi to confirm that this is intended.',
      involves: [['firewall', 'kubernetesApi']],
    })
  }
  return findings
}

function checkPublicAddresses({ file }: CheckContext): CheckFinding[] {
  const { publicIpv4, publicIpv6 } = file.network
  return (['controlPlane', 'workers'] as const).flatMap((group) => {
    if (publicIpv4[group]) return []
    const path = ['network', 'publicIpv4', group]
    const what = publicIpv6[group] ? 'without a public IPv4 address' : 'without any public address'
    return [
      {
        severity: 'error' as const,
        path,
        message: `${formatPath(path)} is false: nodes ${what} come with a later version`,
        hint: 'Remove the line; the firewall keeps everybody out of the address.',
        involves: [['network', 'publicIpv6', group]],
      },
    ]
  })
}

function checkSshKeys({ file }: CheckContext): CheckFinding[] {
  return file.hetzner.sshKeys.flatMap((key, index, all) => {
    const path = ['hetzner', 'sshKeys', index]
    if (/^(ssh-|ecdsa-|sk-)\S+ /.test(key)) {
      return [
        {
          severity: 'error' as const,
          path,
          message: `${formatPath(path)} is a public key, not the name of one`,
          hint: 'Add the key to the Hetzner project, and write the name that it has there.',
        },
      ]
    }
    if (all.indexOf(key) === index) return []
    return [
      {
        severity: 'error' as const,
        path,
        message: `hetzner.sshKeys names ${quoteValue(key)} twice`,
        hint: 'Keep one of them.',
      },
    ]
  })
}
