import type { Machine } from '../../machine.ts'
import type { World } from '../../world.ts'
import type { RescueDisk } from '../rescue-disk.ts'

/** What a stand-in tool of the rescue system works on. */
export interface ToolHost {
  readonly world: World
  readonly machine: Machine
  readonly disk: RescueDisk
  /** What is to happen to the machine once the command that asks for it has ended. */
  power: 'stay' | 'off' | 'reboot'
}

/** One run of a tool, as its process sees it. */
export interface ToolRun {
  readonly host: ToolHost
  readonly args: readonly string[]
  readonly cwd: string
  /** Everything on standard input, up to its end; only tools that ask for it read any. */
  readInput(): Promise<Buffer>
  out(bytes: Buffer | string): void
  err(text: string): void
}

/** Returns the exit code. */
export type Tool = (run: ToolRun) => Promise<number>

/** The one disk of a Hetzner server. */
export const device = '/dev/sda'

/** Refuses an option that the stand-in does not know, so that a test cannot pass on what was ignored. */
export function unknownOption(run: ToolRun, tool: string, option: string): number {
  run.err(`${tool}: unrecognized option '${option}'\n`)
  run.host.world.contractErrors.push(`rescue: ${tool} does not know ${option}`)
  return 2
}
