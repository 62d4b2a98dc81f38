import type { HostKeyPin } from './host-key.ts'

/** A host, and how this run may use it. */
export interface SshHost {
  /** How messages name it. */
  readonly name: string
  readonly address: string
  readonly port: number
  readonly user: string
  readonly login: SshLogin
  readonly hostKey: HostKeyPin
  /**
   * The host was started a moment ago, and installs the keys of its users late: a rejected login is then tried again as
   * long as one that nobody answered. A rejected login of any other host is final.
   */
  readonly isStarting?: boolean
  /** The host that this one is reached through: the same object for all hosts behind it. */
  readonly jump?: SshHost
  /** Runs everything as root; as the user who logs in where absent. */
  readonly sudo?: Sudo
}

/** What proves who we are. */
export type SshLogin = KeyLogin | AgentLogin

interface KeyLogin {
  /** OpenSSH or PEM; a secret. */
  readonly privateKey: string
  readonly passphrase?: string
}

/** For people at a terminal, whose keys leave their agent never. */
export interface AgentLogin {
  /** Path of its socket, as in SSH_AUTH_SOCK. */
  readonly agent: string
  /** One line of authorized_keys: the key to offer, where the agent holds several. */
  readonly publicKey?: string
}

/** How a user becomes root. */
export interface Sudo {
  /** Given only when sudo asks for it; none where sudo asks nobody. */
  readonly password?: string
}

/** `web-1 (10.0.0.7:22)`, for errors. */
export function describeHost({ name, address, port }: SshHost): string {
  return `${name} (${address}:${port})`
}

/** What must never be shown of all that. */
export function secretsOf({ login, sudo }: SshHost): string[] {
  const ofLogin = 'privateKey' in login ? [login.privateKey, login.passphrase] : []
  return [...ofLogin, sudo?.password].filter((secret) => secret !== undefined)
}
