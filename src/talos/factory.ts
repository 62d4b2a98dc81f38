import { readBoundedText } from '../lib/bounded-bytes.ts'
import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { isJsonObject } from '../lib/json.ts'
import type { Random } from '../lib/random.ts'
import { retry } from '../lib/retry.ts'
import type { Architecture } from '../spec/cluster-spec.ts'
import { type Schematic, schematicId, schematicYaml } from './config/schematic.ts'

export interface FactoryOptions {
  /** Base URL without a slash at its end: `https://factory.talos.dev`. */
  readonly endpoint: string
  readonly clock: Clock
  readonly random: Random
  readonly signal?: AbortSignal | undefined
}

/** How long one answer of the factory may take, in milliseconds. */
const answerMs = 30_000
/** An answer holds one id. */
const mostBytes = 1 << 20

/**
 * Makes a schematic known to the factory, which serves images only of what it was told once, and
 * returns its id. The factory's id must be the one that we derive: the installer image in every
 * machine config is named after it. Throws `factory-failed`.
 */
export async function registerSchematic(
  schematic: Schematic,
  { endpoint, clock, random, signal }: FactoryOptions,
): Promise<string> {
  const expected = schematicId(schematic)
  const id = await retry(
    () => post(`${endpoint}/schematics`, schematicYaml(schematic), signal),
    { retries: 4, baseMs: 1_000, maxMs: 15_000, retryable: isPassing },
    signal ? { clock, random, signal } : { clock, random },
  )
  if (id !== expected) {
    throw factoryFailure(`the factory calls the schematic ${id} and not ${expected}`, {
      hint: 'Write each extension as the factory lists it: the factory may have changed how one is spelled.',
    })
  }
  return id
}

/** Where the raw disk image of a schematic is, compressed with xz. */
export function imageUrl(
  endpoint: string,
  image: { readonly schematic: string; readonly version: string; readonly arch: Architecture },
): string {
  return `${endpoint}/image/${image.schematic}/${image.version}/hcloud-${image.arch}.raw.xz`
}

/** A failure that may be gone at the next try: no answer, or an answer that says so. */
class PassingFailure extends Error {}

function isPassing(error: unknown): boolean {
  return error instanceof ClusterError && error.cause instanceof PassingFailure
}

async function post(url: string, body: string, signal: AbortSignal | undefined): Promise<string> {
  const response = await answer(url, body, signal)
  const text = await readBoundedText(response.body, mostBytes).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw factoryFailure('the factory’s answer cannot be read', {
      cause: new PassingFailure(String(error), { cause: error }),
    })
  })
  if (response.status >= 500 || response.status === 429) {
    throw factoryFailure(`the factory answered ${response.status}`, {
      cause: new PassingFailure(text.slice(0, 200)),
    })
  }
  if (!response.ok) {
    throw factoryFailure(`the factory refuses the schematic: ${text.trim().slice(0, 300)}`, {
      hint: 'Check talos.extensions and talos.kernelArgs in the cluster file.',
    })
  }
  return readId(text)
}

async function answer(
  url: string,
  body: string,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const timeout = AbortSignal.timeout(answerMs)
  try {
    return await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/yaml' },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
  } catch (error) {
    signal?.throwIfAborted()
    throw factoryFailure('the image factory cannot be reached', {
      cause: new PassingFailure(String(error), { cause: error }),
    })
  }
}

function readId(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text)
    if (isJsonObject(parsed) && typeof parsed['id'] === 'string') return parsed['id']
  } catch {
    // Told below: whatever it is, it is not the factory's answer.
  }
  throw factoryFailure('the factory answered something that is not a schematic')
}

function factoryFailure(
  message: string,
  context: { hint?: string; cause?: unknown } = {},
): ClusterError {
  return new ClusterError('factory-failed', message, {
    operation: 'register a schematic',
    ...context,
  })
}
