import type { World, WorldOptions } from './world.ts'

/** What runs on the world's machines, where that is not the sandbox's own simulation. */
export interface NodeKind {
  /** How such nodes' world differs. */
  readonly world: Pick<WorldOptions, 'addresses'>
  /** Where SSH listens on a machine's own address. */
  readonly sshPort: number
  /**
   * Where machines find the world's fronts, and the public address that whoever uses the world is seen
   * with; that of loopback where absent.
   */
  readonly worldAddress?: string
  /** Registers the guests of a world, and starts what else they need. */
  prepare(world: World): Promise<void>
}
