import { checks } from './checks/checks.ts'
import type { ClusterSpec } from './cluster-spec.ts'
import { type FileReading, type LoadedFile, loadFile } from './load-file.ts'
import { modeOfFileFinding } from './mode-of-file.ts'
import { poolsInFile } from './pools-in-file.ts'
import { resolveSpec } from './resolve-spec.ts'
import { clusterFileForm } from './schema/cluster-file-form.ts'
import type { ClusterFile } from './schema/schema.ts'
import { builtInServerTypes } from './tables/built-in-server-types.ts'
import type { ServerTypeCatalogue } from './tables/server-types.ts'

export interface LoadOptions {
  /** What Hetzner sells; the built-in snapshot unless the live API was asked. */
  readonly catalogue?: ServerTypeCatalogue
  /** How messages about the whole file call it. */
  readonly fileName?: string
}

export type LoadedSpec = LoadedFile<ClusterSpec>

/** The spec that a cluster file means, or all that keeps it from meaning one. Never throws. */
export function loadSpec(text: string, options: LoadOptions = {}): LoadedSpec {
  const { catalogue = builtInServerTypes, fileName } = options
  const reading: FileReading<ClusterFile, ClusterSpec> = {
    form: clusterFileForm,
    refuse: (root) => modeOfFileFinding(root, 'hetznerTalos'),
    resolve: (file, textAt) => resolveSpec(file, catalogue, textAt),
    check: (file, spec) => {
      const context = { file, spec, pools: poolsInFile(file), catalogue }
      return checks.flatMap((check) => check(context))
    },
  }
  return loadFile(text, reading, fileName)
}
