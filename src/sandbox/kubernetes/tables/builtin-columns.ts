import type { Column } from './column.ts'
import { nodeColumns } from './node-columns.ts'
import { otherColumns } from './other-columns.ts'
import { podColumns } from './pod-columns.ts'
import { workloadColumns } from './workload-columns.ts'

/** kubectl's columns for the built-in kinds, by resource. */
export const builtinColumns: Readonly<Record<string, readonly Column[]>> = {
  nodes: nodeColumns,
  pods: podColumns,
  ...workloadColumns,
  ...otherColumns,
}
