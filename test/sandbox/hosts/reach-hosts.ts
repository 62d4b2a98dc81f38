import type { PreparedHost } from '../../../src/kubeadm/host/prepare-host.ts'
import { createClock } from '../../../src/lib/clock.ts'
import { Redactor } from '../../../src/lib/redactor.ts'
import {
  type SimHosts,
  type StartHostsOptions,
  startHosts,
} from '../../../src/sandbox/hosts/start-hosts.ts'
import { HostKeyPin } from '../../../src/ssh/host-key.ts'
import { runScript } from '../../../src/ssh/run-script.ts'
import type { SshHost, Sudo } from '../../../src/ssh/ssh-host.ts'
import { type RemoteHost, SshPool } from '../../../src/ssh/ssh-pool.ts'
import { hangLimitMs } from '../../hang-limit.ts'

export interface ReachOptions extends StartHostsOptions {
  readonly sudo?: Sudo
  /** The host that all others are reached through. */
  readonly jump?: string
  readonly connectWithinMs?: number
}

/** Hosts, and the product's own connections to them. */
export interface ReachedHosts extends SimHosts {
  readonly pool: SshPool
  remote(name: string): RemoteHost
  prepared(name: string): PreparedHost
}

export async function reachHosts(options: ReachOptions): Promise<ReachedHosts> {
  const { sudo, jump, connectWithinMs = 0 } = options
  const hosts = await startHosts(options)
  const pool = new SshPool({
    // Scripts take the wall's time: a faster clock would end them as too slow.
    clock: createClock(5),
    redactor: new Redactor(),
    signal: new AbortController().signal,
    connectWithinMs,
  })
  const known = new Map<string, SshHost>()
  const sshHost = (name: string): SshHost => {
    const found = known.get(name)
    if (found !== undefined) return found
    const { host, hostKey } = hosts.host(name)
    const made: SshHost = {
      name,
      address: host.address,
      port: hosts.port,
      user: hosts.user,
      login: { privateKey: hosts.privateKey },
      hostKey: HostKeyPin.of(hostKey),
      ...(sudo !== undefined && { sudo }),
      ...(jump !== undefined && jump !== name && { jump: sshHost(jump) }),
    }
    known.set(name, made)
    return made
  }
  const remote = (name: string) => pool.host(sshHost(name))
  return {
    ...hosts,
    pool,
    remote,
    prepared: (name) => ({
      name,
      clock: hosts.world.clock,
      runScript: (text, args) =>
        runScript(remote(name), { title: 'a step', text, args, withinMs: 5 * hangLimitMs }),
    }),
    [Symbol.asyncDispose]: async () => {
      await pool[Symbol.asyncDispose]()
      await hosts[Symbol.asyncDispose]()
    },
  }
}
