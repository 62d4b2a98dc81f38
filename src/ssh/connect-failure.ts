import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { describeHost, type SshHost } from './ssh-host.ts'

/** What ssh2 and sockets add to an error. */
interface ConnectCause extends Error {
  readonly level?: string
  readonly code?: string | number
}

const operation = 'connect by SSH'

/** SSH_OPEN_ADMINISTRATIVELY_PROHIBITED: why a channel was not opened. */
const prohibited = 1

/**
 * Why there is no connection to a host, as an expected failure. One that is `isUnanswered` may pass by itself: nobody
 * listens yet, or the handshake was cut, as happens while a host starts. `rejectedKey` is the fingerprint of the host key
 * that this attempt did not accept.
 */
export function connectFailure(
  cause: ConnectCause,
  host: SshHost,
  rejectedKey?: string,
): ClusterError {
  const { hostKey } = host
  const context = { operation, target: describeHost(host), cause }
  if (rejectedKey !== undefined) {
    return new ClusterError(
      'ssh-host-key',
      `${host.name} shows another host key than the pinned one`,
      {
        ...context,
        evidence: [`pinned: ${hostKey.type} ${hostKey.fingerprint}`, `shown: ${rejectedKey}`],
        hint: 'Compare the fingerprint at the console of the host. If the host was installed again, pin its new key; otherwise somebody may be between you and the host.',
      },
    )
  }
  if (/no matching host key/i.test(cause.message)) {
    return new ClusterError(
      'ssh-host-key',
      `${host.name} has no host key of the type ${hostKey.type ?? 'that is accepted'}`,
      {
        ...context,
        hint: 'Pin a key of a type that the host has (ssh-keyscan lists them). If it had this type before, somebody may be between you and the host.',
      },
    )
  }
  if (isLoginFailure(cause)) {
    return new ClusterError(
      'ssh-login-rejected',
      `${host.name} rejects the login of ${host.user}: ${cause.message}`,
      {
        ...context,
        hint: `Check the user and the key, and that the public key is in the authorized_keys of ${host.user} on the host.`,
      },
    )
  }
  return new ClusterError('ssh-failed', `cannot connect by SSH: ${cause.message}`, {
    ...context,
    hint: `Check that the host is on, that its SSH server runs, and that no firewall keeps this machine from port ${host.port} of it.`,
    isUnanswered: isTransient(cause),
  })
}

/** What a host is asked to reach: another host, or only a port of it. */
export interface ForwardTarget {
  readonly name?: string
  readonly address: string
  readonly port: number
}

/** Why a jump host is no way to a host. */
export function forwardFailure(cause: unknown, jump: SshHost, to: ForwardTarget): ClusterError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const isForbidden = cause instanceof Error && 'reason' in cause && cause.reason === prohibited
  return new ClusterError(
    'ssh-failed',
    `${jump.name} cannot reach ${to.name ?? to.address}: ${reason}`,
    {
      operation,
      target: `${describeTarget(to)} through ${describeHost(jump)}`,
      hint: isForbidden
        ? `Allow it in the sshd_config of ${jump.name}: AllowTcpForwarding and PermitOpen.`
        : `Check that the host is on, and that ${jump.name} reaches port ${to.port} of it.`,
      isUnanswered: !isForbidden,
      cause,
    },
  )
}

function describeTarget({ name, address, port }: ForwardTarget): string {
  return name === undefined ? `${address}:${port}` : `${name} (${address}:${port})`
}

/** Whether another attempt may go better, with nothing changed by us. */
export function isWorthRetrying(error: unknown, host: SshHost): error is ClusterError {
  if (isClusterError(error, 'ssh-failed')) return error.isUnanswered
  return host.isStarting === true && isClusterError(error, 'ssh-login-rejected')
}

function isLoginFailure({ level, message }: ConnectCause): boolean {
  return (
    level === 'client-authentication' ||
    level === 'agent' ||
    /authentication failures/i.test(message)
  )
}

/** A name that does not exist, and algorithms of which both sides share none, stay as they are. */
function isTransient({ code, level, message }: ConnectCause): boolean {
  if (code === 'ENOTFOUND') return false
  return level !== 'handshake' || !/no matching/i.test(message)
}
