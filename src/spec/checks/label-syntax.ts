/**
 * Why a text cannot be the key of a label, taint or annotation; undefined where it can. Kubernetes and
 * Hetzner have the same rules.
 */
export function labelKeyProblem(key: string): string | undefined {
  const [name = '', prefix, ...more] = key.split('/').reverse()
  if (more.length > 0) return 'has more than one slash'
  if (prefix !== undefined && !isDnsSubdomain(prefix)) {
    return 'has a prefix that is no DNS name in lower case'
  }
  return nameProblem(name, prefix === undefined ? 'is' : 'has a name after its slash that is')
}

/** Why a text cannot be the value of a label or taint; undefined where it can. */
export function labelValueProblem(value: string): string | undefined {
  return value === '' ? undefined : nameProblem(value, 'is')
}

function nameProblem(name: string, verb: string): string | undefined {
  if (name === '') return `${verb} empty`
  if (name.length > 63) return `${verb} longer than 63 characters`
  return /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(name)
    ? undefined
    : `${verb} not made of letters, digits, "-", "_" and ".", with a letter or digit at both ends`
}

function isDnsSubdomain(text: string): boolean {
  return (
    text.length <= 253 &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text)
  )
}

/** `example.com` of `example.com/team`; empty for a key without prefix. */
export function labelPrefix(key: string): string {
  return key.includes('/') ? (key.split('/')[0] ?? '') : ''
}

/** Whether a prefix is this domain or one below it. */
export function isWithinDomain(prefix: string, domain: string): boolean {
  return prefix === domain || prefix.endsWith(`.${domain}`)
}
