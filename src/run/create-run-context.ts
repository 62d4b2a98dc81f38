import { access, constants, readFile, rm } from 'node:fs/promises'
import { homedir, hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClock, systemCalendar } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { RecordExchange } from '../lib/http-exchange.ts'
import type { Progress } from '../lib/progress.ts'
import { systemRandom } from '../lib/random.ts'
import type { Redactor } from '../lib/redactor.ts'
import { nodeKeyMaker } from './node-key-maker.ts'
import { makePrivateFolder } from './private-folder.ts'
import { readEndpoints } from './read-endpoints.ts'
import { readStorageSettings } from './read-storage-settings.ts'
import type { RunContext, RunDescription } from './run-context.ts'
import { sweepPrivateFolders } from './sweep-private-folders.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface RunSources {
  /** The process's environment: endpoints, and what was not passed otherwise. */
  readonly environment: Environment
  /** Where the user's repository is. */
  readonly folder: string
  readonly progress: Progress
  readonly redactor: Redactor
  readonly signal: AbortSignal
  readonly run: Omit<RunDescription, 'host'>
  readonly toolVersion: string
  /** Each overrides what the environment says. */
  readonly hetznerToken?: string | undefined
  readonly identity?: string | undefined
  readonly remote?: string | undefined
  readonly credentials?: RunContext['state']['credentials']
  readonly api?: RunContext['state']['api']
  readonly onHold?: RunContext['onHold']
  readonly record?: RecordExchange | undefined
}

/**
 * The context of a run of the real program, with a temporary folder of its own that goes with it. Throws
 * `usage` for what the environment says wrong, `identity-missing` for a file that cannot be read,
 * `disk-full` and `file-unwritable` for the folder.
 */
export async function createRunContext(sources: RunSources): Promise<RunContext & AsyncDisposable> {
  const { environment, redactor } = sources
  const hetznerToken = sources.hetznerToken || environment['HCLOUD_TOKEN'] || undefined
  if (hetznerToken !== undefined) redactor.add(hetznerToken)
  const identity = sources.identity || (await readIdentity(environment))
  for (const key of identity?.match(/AGE-SECRET-KEY-\S+/g) ?? []) redactor.add(key)
  const endpoints = readEndpoints(environment)
  const helm = await readHelm(environment)
  const place = temporaryPlace(environment)
  const isOfOneJob = Boolean(environment['RUNNER_TEMP'])
  await sweepPrivateFolders(place, { owner: sources.run, isOfOneJob })
  const tempFolder = await makePrivateFolder(place, sources.run)
  return {
    clock: createClock(),
    calendar: systemCalendar,
    random: systemRandom,
    keys: nodeKeyMaker,
    progress: sources.progress,
    redactor,
    signal: sources.signal,
    endpoints,
    record: sources.record,
    hetznerToken,
    storage: readStorageSettings(environment, redactor),
    state: {
      remote: sources.remote || environment['HCLOUD_TALOS_REMOTE'] || 'origin',
      folder: sources.folder,
      credentials: sources.credentials,
      api: sources.api,
      environment,
      identity,
    },
    run: { ...sources.run, host: hostname() },
    onHold: sources.onHold,
    helm,
    cacheFolder: cacheFolder(environment),
    tempFolder,
    toolVersion: sources.toolVersion,
    [Symbol.asyncDispose]: () => rm(tempFolder, { recursive: true, force: true }),
  }
}

/** Where folders of a run go: on a runner into the folder that goes with the job. */
export function temporaryPlace(environment: Environment): string {
  return environment['RUNNER_TEMP'] || tmpdir()
}

/** Found out now: it is needed only when the nodes are there already. */
async function readHelm(environment: Environment): Promise<string | undefined> {
  const path = environment['HCLOUD_TALOS_HELM']
  if (!path) return undefined
  try {
    await access(path, constants.X_OK)
    return path
  } catch (error) {
    throw new ClusterError('usage', 'HCLOUD_TALOS_HELM is no program that can be run', {
      target: path,
      hint: 'Leave it unset: the right helm is fetched then.',
      cause: error,
    })
  }
}

async function readIdentity(environment: Environment): Promise<string | undefined> {
  const text = environment['HCLOUD_TALOS_AGE_IDENTITY']
  if (text) return text
  const path = environment['HCLOUD_TALOS_AGE_IDENTITY_FILE']
  if (!path) return undefined
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new ClusterError('identity-missing', 'the file of the age identity cannot be read', {
      target: path,
      hint: 'Check HCLOUD_TALOS_AGE_IDENTITY_FILE.',
      cause: error,
    })
  }
}

/** Everything in it is verified when it is used: a runner's tool cache will do, or a person's own. */
function cacheFolder(environment: Environment): string {
  const base = environment['XDG_CACHE_HOME'] || join(environment['HOME'] || homedir(), '.cache')
  return join(environment['RUNNER_TOOL_CACHE'] || base, 'hcloud-talos')
}
