import { resolve } from 'node:path'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { type Environment, type GitCredentials, gitEnvironment } from './git-environment.ts'
import { runGit } from './run-git.ts'

export interface Remote {
  /** An address that git takes from anywhere, without a password in it. */
  readonly url: string
  readonly credentials?: GitCredentials | undefined
}

/**
 * Makes an address of what the user named: the URL of a remote of the repository in `folder` (`origin`),
 * or a URL or path as it is. A password inside of a URL is taken out and becomes credentials, since
 * arguments can be read by everybody on the machine. Throws `state-unreachable` for an unknown name.
 */
export async function resolveRemote(
  nameOrUrl: string,
  options: {
    readonly folder: string
    readonly environment: Environment
    readonly redactor: Redactor
    readonly credentials?: GitCredentials | undefined
  },
): Promise<Remote> {
  const url = /^[\w.-]+$/.test(nameOrUrl) ? await urlOfRemote(nameOrUrl, options) : nameOrUrl
  const remote = withoutPassword(isRelative(url) ? resolve(options.folder, url) : url)
  const credentials = options.credentials ?? remote.credentials
  if (credentials) options.redactor.add(credentials.password)
  return credentials ? { url: remote.url, credentials } : { url: remote.url }
}

async function urlOfRemote(
  name: string,
  { folder, environment }: { folder: string; environment: Environment },
): Promise<string> {
  const result = await runGit(['remote', 'get-url', '--push', '--', name], {
    environment: gitEnvironment(environment, name),
    workingFolder: folder,
  })
  if (result.code === 0) return Buffer.from(result.stdout).toString('utf8').trim()
  throw new ClusterError('state-unreachable', `this folder has no git remote named ${name}`, {
    hint: 'Run inside of the repository that keeps the state, or name a remote or its URL.',
    operation: 'find the remote of the state',
    target: name,
  })
}

function isRelative(url: string): boolean {
  return url === '.' || url === '..' || /^\.{1,2}\//.test(url)
}

function withoutPassword(url: string): Remote {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return { url }
  const parsed = new URL(url)
  if (parsed.username === '' && parsed.password === '') return { url }
  const username = decodeURIComponent(parsed.username)
  const password = decodeURIComponent(parsed.password)
  parsed.username = ''
  parsed.password = ''
  // GitHub takes a bare token as the user's name.
  return {
    url: parsed.href,
    credentials:
      password === '' ? { username: 'x-access-token', password: username } : { username, password },
  }
}
