import type { ClusterFile, ControlPlaneInFile, WorkersInFile } from './schema/schema.ts'
import type { Path } from './yaml/yaml-source.ts'

type WorkerPoolInFile = Exclude<WorkersInFile, readonly unknown[]>

/** A pool as the file has it, and where it stands there. */
export type PoolInFile =
  | {
      readonly role: 'control-plane'
      readonly name: 'control-plane'
      readonly path: Path
      readonly pool: ControlPlaneInFile
    }
  | {
      readonly role: 'worker'
      readonly name: string
      readonly path: Path
      readonly pool: WorkerPoolInFile
    }

/** The control plane first, then the workers in the order of the file, from either form. */
export function poolsInFile(file: ClusterFile): PoolInFile[] {
  const { controlPlane, workers } = file.nodes
  const path = ['nodes', 'workers']
  const list = Array.isArray(workers)
    ? workers.map((pool, index) => workerPool(pool, [...path, index]))
    : [workerPool(workers, path)]
  return [
    {
      role: 'control-plane',
      name: 'control-plane',
      path: ['nodes', 'controlPlane'],
      pool: controlPlane,
    },
    ...list,
  ]
}

function workerPool(pool: WorkerPoolInFile, path: Path): PoolInFile {
  return { role: 'worker', name: pool.name, path, pool }
}
