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
}

/** What proves who we are. */
export interface SshLogin {
  /** OpenSSH or PEM; a secret. */
  readonly privateKey: string
}

/** `web-1 (10.0.0.7:22)`, for errors. */
export function describeHost({ name, address, port }: SshHost): string {
  return `${name} (${address}:${port})`
}
