import { clusterFields } from './cluster-fields.ts'
import { coreFields } from './core-fields.ts'
import { parseSchemas } from './parse-schema.ts'
import { podFields } from './pod-fields.ts'
import { serverFields } from './server-fields.ts'
import { workloadFields } from './workload-fields.ts'

/** The schema of a built-in kind, e.g. `DaemonSet`. A bug where there is none of that name. */
export const builtinSchema = parseSchemas(
  podFields,
  coreFields,
  workloadFields,
  clusterFields,
  serverFields,
)
