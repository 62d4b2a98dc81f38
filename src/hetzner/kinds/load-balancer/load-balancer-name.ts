import { type Random, randomHex } from '../../../lib/random.ts'
import type { OwnResource } from '../../own-resources.ts'

/** Hex digits of 128 random bits. */
const digits = 32

/**
 * How the name of the API's load balancer stands in plans and in the state. Hetzner's cloud controller takes
 * over whichever load balancer has the name that a Service gives in an annotation, so whoever may write
 * Services could take the Kubernetes API's endpoint away if that name were known. It is random, and stands
 * nowhere but at Hetzner, to which such a person has no access.
 */
export function hiddenName(clusterName: string): string {
  return `${clusterName}-api-(random)`
}

/** The name as a plan may show it: the random part of one of ours is left out. */
export function shownName({ name, item }: OwnResource<{ readonly name: string }>): string {
  return isHiddenName(item.name, name) ? hiddenName(name) : item.name
}

export function isHiddenName(name: string, clusterName: string): boolean {
  const prefix = `${clusterName}-api-`
  return name.startsWith(prefix) && /^[0-9a-f]{32}$/.test(name.slice(prefix.length))
}

export function newHiddenName(clusterName: string, random: Random): string {
  return `${clusterName}-api-${randomHex(random, digits / 2)}`
}
