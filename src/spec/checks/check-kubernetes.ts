import { formatPath } from '../../lib/finding.ts'
import { quoteValue } from '../quote-value.ts'
import { isAddress, isHostName } from './host-syntax.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

/** Certificate names, OIDC, and addons without which nodes never become ready. */
export function checkKubernetes({ file }: CheckContext): CheckFinding[] {
  return [...checkCertSans(file.kubernetes), ...checkOidc(file.kubernetes), ...warnWithoutCcm(file)]
}

function checkCertSans({ certSans }: CheckContext['file']['kubernetes']): CheckFinding[] {
  return certSans.flatMap((name, index) => {
    const path = ['kubernetes', 'certSans', index]
    if (isAddress(name) || isHostName(name, true)) return []
    return [
      {
        severity: 'error' as const,
        path,
        message: `${formatPath(path)} is ${quoteValue(name)}, which is no name or address for a certificate`,
        hint: 'Write a host name or an IP address, without scheme and port.',
      },
    ]
  })
}

function checkOidc({
  oidc,
  apiServerExtraArgs,
}: CheckContext['file']['kubernetes']): CheckFinding[] {
  if (oidc === undefined) return []
  const clashing = Object.keys(apiServerExtraArgs).filter((name) => name.startsWith('oidc-'))
  return clashing.map((name) => ({
    severity: 'error' as const,
    path: ['kubernetes', 'apiServerExtraArgs', name],
    message: `kubernetes.apiServerExtraArgs sets ${quoteValue(name)}, which kubernetes.oidc sets too`,
    hint: 'Keep one of them.',
    atKey: true,
    involves: [['kubernetes', 'oidc']],
  }))
}

/** Kubelets that wait for a cloud keep the taint `uninitialized` until its controller takes it away. */
function warnWithoutCcm({ addons }: CheckContext['file']): CheckFinding[] {
  if (addons.hcloudCcm.enabled) return []
  return [
    {
      severity: 'warning',
      path: ['addons', 'hcloudCcm', 'enabled'],
      message:
        'without the cloud controller manager nodes keep the taint node.cloudprovider.kubernetes.io/uninitialized, and nothing runs on them',
      hint: 'Install one yourself right after the first apply.',
    },
  ]
}
