import { mkdir, readdir } from 'node:fs/promises'
import { fileFailure } from '../../src/lib/file-failure.ts'
import type { Bed } from './bed.ts'
import { forgetUnused } from './forget-unused.ts'
import type { HostBed } from './host-bed.ts'
import { lockCache } from './lock-cache.ts'
import { removeUnfinished } from './make-artefact.ts'
import { makeBed } from './make-bed.ts'
import { makeHostBed } from './make-host-bed.ts'
import type { Workshop } from './workshop.ts'

const firstTime =
  'Talos, Kubernetes and what stands beside them are built once: about half an hour on two cores; later starts take seconds'

export interface PrepareBedOptions {
  /** The checkout, which holds rig/. */
  readonly root: string
  /** Keeps what is made, by version, for all checkouts. */
  readonly cache: string
  /** PATH of the programs that are run. */
  readonly path: string
  /** Takes one line of progress. */
  readonly report: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

export interface PrepareTalosBedOptions extends PrepareBedOptions {
  /** Versions of Kubernetes without v that nodes will run; all that there are where absent. */
  readonly kubernetes?: readonly string[] | undefined
}

/**
 * Makes everything that real nodes start from, or finds it made. Cold it takes many minutes, warm less
 * than a second; a run that was cut off is gone on with. The host must have passed `checkHost`. Throws
 * a `RigError` with what a program said, `disk-full` and `file-unwritable`.
 */
export function prepareBed({ kubernetes, ...options }: PrepareTalosBedOptions): Promise<Bed> {
  return inCache(options, (workshop, stop) => makeBed(workshop, stop, kubernetes))
}

/** The same of what real hosts start from. */
export function prepareHostBed(options: PrepareBedOptions): Promise<HostBed> {
  return inCache(options, (workshop) => makeHostBed(workshop))
}

async function inCache<Made>(
  { signal, ...options }: PrepareBedOptions,
  make: (workshop: Workshop, stop: AbortController) => Promise<Made>,
): Promise<Made> {
  const stop = new AbortController()
  const workshop = {
    ...options,
    signal: AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]),
  }
  try {
    await mkdir(options.cache, { recursive: true })
    if (await isEmpty(options.cache)) options.report(firstTime)
    await using _held = await lockCache(workshop)
    await removeUnfinished(options.cache)
    const made = await make(workshop, stop)
    await forgetUnused(options.cache, Date.now())
    return made
  } catch (error) {
    throw isSystemFailure(error) ? fileFailure(error, options.cache) : error
  }
}

async function isEmpty(cache: string): Promise<boolean> {
  return (await readdir(cache)).every((name) => !name.startsWith('talos-root-'))
}

function isSystemFailure(error: unknown): boolean {
  return error instanceof Error && 'errno' in error
}
