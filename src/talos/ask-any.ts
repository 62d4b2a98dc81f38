import type { TalosConnection } from './api/talos-caller.ts'
import { isTransient } from './api/talos-status.ts'
import type { ControlPlane } from './control-plane.ts'

/**
 * Asks control planes one after the other for what each of them can tell, until one answers: any may be off. Throws
 * what the last one failed with; a refusal at once.
 */
export async function askAny<T>(
  [first, ...others]: readonly [ControlPlane, ...ControlPlane[]],
  ask: (client: TalosConnection, name: string) => Promise<T>,
): Promise<T> {
  const [second, ...rest] = others
  if (second === undefined) return ask(first.client, first.name)
  try {
    return await ask(first.client, first.name)
  } catch (error) {
    first.client.throwIfAborted()
    if (!isTransient(error)) throw error
    return askAny([second, ...rest], ask)
  }
}
