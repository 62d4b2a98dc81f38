import { z } from 'zod'
import type { JsonObject } from '../../lib/json.ts'
import type { HostLogin } from './hosts-spec.ts'

const secret = z.union([
  z.object({ from: z.literal('secret'), name: z.string() }),
  z.object({ from: z.literal('environment'), variable: z.string() }),
])

const key = z.union([
  z.object({ from: z.literal('agent'), publicKey: z.string().optional() }),
  z.object({ from: z.literal('file'), path: z.string(), passphrase: secret.optional() }),
  z.object({ from: z.literal('environment'), variable: z.string(), passphrase: secret.optional() }),
])

const hostKey = z.union([
  z.object({ type: z.literal('pinned'), key: z.string() }),
  z.object({ type: z.literal('record') }),
])

const login = z.object({
  user: z.string(),
  port: z.number(),
  key,
  hostKey,
  sudo: z.union([
    z.object({ type: z.enum(['none', 'passwordless']) }),
    z.object({ type: z.literal('password'), password: secret }),
  ]),
  jump: z
    .object({ address: z.string(), port: z.number(), user: z.string(), key, hostKey })
    .optional(),
})

/**
 * How a host was logged in to, as the state records it: a host that has left the file is still reached so. It names where
 * secrets are and holds none.
 */
export function recordLogin(known: HostLogin): JsonObject {
  return z.record(z.string(), z.json()).parse(login.parse(known))
}

/** The same back; undefined where another version wrote something else. */
export function loginOf(recorded: JsonObject): HostLogin | undefined {
  const { success, data } = login.safeParse(recorded)
  if (!success) return undefined
  const { sudo, ...rest } = data
  return { ...rest, sudo: sudo.type === 'password' ? sudo : { type: sudo.type } }
}
