import type { HostLogin, JumpHost } from '../../spec/hosts/hosts-spec.ts'
import { HostKeyPin } from '../../ssh/host-key.ts'
import type { SshHost, Sudo } from '../../ssh/ssh-host.ts'
import { type RemoteHost, SshPool, type SshPoolOptions } from '../../ssh/ssh-pool.ts'
import { resolveLogin, resolveSecret, type SourceSurroundings } from './secret-sources.ts'

/** A host as it is logged in to. */
export interface ReachedHost {
  readonly name: string
  readonly address: string
  readonly login: HostLogin
  /** The key that it showed at its first contact, as the state has it. */
  readonly recordedKey?: string | undefined
}

/**
 * The hosts of one run: each is connected to when it is first used, with what its login names. Close it in the end:
 * scripts that run on hosts go on there.
 */
export class HostConnections implements AsyncDisposable {
  readonly #pool: SshPool
  readonly #surroundings: SourceSurroundings
  readonly #remotes = new Map<string, Promise<RemoteHost>>()
  /** By what they are: all hosts behind one jump host share its connection. */
  readonly #jumps = new Map<string, Promise<SshHost>>()

  #requests = 0

  constructor(options: SshPoolOptions, surroundings: SourceSurroundings) {
    this.#pool = new SshPool({
      ...options,
      onRequest: () => {
        this.#requests += 1
      },
    })
    this.#surroundings = surroundings
  }

  /** Throws `ssh-key-unreadable` where what its login names is not there, `ssh-host-key` for a pin that is none. */
  to(host: ReachedHost): Promise<RemoteHost> {
    const known = this.#remotes.get(host.name)
    if (known !== undefined) return known
    const made = this.#make(host)
    this.#remotes.set(host.name, made)
    made.catch(() => this.#remotes.delete(host.name))
    return made
  }

  /** How many scripts were started on hosts so far, and streams opened through them. */
  get requests(): number {
    return this.#requests
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]()
  }

  async #make({ name, address, login, recordedKey }: ReachedHost): Promise<RemoteHost> {
    const { user, port, key, hostKey, sudo, jump } = login
    const through = jump === undefined ? undefined : await this.#jump(jump)
    return this.#pool.host({
      name,
      address,
      port,
      user,
      login: await resolveLogin(key, name, this.#surroundings),
      hostKey: pinOf(hostKey, recordedKey),
      ...(through && { jump: through }),
      ...(await this.#sudoOf(sudo, name)),
    })
  }

  #jump(jump: JumpHost): Promise<SshHost> {
    const id = JSON.stringify(jump)
    const known = this.#jumps.get(id)
    if (known !== undefined) return known
    const name = `the jump host ${jump.address}`
    const made = resolveLogin(jump.key, name, this.#surroundings).then((login) => ({
      name,
      address: jump.address,
      port: jump.port,
      user: jump.user,
      login,
      hostKey: pinOf(jump.hostKey, undefined),
    }))
    this.#jumps.set(id, made)
    made.catch(() => this.#jumps.delete(id))
    return made
  }

  async #sudoOf(sudo: HostLogin['sudo'], name: string): Promise<{ readonly sudo?: Sudo }> {
    if (sudo.type === 'none') return {}
    if (sudo.type === 'passwordless') return { sudo: {} }
    const what = `the password of sudo on ${name}`
    const password = await resolveSecret(sudo.password, what, name, this.#surroundings)
    return { sudo: { password } }
  }
}

/** What the file pins counts before what the state has: that is how people say that a host was installed again. */
function pinOf(rule: HostLogin['hostKey'], recorded: string | undefined): HostKeyPin {
  if (rule.type === 'pinned') return HostKeyPin.of(rule.key)
  return recorded === undefined ? HostKeyPin.firstContact() : HostKeyPin.of(recorded)
}
