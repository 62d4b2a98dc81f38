import { homedir } from 'node:os'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Where the bed is kept, outside of every checkout: `HCLOUD_TALOS_REAL_CACHE`, or a folder of the user's. */
export function cacheFolder({ HCLOUD_TALOS_REAL_CACHE: cache }: Environment): string {
  return cache || join(homedir(), '.cache', 'hcloud-talos-real')
}
