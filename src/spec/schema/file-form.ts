import type { z } from 'zod'
import type { FileShape } from './file-shape.ts'

/** How the cluster files of one mode are written. */
export interface FileForm<File> {
  readonly schema: z.ZodType<File>
  readonly shape: FileShape
  /**
   * What stands for a value that is needed and broken, so that the others can still be judged, by its path:
   * `nodes.workers.*.name`.
   */
  readonly standIns: readonly (readonly [pattern: string, value: unknown])[]
}
