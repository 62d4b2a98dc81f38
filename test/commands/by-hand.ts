import type { JsonObject } from '../../src/lib/json.ts'
import { isJsonObject } from '../../src/lib/json.ts'
import type { Bench } from './harness.ts'

/** What somebody does in Hetzner's console: one request to its API. Throws where it is refused. */
export async function byHand(
  { sandbox }: Bench,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const { endpoint, token } = sandbox.endpoints.hcloud
  const response = await fetch(`${endpoint}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  const value: unknown = text === '' ? {} : JSON.parse(text)
  return isJsonObject(value) ? value : {}
}

/** Deletes a server as if by a slip of the hand, and waits until it is gone. */
export async function deleteServerByHand(bench: Bench, name: string): Promise<void> {
  const { servers } = bench.sandbox.world.hetzner
  const server = [...servers.values()].find((one) => one.name === name)
  if (!server) throw new Error(`there is no server ${name}`)
  await byHand(bench, 'DELETE', `/servers/${server.id}`)
  while (servers.has(server.id)) await bench.sandbox.world.clock.sleep(1_000)
}

/** The id of what has this name among resources of one kind. */
export function idOf(
  all: ReadonlyMap<number, { readonly id: number; readonly name: string }>,
  name: string,
): number {
  const found = [...all.values()].find((one) => one.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found.id
}
