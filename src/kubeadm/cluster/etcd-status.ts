import { z } from 'zod'
import { exactNumbers } from './exact-numbers.ts'

/** What one member of etcd says of itself. */
export interface MemberStatus {
  /** In hex. */
  readonly id: string
  readonly leads: boolean
  /** Whether it sees a leader: without one nothing is written. */
  readonly hasLeader: boolean
  readonly isLearner: boolean
  /** How far it has come, by raft's count. */
  readonly applied: bigint
  /** Of its database, in bytes. */
  readonly size: number
  /** How much of that is not free, in bytes. */
  readonly inUse: number
  /** How large it may become, in bytes; etcd says that from 3.6 on. */
  readonly quota: number | undefined
  readonly errors: readonly string[]
}

/** The same, and what it knows of the others. */
export interface EtcdStatus extends MemberStatus {
  /** Of all members, as far as this one knows them. */
  readonly alarms: readonly EtcdAlarm[]
}

export interface EtcdAlarm {
  /** Of the member that raised it, in hex. */
  readonly member: string
  readonly kind: 'nospace' | 'corrupt'
}

/** Numbers are texts where etcdctl writes the JSON of protocol buffers. */
const size = z.coerce.number().int().nonnegative()
/** A number of 64 bits, which is left out where it is 0. */
const number = z
  .string()
  .regex(/^\d+$/)
  .default('0')
  .transform((text) => BigInt(text))
const exact = ['member_id', 'leader', 'raftAppliedIndex']

const printed = z.tuple([
  z.looseObject({
    Status: z.looseObject({
      header: z.looseObject({ member_id: number }),
      leader: number,
      raftAppliedIndex: number,
      isLearner: z.boolean().nullish(),
      errors: z.array(z.string()).nullish(),
      dbSize: size.default(0),
      dbSizeInUse: size.optional(),
      dbSizeQuota: size.optional(),
    }),
  }),
])

/** What `etcdctl endpoint status` prints of one member as JSON. Throws where it is none. */
export function readMemberStatus(json: string): MemberStatus {
  const [{ Status: status }] = printed.parse(JSON.parse(exactNumbers(json, exact)))
  const { header, leader, dbSize, dbSizeInUse, dbSizeQuota } = status
  return {
    id: header.member_id.toString(16),
    leads: leader !== 0n && leader === header.member_id,
    hasLeader: leader !== 0n,
    isLearner: status.isLearner ?? false,
    applied: status.raftAppliedIndex,
    size: dbSize,
    inUse: dbSizeInUse ?? dbSize,
    // A quota that is not known is printed as none.
    quota: dbSizeQuota || undefined,
    errors: status.errors ?? [],
  }
}

/** What `memberScript` prints for `status`. Throws where it is none. */
export function readEtcdStatus(text: string): EtcdStatus {
  const [first = '', ...alarms] = text.split('\n')
  return { ...readMemberStatus(first), alarms: alarms.flatMap(readAlarm) }
}

/** `memberID:123 alarm:NOSPACE`, with as many spaces as it likes. */
function readAlarm(line: string): EtcdAlarm[] {
  const [, member, kind] = /memberID:\s*(\d+)\s+alarm:\s*(NOSPACE|CORRUPT)/.exec(line) ?? []
  if (member === undefined) return []
  const isCorrupt = kind === 'CORRUPT'
  return [{ member: BigInt(member).toString(16), kind: isCorrupt ? 'corrupt' : 'nospace' }]
}
