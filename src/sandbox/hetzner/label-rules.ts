const namePattern = /^[a-zA-Z0-9]([-_.a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$/
const prefixPattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/

/** Whether it can be a label's key: an optional DNS prefix of at most 253, then a name of at most 63. */
export function isLabelKey(key: string): boolean {
  const slash = key.indexOf('/')
  const prefix = slash < 0 ? undefined : key.slice(0, slash)
  if (prefix !== undefined && (prefix.length > 253 || !prefixPattern.test(prefix))) return false
  return namePattern.test(key.slice(slash + 1))
}

/** Whether a client may set a label with this key: Hetzner keeps a prefix for itself. */
export function isOwnLabelKey(key: string): boolean {
  return isLabelKey(key) && !key.startsWith('hetzner.cloud/')
}

export function isLabelValue(value: string): boolean {
  return value === '' || namePattern.test(value)
}
