import type { CgroupPreset } from '../../../commands/talos/cgroup-report.ts'
import type { TalosVerbName } from './talos-program.ts'

/** How results are printed. */
export type OutputFormat = 'table' | 'json' | 'yaml'

/** What every verb takes. */
export interface TalosOptions {
  readonly config: string
  readonly nodes: readonly string[]
  readonly endpoints: readonly string[]
  readonly talosconfig?: string
  readonly context?: string
  /** Absent from verbs that bring bytes. */
  readonly output?: OutputFormat
  /** What one of the verbs takes beside that. */
  readonly follow?: boolean
  readonly tail?: number
  readonly onlyNew?: boolean
  readonly kubernetes?: boolean
  readonly actorId?: string
  readonly store?: 'services' | 'pods'
  readonly preset?: CgroupPreset
  readonly duration?: number
  readonly namespace?: string
  readonly watch?: boolean
  readonly waitTimeout?: number
  readonly mode?: 'default' | 'powercycle' | 'force'
  readonly staged?: boolean
  readonly dryRun?: boolean
  readonly wait?: boolean
  readonly gate?: boolean
  readonly graceful?: boolean
  readonly reboot?: boolean
  readonly wipe?: readonly string[]
  readonly yes?: boolean
  readonly recurse?: boolean
  readonly depth?: number
  readonly type?: readonly ('file' | 'folder' | 'link')[]
  readonly all?: boolean
  readonly threshold?: number
  readonly listening?: boolean
  readonly connected?: boolean
  readonly processes?: boolean
  readonly pods?: boolean
  readonly interface?: string
  readonly promiscuous?: boolean
  readonly snapLength?: number
  readonly bpfFilter?: string
  readonly out?: string
}

/** One verb with what was typed behind it. */
export interface TalosRequest {
  readonly verb: TalosVerbName
  readonly args: readonly string[]
  readonly options: TalosOptions
}
