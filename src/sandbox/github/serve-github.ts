import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Json } from '../../lib/json.ts'
import type { World } from '../world.ts'
import { type Answer, refuse } from './answer.ts'
import { answerComments } from './comment-routes.ts'
import { createCommit, createTree } from './git-routes.ts'
import type { GithubAccess, GithubRepository } from './github-state.ts'
import { answerGraphql } from './graphql.ts'
import { answerPulls } from './pull-routes.ts'
import { answerRefs } from './queue-routes.ts'
import { answerSettings } from './repository-settings.ts'

export interface GithubOptions {
  /** By `owner/name`. */
  readonly repositories: ReadonlyMap<string, GithubRepository>
}

interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Json
  readonly token: string
  readonly baseUrl: string
}

/**
 * The part of GitHub's API that is used: comments of pull requests, whether a run is over, commits and refs
 * of a repository, and its settings. Strict: an unknown route or field is recorded as a contract error.
 */
export async function serveGithub(
  world: World,
  { repositories }: GithubOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) =>
    world.background(() => serve(request, response)),
  )
  const url = await new Promise<string>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const bound = server.address()
      resolve(`http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`)
    })
  })
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  world.onClose(close)
  for (const repository of repositories.values()) repository.now = () => world.calendar.now()
  return { url, close }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request)
    const target = new URL(request.url ?? '/', url)
    const method = request.method ?? 'GET'
    const pass = world.enter('github', method, target.pathname)
    if (pass.dropped) return void request.socket.destroy()
    const call: Call = {
      method,
      path: target.pathname,
      query: target.searchParams,
      body: text === '' ? null : parse(text),
      token: (request.headers.authorization ?? '').replace(/^(token|bearer) /i, ''),
      baseUrl: url,
    }
    const answer = pass.fault ? faulty(pass.fault) : await answerCall(repositories, call, world)
    if (!(await pass.leave())) return void request.socket.destroy()
    response
      .writeHead(answer.status, {
        'content-type': 'application/json; charset=utf-8',
        ...(answer.link === undefined ? {} : { link: answer.link }),
        ...answer.headers,
      })
      .end(JSON.stringify(answer.body))
  }
}

function faulty(fault: string): Answer {
  return { status: fault === 'unavailable' ? 503 : 502, body: { message: 'Server Error' } }
}

async function answerCall(
  repositories: ReadonlyMap<string, GithubRepository>,
  call: Call,
  world: World,
): Promise<Answer> {
  if (call.path === '/graphql' && call.method === 'POST') {
    return (await answerGraphql(repositories, call.body, call.token)) ?? unknownRoute(call, world)
  }
  const [, owner, name, rest = ''] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(call.path) ?? []
  const repository = repositories.get(`${owner}/${name}`)
  const access = repository?.tokens.get(call.token)
  // Somebody's token is good everywhere, and other people's repositories are not there for it.
  const isToken = [...repositories.values()].some(({ tokens }) => tokens.has(call.token))
  if (call.token !== '' && !isToken) return refuse(401, 'Bad credentials')
  if (!repository || access === undefined) return refuse(404, 'Not Found')
  const write = call.method !== 'GET'
  if (write && access === 'read') return refuse(403, 'Resource not accessible by integration')
  const answer =
    (await answerRoute(repository, rest, call)) ?? answerRead(repository, rest, access, call)
  if (answer === undefined) return unknownRoute(call, world)
  return { ...answer, headers: headersOf(access, repository.tokenEnds.get(call.token)) }
}

function answerRead(
  repository: GithubRepository,
  path: string,
  access: GithubAccess,
  { method, path: whole }: Call,
): Answer | undefined {
  if (method !== 'GET') return undefined
  const fullName = whole.slice('/repos/'.length, whole.length - path.length)
  return answerSettings(repository, { fullName, path, access })
}

/** A classic token is told what it may do, and every personal one when it ends. */
function headersOf(access: GithubAccess, end: string | undefined): Record<string, string> {
  return {
    ...(access === 'admin' && { 'x-oauth-scopes': 'repo, workflow' }),
    ...(end !== undefined && { 'github-authentication-token-expiration': end }),
  }
}

async function answerRoute(
  repository: GithubRepository,
  rest: string,
  call: Call,
): Promise<Answer | undefined> {
  if (repository.git && call.method === 'POST') {
    if (rest === '/git/trees') return createTree(repository.git, call.body)
    if (rest === '/git/commits') return createCommit(repository.git, call.body)
  }
  const { method, body, token, query } = call
  const paginate = (all: readonly Json[]) => paginated(all, call)
  const ofComments = answerComments(repository, { method, rest, body, token, paginate })
  if (ofComments || method !== 'GET') return ofComments
  const fullName = call.path.slice('/repos/'.length, call.path.length - rest.length)
  const ofPulls = await answerPulls(repository, { fullName, rest, query, paginate })
  if (ofPulls) return ofPulls
  const ofRefs = repository.git && (await answerRefs(repository.git, rest, paginate))
  if (ofRefs) return ofRefs
  return call.method === 'GET' ? answerRuns(repository, rest, call) : undefined
}

function answerRuns(repository: GithubRepository, rest: string, call: Call): Answer | undefined {
  const run = /^\/actions\/runs\/(\d+)\/attempts\/\d+$/.exec(rest)
  if (run) return showRun(repository, Number(run[1]))
  const jobs = /^\/actions\/runs\/(\d+)\/attempts\/(\d+)\/jobs$/.exec(rest)
  return jobs
    ? listJobs(repository, { run: Number(jobs[1]), attempt: Number(jobs[2]) }, call)
    : undefined
}

/** One page of a list, with the way to the next. */
function paginated(all: readonly Json[], call: Call): Answer {
  const { perPage, page } = readPage(call)
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const link = (to: number, rel: string) => {
    const query = new URLSearchParams([...call.query, ['per_page', String(perPage)]])
    query.set('page', String(to))
    return `<${call.baseUrl}${call.path}?${query}>; rel="${rel}"`
  }
  return {
    status: 200,
    body: all.slice((page - 1) * perPage, page * perPage),
    ...(page < last ? { link: `${link(page + 1, 'next')}, ${link(last, 'last')}` } : {}),
  }
}

function showRun(repository: GithubRepository, id: number): Answer {
  const run = repository.runs.get(id)
  if (!run) return refuse(404, 'Not Found')
  return { status: 200, body: { id, status: run.status, conclusion: run.conclusion } }
}

function listJobs(
  repository: GithubRepository,
  asked: { readonly run: number; readonly attempt: number },
  call: Call,
): Answer {
  const run = repository.runs.get(asked.run)
  if (!run) return refuse(404, 'Not Found')
  const { perPage, page } = readPage(call)
  const all = (run.jobs ?? []).filter(({ attempt }) => attempt === asked.attempt)
  const jobs = all
    .slice((page - 1) * perPage, page * perPage)
    .map(({ id, attempt, name, status, conclusion, runner }) => ({
      ...{ id, run_id: asked.run, run_attempt: attempt, name, status, conclusion },
      runner_name: runner,
    }))
  return { status: 200, body: { total_count: all.length, jobs } }
}

function readPage({ query }: Call): { perPage: number; page: number } {
  return {
    perPage: Math.min(100, Number(query.get('per_page') ?? '30')),
    page: Number(query.get('page') ?? '1'),
  }
}

function unknownRoute(call: Call, world: World): Answer {
  world.contractErrors.push(`GitHub has no route ${call.method} ${call.path} in this sandbox`)
  return refuse(404, 'Not Found')
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
