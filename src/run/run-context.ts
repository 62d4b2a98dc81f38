import type { StorageSettings } from '../backup/s3/object-storage.ts'
import type { Clock } from '../lib/clock.ts'
import type { RecordExchange } from '../lib/http-exchange.ts'
import type { KeyMaker } from '../lib/key-maker.ts'
import type { Progress } from '../lib/progress.ts'
import type { Random } from '../lib/random.ts'
import type { Redactor } from '../lib/redactor.ts'
import type { RepositoryApi } from '../lib/repository-api.ts'
import type { EndProof, JobIdentity } from '../lib/run-identity.ts'
import type { HeldByRun } from './held-by-run.ts'

/** Where the outside is. Only these differ between production and the sandbox. */
export interface Endpoints {
  /** Hetzner's API with its version: `https://api.hetzner.cloud/v1`. */
  readonly hetzner: string
  /** Stands in for the image factory that the file names; undefined uses that one. */
  readonly factory: string | undefined
  /** A mirror that stands in for every chart repository; undefined uses each chart's own. */
  readonly charts: string | undefined
  /** SHA-256 by `<chart>-<version>` of a mirror's charts where they are not the reviewed ones. */
  readonly chartDigests: Readonly<Record<string, string>>
  /** A service that answers with the caller's public address as text. */
  readonly ipLookup: string
  /** Port of the rescue system's SSH. */
  readonly sshPort: number
}

export const productionEndpoints: Endpoints = {
  hetzner: 'https://api.hetzner.cloud/v1',
  factory: undefined,
  charts: undefined,
  chartDigests: {},
  ipLookup: 'https://ipv4.icanhazip.com',
  sshPort: 22,
}

/** Where a run has its cluster file from: a branch of a repository, which may have moved on since. */
export interface RunSource {
  /** URL of the repository; not always the one that keeps the state. */
  readonly remote: string
  /** For that remote alone. */
  readonly credentials: StateAccess['credentials']
  /** The ref that the run was started for. */
  readonly ref: string
  /** The one branch that changes come from; the repository is asked where it is undefined. */
  readonly defaultBranch: string | undefined
}

/** The run as others see it: written into the lock, the manifest and the journal. */
export interface RunDescription {
  /** Names the run and the job in it, or the process at a terminal; unique. Lower-case, digits and dashes. */
  readonly id: string
  /** Which job of the run it is; undefined at a terminal. */
  readonly job?: JobIdentity | undefined
  /** Which process of that job it is; undefined at a terminal, where the id says it. */
  readonly process?: string | undefined
  readonly attempt: number
  readonly host: string
  readonly url: string | undefined
  /** The commit that the cluster file was read from, where there is one. */
  readonly commit: string | undefined
  readonly actor: string | undefined
  /** Undefined where the file is what somebody has in front of them: at a terminal. */
  readonly source?: RunSource | undefined
  /** Proof that another job or process has ended (true) or goes on (false); undefined when it is not known. */
  readonly isRunOver?: EndProof | undefined
}

/** How the state branch is reached. */
export interface StateAccess {
  /** Name of a git remote of the repository in `folder`, or any URL or path that git takes. */
  readonly remote: string
  readonly folder: string
  /** For HTTPS remotes; never part of the URL or of an argument. */
  readonly credentials: { readonly username: string; readonly password: string } | undefined
  /** How to write where the remote takes no pushes; undefined where it has no API that we know. */
  readonly api?: RepositoryApi | undefined
  /** The process's environment, of which git gets what it needs. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** age identities as text, one or several lines; undefined in jobs that may only plan. */
  readonly identity: string | undefined
}

/** Everything that a command needs from outside. Made once, by the terminal or by the runner. */
export interface RunContext {
  /** What waits are measured by; the sandbox may let it run fast. */
  readonly clock: Clock
  /** The wall's time: what certificates are dated by. */
  readonly calendar: Clock
  readonly random: Random
  readonly keys: KeyMaker
  readonly progress: Progress
  readonly redactor: Redactor
  readonly signal: AbortSignal
  readonly endpoints: Endpoints
  /** Gets what Hetzner and GitHub are asked and answer, where that is recorded. */
  readonly record?: RecordExchange | undefined
  readonly hetznerToken: string | undefined
  /** For snapshots of etcd; absent where the environment has no keys of one. */
  readonly storage?: StorageSettings | undefined
  readonly state: StateAccess
  readonly run: RunDescription
  /** Called with what this run is about to take and holds beyond its end, so that a later step can give it back. */
  readonly onHold?: ((held: HeldByRun) => void) | undefined
  /** A helm executable to use instead of fetching the pinned one. */
  readonly helm: string | undefined
  /** Downloads that are verified each time they are used; may be empty, may be lost. */
  readonly cacheFolder: string
  /** A folder of this run's own (0700); gone afterwards. */
  readonly tempFolder: string
  readonly toolVersion: string
}
