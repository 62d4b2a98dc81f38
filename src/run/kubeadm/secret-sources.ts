import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { SecretSource, SshKeySource } from '../../spec/hosts/hosts-spec.ts'
import { type NamedSecrets, secretVariable } from '../../spec/secret-reference.ts'
import type { SshHost } from '../../ssh/ssh-host.ts'

/** Where a run finds what a cluster file only names. */
export interface SourceSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The cluster file's own path: keys are named relative to its folder. */
  readonly filePath: string
  /** What the state keeps; read where the environment does not give it. */
  readonly namedSecrets: () => Promise<NamedSecrets>
}

/**
 * What proves who we are, out of where the file says that it is. `host` is for messages. Throws `ssh-key-unreadable` with
 * what is missing.
 */
export async function resolveLogin(
  key: SshKeySource,
  host: string,
  surroundings: SourceSurroundings,
): Promise<SshHost['login']> {
  const { environment } = surroundings
  if (key.from === 'agent') {
    const agent = environment['SSH_AUTH_SOCK']
    if (!agent) {
      throw missing(
        host,
        'no SSH agent answers',
        'Start ssh-agent and load the key, or name a key file or a variable under ssh.key in the cluster file.',
      )
    }
    return { agent, ...(key.publicKey !== undefined && { publicKey: key.publicKey }) }
  }
  const privateKey =
    key.from === 'file'
      ? await readKeyFile(key.path, host, surroundings)
      : given(environment, key.variable, `the private key for ${host}`, host)
  if (key.passphrase === undefined) return { privateKey }
  const passphrase = await resolveSecret(
    key.passphrase,
    `the passphrase of the key for ${host}`,
    host,
    surroundings,
  )
  return { privateKey, passphrase }
}

/** A secret out of the environment or the state. `what` and `host` are for messages. Throws `ssh-key-unreadable`. */
export async function resolveSecret(
  source: SecretSource,
  what: string,
  host: string,
  { environment, namedSecrets }: SourceSurroundings,
): Promise<string> {
  if (source.from === 'environment') return given(environment, source.variable, what, host)
  const value = environment[secretVariable(source.name)] ?? (await namedSecrets()).get(source.name)
  if (value) return value
  throw missing(
    host,
    `${what} is the secret ${source.name}, which nobody has set`,
    `Set it with \`hcloud-talos secret set ${source.name}\`.`,
  )
}

function given(
  environment: SourceSurroundings['environment'],
  variable: string,
  what: string,
  host: string,
): string {
  const value = environment[variable]
  if (value) return value
  throw missing(
    host,
    `${what} is in the variable ${variable}, which is not set`,
    `Set ${variable} in the environment of this run; in a workflow pass a secret as env.`,
  )
}

async function readKeyFile(
  path: string,
  host: string,
  { filePath }: SourceSurroundings,
): Promise<string> {
  const own = path.startsWith('~/')
    ? resolve(homedir(), path.slice(2))
    : resolve(dirname(filePath), path)
  try {
    return await readFile(own, 'utf8')
  } catch (cause) {
    throw missing(
      host,
      `the private key ${path} cannot be read`,
      'Check the path: it is relative to the folder of the cluster file, and ~ is the home of whoever runs this.',
      cause,
    )
  }
}

function missing(host: string, message: string, hint: string, cause?: unknown): ClusterError {
  return new ClusterError('ssh-key-unreadable', message, {
    operation: 'connect by SSH',
    target: host,
    hint,
    cause,
  })
}
