import { type ServiceError, status } from '@grpc/grpc-js'
import { ClusterError } from '../../lib/cluster-error.ts'
import { readStatusDetails, type StatusDetails } from './status-details.ts'

/** Where a call went, for messages: what was asked, and which node. */
export interface CallTarget {
  /** `Bootstrap`, `EtcdMemberList`, ... */
  readonly method: string
  /** `203.0.113.7:50000`. */
  readonly address: string
  /** What this side signs in with, and believes; nothing where the node has taken it already. */
  readonly ends?: readonly CertificateEnd[] | undefined
}

/** When a certificate ends, in milliseconds since the epoch. */
export interface CertificateEnd {
  /** `the CA of the Talos API` */
  readonly name: string
  readonly notAfter: number
}

/** The status that a node, or the way to it, answered with; the cause of each Talos failure. */
export class TalosStatus extends Error {
  override readonly name = 'TalosStatus'
  /** A gRPC status code. */
  readonly code: number
  /** What it told beside that. */
  readonly details: StatusDetails

  constructor(
    code: number,
    message: string,
    details: StatusDetails = readStatusDetails(undefined),
  ) {
    super(`${status[code] ?? code}: ${message}`)
    this.code = code
    this.details = details
  }
}

/** The gRPC status code behind a failure, where there is one. */
export function statusCode(error: unknown): number | undefined {
  return talosStatus(error)?.code
}

/** The status behind a failure, where there is one. */
export function talosStatus(error: unknown): TalosStatus | undefined {
  if (error instanceof TalosStatus) return error
  return error instanceof ClusterError && error.cause instanceof TalosStatus
    ? error.cause
    : undefined
}

/**
 * Whether the same call may succeed a moment later: the node could not be reached, is too busy, or is
 * in the middle of something. An identity that does not fit, and a refusal, stay what they are.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof ClusterError)) return false
  if (error.code === 'talos-unreachable') return true
  const code = statusCode(error)
  return code === status.RESOURCE_EXHAUSTED || code === status.ABORTED
}

const unreachableCodes: readonly number[] = [
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
]

/** How TLS stacks word that the other side is not who it should be. */
const foreignIdentity =
  /shows another key|unable to verify|self[- ]signed|unable to get (local )?issuer|altnames|certificate signature|unknown ca|bad certificate|invalid ca|unsupported certificate/i

/** How they word that a certificate is past its dates: the other side's, or ours in an alert of the other side. */
const ended = /certificate (has )?expired/i
const notYet = /certificate is not yet valid/i

/** How a configured node turns away a client that shows no certificate (TLS 1.3 alert 116). */
export const certificateRequired = /certificate[_ ]required/i

/** What a failed call means: `talos-unreachable`, `talos-identity`, `certificate-ended`, `clock-wrong` or `talos-refused`. */
export function translateFailure(
  { code, details, metadata }: FailedCall,
  { method, address, ends }: CallTarget,
): ClusterError {
  return translateStatus(new TalosStatus(code, details, readStatusDetails(metadata)), details, {
    method,
    address,
    ends,
  })
}

interface FailedCall extends Pick<ServiceError, 'code' | 'details'> {
  readonly metadata?: ServiceError['metadata'] | undefined
}

/** The same for a status that came inside of an answer; `message` is the node's own. */
export function translateStatus(
  cause: TalosStatus,
  message: string,
  { method, address, ends = [] }: CallTarget,
): ClusterError {
  const { code } = cause
  const details = [withoutTimes(message), ...cause.details.sentences].join('; ')
  const context = { operation: `call ${method}`, target: address, cause }
  if (code === status.UNAVAILABLE && certificateRequired.test(details)) {
    return new ClusterError('talos-refused', `${address} wants a client certificate`, {
      ...context,
      hint: 'Connect with the credentials of its cluster: the node is configured already.',
    })
  }
  if (code === status.UNAVAILABLE && ended.test(details)) return certificateEnded(ends, context)
  if (code === status.UNAVAILABLE && notYet.test(details)) {
    return new ClusterError('clock-wrong', `${address} shows a certificate that is not valid yet`, {
      ...context,
      hint: 'Set the clock of this machine by NTP (`timedatectl set-ntp true`); if it is right, that of the node is wrong.',
    })
  }
  if (code === status.UNAVAILABLE && foreignIdentity.test(details)) {
    return new ClusterError(
      'talos-identity',
      `${address} is not a node of this cluster: ${details}`,
      {
        ...context,
        hint: "Check that the address is the node's own, and that the stored secrets are those of this cluster.",
      },
    )
  }
  if (unreachableCodes.includes(code)) {
    // Not every TLS stack says why it hangs up on a client; that this side hung up is for no certificate.
    if (code !== status.CANCELLED && ownEnd(ends) !== undefined)
      return certificateEnded(ends, context)
    return new ClusterError('talos-unreachable', `no answer from ${address}: ${details}`, {
      ...context,
      hint: 'Check that the server runs and that a firewall rule lets this machine reach port 50000.',
    })
  }
  return new ClusterError('talos-refused', `${address} refused ${method}: ${details}`, context)
}

/** TLS goes by the clock of this machine, and so does what is said of it. */
function ownEnd(ends: readonly CertificateEnd[]): CertificateEnd | undefined {
  return ends.find(({ notAfter }) => notAfter <= Date.now())
}

function certificateEnded(
  ends: readonly CertificateEnd[],
  context: ConstructorParameters<typeof ClusterError>[2] & { readonly target: string },
): ClusterError {
  const own = ownEnd(ends)
  const message = own
    ? `${own.name} ended on ${new Date(own.notAfter).toISOString().slice(0, 10)}: ${context.target} takes it no more`
    : `a certificate of ${context.target} has ended: it was not renewed`
  return new ClusterError('certificate-ended', message, {
    ...context,
    hint: 'Run `hcloud-talos doctor`: it names the certificate that ended, and how to renew it.',
  })
}

/**
 * What a channel says of its last attempt, without when that was and what it did not note: the same reason
 * is the same text, however often it is given.
 */
function withoutTimes(message: string): string {
  return message.replace(/ \(\d{4}-\d\d-\d\dT[\d:.]+Z\)/g, '').replace(/\.? Resolution note: $/, '')
}
