import { readBoundedText } from '../lib/bounded-bytes.ts'
import { isJsonObject } from '../lib/json.ts'

/** What the image factory has; undefined for what it could not be asked. */
export interface FactoryLists {
  /** Versions of Talos, with v. */
  readonly versions: readonly string[] | undefined
  /** Names of the official extensions for the version that was asked about. */
  readonly extensions: readonly string[] | undefined
}

/** How long one answer may take, in milliseconds: a plan does not wait longer for it. */
const answerMs = 10_000
/** Longer than the lists of all versions will be for years; whatever answers may send anything. */
const mostBytes = 4 << 20

/** Asks the factory for its versions and for the extensions of one of them. Throws only the signal's reason. */
export async function askFactory(
  { endpoint, signal }: { readonly endpoint: string; readonly signal: AbortSignal },
  version: string,
): Promise<FactoryLists> {
  const ask = (path: string) => listAt(`${endpoint}${path}`, signal)
  const [versions, extensions] = await Promise.all([
    ask('/versions'),
    ask(`/version/${version}/extensions/official`),
  ])
  return {
    versions: versions?.filter((each) => typeof each === 'string'),
    extensions: extensions?.flatMap((each) =>
      isJsonObject(each) && typeof each['name'] === 'string' ? [each['name']] : [],
    ),
  }
}

async function listAt(url: string, signal: AbortSignal): Promise<unknown[] | undefined> {
  try {
    const timeout = AbortSignal.timeout(answerMs)
    const response = await fetch(url, { signal: AbortSignal.any([signal, timeout]) })
    if (!response.ok) return undefined
    const list: unknown = JSON.parse(await readBoundedText(response.body, mostBytes))
    return Array.isArray(list) ? list : undefined
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
