import { formatPath } from '../../lib/finding.ts'
import { quoteValue } from '../quote-value.ts'
import type { Path } from '../yaml/yaml-source.ts'
import { isAddress, isHostName } from './host-syntax.ts'
import type { CheckFinding } from './spec-check.ts'

/** Mirrors of container registries: for each registry, URLs that are asked in turn. */
export function registryMirrorFindings(
  mirrors: Readonly<Record<string, readonly string[]>>,
  path: Path,
): CheckFinding[] {
  return Object.entries(mirrors).flatMap(([registry, urls]) => {
    const here = [...path, registry]
    const isRegistry = registry === '*' || isHostWithPort(registry)
    const findings = eachFinding(
      urls,
      here,
      isHttpUrl,
      'no address that begins with https:// or http://',
    )
    if (isRegistry) return findings
    const message = `${formatPath(path)} has the key ${quoteValue(registry)}, which is no registry`
    const hint = 'Write the host of the registry, such as docker.io, or "*" for all.'
    return [...findings, { severity: 'error' as const, path: here, message, hint, atKey: true }]
  })
}

/** One finding for each entry of a list that is not what it should be. */
export function eachFinding(
  values: readonly string[],
  path: Path,
  isGood: (value: string) => boolean,
  what: string,
): CheckFinding[] {
  return values.flatMap((value, index) => {
    const here = [...path, index]
    if (isGood(value)) return []
    return [
      {
        severity: 'error' as const,
        path: here,
        message: `${formatPath(here)} is ${quoteValue(value)}, which is ${what}`,
      },
    ]
  })
}

/** Whether a text is a host name or address, with or without a port. */
function isHostWithPort(text: string): boolean {
  const host = text.replace(/:\d{1,5}$/, '')
  return isAddress(host) || isHostName(host)
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/]/.test(text) && URL.canParse(text)
}
