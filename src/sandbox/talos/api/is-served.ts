import { atLeast, type TalosVersion } from '../talos-version.ts'

const since13 = ['machine.ImageService', 'machine.LifecycleService', 'machine.DebugService']

/** Whether a version of Talos has the service of this path. */
export function isServed(version: TalosVersion, path: string): boolean {
  return atLeast(version, since13.includes(path.split('/')[1] ?? '') ? 13 : 0)
}
