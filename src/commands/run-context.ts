import type { Clock } from '../lib/clock.ts'
import type { Progress } from '../lib/progress.ts'
import type { Random } from '../lib/random.ts'
import type { Redactor } from '../lib/redactor.ts'
import type { KeyMaker } from '../talos/config/key-maker.ts'

/** Where the outside is. Only these differ between production and the sandbox. */
export interface Endpoints {
  /** Hetzner's API with its version: `https://api.hetzner.cloud/v1`. */
  readonly hetzner: string
  /** The Talos image factory. */
  readonly factory: string
  /** A mirror that stands in for every chart repository; undefined uses each chart's own. */
  readonly charts: string | undefined
  /** A service that answers with the caller's public address as text. */
  readonly ipLookup: string
  /** Port of the rescue system's SSH. */
  readonly sshPort: number
}

export const productionEndpoints: Endpoints = {
  hetzner: 'https://api.hetzner.cloud/v1',
  factory: 'https://factory.talos.dev',
  charts: undefined,
  ipLookup: 'https://ipv4.icanhazip.com',
  sshPort: 22,
}

/** The run as others see it: written into the lock, the manifest and the journal. */
export interface RunIdentity {
  /** Unique per run: a workflow run's id, or a random one at a terminal. */
  readonly id: string
  readonly attempt: number
  readonly url: string | undefined
  /** The commit that the cluster file was read from, where there is one. */
  readonly commit: string | undefined
  readonly actor: string | undefined
}

/** How the state branch is reached. */
export interface StateAccess {
  /** Any URL or path that git takes. */
  readonly remote: string
  /** For HTTPS remotes; never part of the URL or of an argument. */
  readonly token: string | undefined
  /** age identities as text, one or several lines; undefined in jobs that may only plan. */
  readonly identity: string | undefined
}

/** Everything that a command needs from outside. Made once, by the terminal or by the runner. */
export interface RunContext {
  readonly clock: Clock
  readonly random: Random
  readonly keys: KeyMaker
  readonly progress: Progress
  readonly redactor: Redactor
  readonly signal: AbortSignal
  readonly endpoints: Endpoints
  readonly hetznerToken: string | undefined
  readonly state: StateAccess
  readonly run: RunIdentity
  /** A helm executable to use instead of fetching the pinned one. */
  readonly helm: string | undefined
  /** Downloads that are verified each time they are used; may be empty, may be lost. */
  readonly cacheFolder: string
  /** A folder of this run's own (0700); gone afterwards. */
  readonly tempFolder: string
  readonly toolVersion: string
}
