import { createRegistry, fromBinary, isMessage } from '@bufbuild/protobuf'
import { type Any, anyUnpack } from '@bufbuild/protobuf/wkt'
import type { Metadata } from '@grpc/grpc-js'
import {
  BadRequestSchema,
  DebugInfoSchema,
  ErrorInfoSchema,
  LocalizedMessageSchema,
  PreconditionFailureSchema,
  RetryInfoSchema,
} from './gen/google/rpc/error_details_pb.js'
import { StatusSchema } from './gen/google/rpc/status_pb.js'

/** What a failed call tells beside its code and message (`google.rpc.Status`). */
export interface StatusDetails {
  /** One sentence for each detail that is for people. */
  readonly sentences: readonly string[]
  /** When the node wants to be asked again, in milliseconds from now. */
  readonly retryAfterMs: number | undefined
  /** A stable name for the reason, as `reason (domain)`. */
  readonly reason: string | undefined
}

const header = 'grpc-status-details-bin'
const none: StatusDetails = { sentences: [], retryAfterMs: undefined, reason: undefined }
const known = createRegistry(
  BadRequestSchema,
  DebugInfoSchema,
  ErrorInfoSchema,
  LocalizedMessageSchema,
  PreconditionFailureSchema,
  RetryInfoSchema,
)

/** The details of a failed call, from its trailers. What cannot be read is passed over: it explains, it decides nothing. */
export function readStatusDetails(trailers: Metadata | undefined): StatusDetails {
  const [bytes] = trailers?.get(header) ?? []
  if (!Buffer.isBuffer(bytes)) return none
  try {
    return describeDetails(fromBinary(StatusSchema, bytes).details)
  } catch {
    return none
  }
}

/** The same for details that came inside of an answer, as those of one node among several. */
export function describeDetails(details: readonly Any[]): StatusDetails {
  return details.map(describe).reduce(
    (all, one) => ({
      sentences: [...all.sentences, ...one.sentences],
      retryAfterMs: one.retryAfterMs ?? all.retryAfterMs,
      reason: one.reason ?? all.reason,
    }),
    none,
  )
}

function describe(packed: Any): StatusDetails {
  const detail = anyUnpack(packed, known)
  if (isMessage(detail, BadRequestSchema)) {
    return listed(
      detail.fieldViolations.map(({ field, description }) => `${field}: ${description}`),
    )
  }
  if (isMessage(detail, PreconditionFailureSchema)) {
    return listed(detail.violations.map(({ subject, description }) => `${subject}: ${description}`))
  }
  if (isMessage(detail, LocalizedMessageSchema)) return listed([detail.message])
  if (isMessage(detail, DebugInfoSchema)) return listed(detail.detail === '' ? [] : [detail.detail])
  if (isMessage(detail, ErrorInfoSchema)) {
    return { ...none, reason: `${detail.reason} (${detail.domain})` }
  }
  if (isMessage(detail, RetryInfoSchema)) {
    return { ...none, retryAfterMs: toMs(detail.retryDelay) }
  }
  return none
}

function listed(sentences: readonly string[]): StatusDetails {
  return { ...none, sentences }
}

function toMs(delay: { seconds: bigint; nanos: number } | undefined): number | undefined {
  return delay && Number(delay.seconds) * 1_000 + Math.round(delay.nanos / 1e6)
}
