import { jsonDigest } from '../lib/canonical-json.ts'
import type { ClusterSpec } from './cluster-spec.ts'

/** Identifies what a cluster file asks for: blind to comments, order and defaults that are written out. */
export function specDigest(spec: ClusterSpec): string {
  return jsonDigest(
    JSON.parse(JSON.stringify({ ...spec, secretVersions: undefined, keptContract: undefined })),
  )
}
