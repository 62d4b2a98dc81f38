import type { World } from '../../world.ts'

/** What Hetzner sets, and mails to the owner, where no SSH key is given: 20 characters. */
export function rootPassword(world: World): string {
  return world.hex(10)
}
