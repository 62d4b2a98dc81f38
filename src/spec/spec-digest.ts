import { jsonDigest } from '../lib/canonical-json.ts'
import type { CommonSpec } from './common-spec.ts'

/** Identifies what a cluster file asks for: blind to comments, order and defaults that are written out. */
export function specDigest(spec: CommonSpec): string {
  return jsonDigest(
    JSON.parse(JSON.stringify({ ...spec, secretVersions: undefined, keptContract: undefined })),
  )
}
