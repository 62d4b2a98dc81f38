import { formatPath } from '../../lib/finding.ts'
import { quoteValue } from '../quote-value.ts'
import { isAddress, isHostName } from './host-syntax.ts'
import type { CheckFinding, CommonCheckContext, CommonFile } from './spec-check.ts'

/** Certificate names and OIDC. */
export function checkKubernetes({ file }: CommonCheckContext): CheckFinding[] {
  return [...checkCertSans(file.kubernetes), ...checkOidc(file.kubernetes)]
}

function checkCertSans({ certSans }: CommonFile['kubernetes']): CheckFinding[] {
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

function checkOidc({ oidc, apiServerExtraArgs }: CommonFile['kubernetes']): CheckFinding[] {
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
