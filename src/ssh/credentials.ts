import type { BaseAgent, IdentityCallback, KnownPublicKeys, ParsedKey } from 'ssh2'
import { ClusterError } from '../lib/cluster-error.ts'
import { type AgentLogin, describeHost, type SshHost } from './ssh-host.ts'

type Ssh2 = typeof import('ssh2')

/** What ssh2 logs in with. */
export interface Credentials {
  readonly privateKey?: string
  readonly passphrase?: string
  readonly agent?: BaseAgent
}

/**
 * The credentials for a host, read before anybody is asked. Throws `ssh-key-unreadable` where a private key is none, or is
 * locked by a passphrase that is missing or wrong.
 */
export function credentialsFor(host: SshHost, ssh2: Ssh2): Credentials {
  const { login } = host
  if ('agent' in login) return { agent: agentFor(login, host, ssh2) }
  const { privateKey, passphrase } = login
  const key = ssh2.utils.parseKey(privateKey, passphrase)
  if (key instanceof Error) {
    const isLocked = isLockedKey(ssh2.utils.parseKey(privateKey))
    if (isLocked && passphrase === undefined)
      throw unreadable(host, 'has a passphrase, and none was given')
    if (isLocked) throw unreadable(host, 'has another passphrase than the one that was given')
    throw unreadable(host, `cannot be read: ${key.message}`)
  }
  if (!key.isPrivateKey()) throw unreadable(host, 'is a public key')
  return passphrase === undefined ? { privateKey } : { privateKey, passphrase }
}

function isLockedKey(parsed: ParsedKey | Error): boolean {
  return parsed instanceof Error && /no passphrase/i.test(parsed.message)
}

function unreadable(host: SshHost, what: string): ClusterError {
  return new ClusterError('ssh-key-unreadable', `the private key for ${host.name} ${what}`, {
    operation: 'connect by SSH',
    target: describeHost(host),
    hint: 'Give a private key in OpenSSH format with its passphrase, or load it into an SSH agent and name the agent.',
  })
}

/** An agent that offers one key where one was chosen: a host ends a login after a few keys that it does not know. */
function agentFor({ agent, publicKey }: AgentLogin, host: SshHost, ssh2: Ssh2): BaseAgent {
  if (publicKey === undefined) return new ssh2.OpenSSHAgent(agent)
  const chosen = ssh2.utils.parseKey(publicKey)
  if (chosen instanceof Error) {
    throw unreadable(host, `cannot be chosen in the agent: ${chosen.message}`)
  }
  const wanted: ParsedKey = chosen
  class OneKeyAgent extends ssh2.OpenSSHAgent {
    override getIdentities(callback: IdentityCallback<ParsedKey>): void {
      super.getIdentities((error, keys = []) => {
        if (error) return callback(error)
        const own = keys.filter((key) => isSame(key, wanted))
        if (own.length > 0) return callback(null, own)
        callback(new Error('the SSH agent does not hold the key that was chosen'))
      })
    }
  }
  return new OneKeyAgent(agent)
}

function isSame(key: KnownPublicKeys<ParsedKey>[number], chosen: ParsedKey): boolean {
  return 'getPublicSSH' in key && key.getPublicSSH().equals(chosen.getPublicSSH())
}
