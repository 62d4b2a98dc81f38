import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, type Json } from '../../lib/json.ts'
import type { Sandbox } from '../start-sandbox.ts'
import { type Answered, compareAnswers, type Difference } from './compare-answers.ts'
import { IdMap, UnknownId } from './id-map.ts'
import type { RecordedExchange } from './read-recording.ts'

/** What became of one exchange. */
export interface PlayedExchange {
  readonly line: number
  readonly method: string
  readonly path: string
  readonly differences: readonly Difference[]
  /** Why it was not played; undefined where it was. */
  readonly skipped?: string | undefined
}

/** Refusals that are of their moment: the client waited and asked again. */
const momentary = [
  'conflict',
  'locked',
  'maintenance',
  'placement_error',
  'rate_limit_exceeded',
  'resource_unavailable',
  'timeout',
  'unavailable',
]

/** Asks a new sandbox what a recording asked the outside, one request after the other, and compares the answers. */
export async function playRecording(
  sandbox: Sandbox,
  exchanges: readonly RecordedExchange[],
  signal: AbortSignal,
): Promise<PlayedExchange[]> {
  const ids = { hetzner: new IdMap(), github: new IdMap() }
  const repository = repositoryOf(exchanges)
  const played: PlayedExchange[] = []
  for (const exchange of exchanges) {
    signal.throwIfAborted()
    const { line, front, method, path } = exchange
    const about = { line, method, path }
    if (isMomentary(exchange)) {
      played.push({ ...about, differences: [], skipped: 'a refusal of that moment' })
      continue
    }
    try {
      const known = ids[front]
      const here = await ask(sandbox, exchange, known, repository)
      known.learn(exchange.response, here.response, path)
      // GitHub's answers have hundreds of fields, and the sandbox those that are read.
      const isPartial = front === 'github'
      const differences = compareAnswers(exchange, here, { ids: known, isPartial })
      played.push({ ...about, differences })
    } catch (error) {
      if (!(error instanceof UnknownId)) throw error
      played.push({ ...about, differences: [], skipped: error.message })
    }
    if (method !== 'GET') await settle(sandbox)
  }
  return played
}

function isMomentary({ status, response }: RecordedExchange): boolean {
  const error = isJsonObject(response) ? response['error'] : undefined
  const code = isJsonObject(error) ? error['code'] : undefined
  return status === 429 || status >= 500 || momentary.includes(String(code))
}

async function ask(
  { endpoints }: Sandbox,
  { front, method, path, request, status }: RecordedExchange,
  ids: IdMap,
  repository: string | undefined,
): Promise<Answered> {
  const { hcloud, github } = endpoints
  const place = front === 'hetzner' ? path : path.replace(`/repos/${repository}`, '')
  const before = place === path ? '' : `/repos/${github.repository}`
  const [base, token] =
    front === 'hetzner' ? [hcloud.endpoint, hcloud.token] : [github.api, github.token]
  const body =
    request === undefined ? undefined : ids.body(here(request, repository, github.repository))
  const response = await fetch(`${base}${before}${ids.path(place, status !== 404)}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, response: text === '' ? undefined : parse(text) }
}

/** The variables of GraphQL name the repository by its two parts. */
function here(request: Json, recorded: string | undefined, repository: string): Json {
  if (!isJsonObject(request) || !isJsonObject(request['variables'])) return request
  const { variables } = request
  if (`${variables['owner']}/${variables['name']}` !== recorded) return request
  const [owner = '', name = ''] = repository.split('/')
  return { ...request, variables: { ...variables, owner, name } }
}

function repositoryOf(exchanges: readonly RecordedExchange[]): string | undefined {
  const paths = exchanges.filter(({ front }) => front === 'github').map(({ path }) => path)
  return paths.flatMap((path) => /^\/repos\/([^/]+\/[^/?]+)/.exec(path)?.[1] ?? [])[0]
}

/** A recording has waits in it that are not played: what a request began is over before the next one. */
async function settle({ world }: Sandbox): Promise<void> {
  const isRunning = () =>
    [...world.hetzner.actions.values()].some(({ status }) => status === 'running')
  for (let tries = 0; isRunning() && tries < 1_000; tries++) await sleep(10)
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
