import type { Clock } from '../../../lib/clock.ts'
import type { Random } from '../../../lib/random.ts'
import type { ObjectStore } from '../model/object-store.ts'
import type { ResourceRegistry } from '../model/resource-registry.ts'

/** What every operation on the API works with. */
export interface ApiContext {
  readonly store: ObjectStore
  readonly resources: ResourceRegistry
  readonly clock: Clock
  readonly random: Random
  readonly serviceCidr: string
}

/** How a write is to be done, and in whose name. */
export interface WriteOptions {
  readonly manager: string
  /** Everything but the write itself. */
  readonly dryRun?: boolean
  readonly subresource?: 'status' | 'scale' | 'approval'
}

/** Now, as Kubernetes writes times: RFC 3339, in whole seconds. */
export function timestamp(context: Pick<ApiContext, 'clock'>): string {
  return new Date(context.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** As `timestamp`, in microseconds, for leases. */
export function microTimestamp(context: Pick<ApiContext, 'clock'>): string {
  return new Date(context.clock.now()).toISOString().replace('Z', '000Z')
}

/** A random version 4 UUID. */
export function newUid({ random }: Pick<ApiContext, 'random'>): string {
  const bytes = random.bytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [8, 12, 16, 20].reduceRight((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, hex)
}

const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789'

/** The five random letters that generated names end in. */
export function nameSuffix({ random }: Pick<ApiContext, 'random'>, length = 5): string {
  return Array.from(
    random.bytes(length),
    (byte) => suffixLetters[byte % suffixLetters.length],
  ).join('')
}
