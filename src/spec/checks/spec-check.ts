import type { Finding } from '../../lib/finding.ts'
import type { ClusterSpec } from '../cluster-spec.ts'
import type { PoolInFile } from '../pools-in-file.ts'
import type { ClusterFile } from '../schema/schema.ts'
import type { ServerTypeCatalogue } from '../tables/server-types.ts'
import type { Path } from '../yaml/yaml-source.ts'

/** A finding before its place in the text is looked up. */
export interface CheckFinding extends Omit<Finding, 'position'> {
  /** Whether it is about the key at `path`, not its value. */
  readonly atKey?: boolean
  /**
   * Other paths that it judges by. Where one of them is broken itself, this finding would be about a
   * stand-in and is left out.
   */
  readonly involves?: readonly Path[]
}

export interface CheckContext {
  readonly file: ClusterFile
  /** What the file would mean. */
  readonly spec: ClusterSpec
  readonly pools: readonly PoolInFile[]
  readonly catalogue: ServerTypeCatalogue
}

/** Judges one concern of a file whose fields, each by itself, are well-formed. */
export type Check = (context: CheckContext) => CheckFinding[]

/** What the files of every mode hold. */
export type CommonFile = Pick<
  ClusterFile,
  'clusterName' | 'kubernetes' | 'cni' | 'addons' | 'state' | 'upgrade'
>

/** What a check needs that judges the files of every mode. */
export interface CommonCheckContext {
  readonly file: CommonFile
}
