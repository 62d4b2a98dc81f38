import { z } from 'zod'

/** What one member of etcd says of itself. */
export interface EtcdStatus {
  /** In hex. */
  readonly id: string
  /** Whether it sees a leader: without one nothing is written. */
  readonly hasLeader: boolean
  /** Of its database, in bytes. */
  readonly size: number
  /** How much of that is not free, in bytes. */
  readonly inUse: number
  /** How large it may become, in bytes; etcd says that from 3.6 on. */
  readonly quota: number | undefined
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
const id = z.string().regex(/^\d+$/)

const printed = z.tuple([
  z.looseObject({
    Status: z.looseObject({
      header: z.looseObject({ member_id: id }),
      leader: id.default('0'),
      dbSize: size,
      dbSizeInUse: size.optional(),
      dbSizeQuota: size.optional(),
    }),
  }),
])

/** What `memberScript` prints for `status`. Throws where it is none. */
export function readEtcdStatus(text: string): EtcdStatus {
  const [first = '', ...alarms] = text.split('\n')
  const [{ Status: status }] = printed.parse(JSON.parse(withExactIds(first)))
  return {
    id: hex(status.header.member_id),
    hasLeader: status.leader !== '0',
    size: status.dbSize,
    inUse: status.dbSizeInUse ?? status.dbSize,
    // A quota that is not known is printed as none.
    quota: status.dbSizeQuota || undefined,
    alarms: alarms.flatMap(readAlarm),
  }
}

/** Ids have 64 bits, of which a number of JSON would lose some: each becomes a text. */
function withExactIds(json: string): string {
  return json.replaceAll(/"(member_id|leader)":\s*"?(\d+)"?/g, '"$1":"$2"')
}

/** `memberID:123 alarm:NOSPACE`, with as many spaces as it likes. */
function readAlarm(line: string): EtcdAlarm[] {
  const [, member, kind] = /memberID:\s*(\d+)\s+alarm:\s*(NOSPACE|CORRUPT)/.exec(line) ?? []
  if (member === undefined) return []
  return [{ member: hex(member), kind: kind === 'CORRUPT' ? 'corrupt' : 'nospace' }]
}

function hex(decimal: string): string {
  return BigInt(decimal).toString(16)
}
