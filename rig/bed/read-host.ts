import { accessSync, constants, existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { arch, platform, totalmem, userInfo } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { type HostFacts, neededPrograms } from './host-facts.ts'
import { runTethered } from './run-tethered.ts'

export interface HostFolders {
  /** Where what nodes write will lie. */
  readonly work: string
  /** Where the bed is kept. */
  readonly cache: string
  /** PATH of the programs that are run. */
  readonly path: string
}

/** What is made for a trial in a network namespace that ends with it. */
const networkTrials = {
  bridge: 'ip link add trial type bridge',
  veth: 'ip link add trial type veth peer name other',
  nftables:
    "nft add table inet trial '{ chain c { type filter hook input priority 0; ct state new drop; }; }'",
}

/** Looks at the machine. Trials are made in namespaces and a folder that are gone afterwards. */
export async function readHost({ work, cache, path }: HostFolders): Promise<HostFacts> {
  const programs = Object.keys(neededPrograms).filter((name) => isOnPath(name, path))
  const status = await readText('/proc/self/status')
  const mounts = await readText('/proc/self/mounts')
  const userId = userInfo().uid
  const canTry =
    userId === 0 &&
    ['unshare', 'setpriv', 'mount', 'ip', 'nft'].every((name) => programs.includes(name))
  const version = programs.includes('go') ? await attempt(path, ['go', 'version']) : undefined
  return {
    platform: platform(),
    architecture: arch(),
    userId,
    capabilities: BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`),
    namespaces: await readdir('/proc/self/ns').catch(() => []),
    cgroups: / \/sys\/fs\/cgroup\S* (cgroup2?) /.exec(mounts)?.[1],
    programs,
    goVersion:
      version === undefined || 'failure' in version
        ? undefined
        : /go(\d[\d.]*)/.exec(version.output)?.[1],
    overlayFailure: canTry ? await tryOverlay(nearest(work), path) : undefined,
    networkFailures: canTry ? await tryNetwork(path) : {},
    memoryBytes: totalmem(),
    workBytes: await freeBytes(nearest(work)),
    cacheBytes: await freeBytes(nearest(cache)),
    prepared: existsSync(join(cache, 'images')),
  }
}

function isOnPath(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

/** The folder itself, or the one above that exists. */
function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(dirname(folder))
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function tryOverlay(folder: string, path: string): Promise<string | undefined> {
  const trial = await mkdtemp(join(folder, '.overlay-trial-')).catch((error: Error) => error)
  if (trial instanceof Error) return trial.message
  try {
    const mount =
      'mkdir lower upper work root && mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work root'
    const tried = await attempt(path, ['sh', '-c', mount], trial)
    return 'failure' in tried ? tried.failure : undefined
  } finally {
    await rm(trial, { recursive: true, force: true })
  }
}

async function tryNetwork(path: string): Promise<Readonly<Record<string, string>>> {
  const failures: Record<string, string> = {}
  for (const [what, command] of Object.entries(networkTrials)) {
    const tried = await attempt(path, ['unshare', '--net', 'sh', '-c', command])
    if ('failure' in tried) failures[what] = tried.failure
  }
  return failures
}

async function attempt(
  path: string,
  command: readonly [string, ...string[]],
  folder?: string,
): Promise<{ readonly output: string } | { readonly failure: string }> {
  try {
    const run = { command, path, signal: AbortSignal.timeout(20_000) }
    return { output: await runTethered(folder === undefined ? run : { ...run, folder }) }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}
