import { z } from 'zod'

/** What a control plane has of etcd, as one look found it. */
export interface EtcdLook {
  /** What its etcd says of itself; undefined where it does not answer. */
  readonly status: EtcdStatus | undefined
  /** Its database on the disk: `none` where there is data of etcd without one, undefined where there is no data. */
  readonly database: DatabaseFile | 'none' | undefined
  /** Files without which no control plane starts there. */
  readonly missing: readonly string[]
}

interface EtcdStatus {
  readonly leads: boolean
  readonly seesLeader: boolean
  readonly isLearner: boolean
  /** How far it has come, by raft's count. */
  readonly applied: bigint
  readonly errors: readonly string[]
}

interface DatabaseFile {
  /** In bytes. */
  readonly size: number
  /** In seconds since 1970. */
  readonly modified: number
}

/** A number of 64 bits, which is left out where it is 0. */
const number = z
  .string()
  .regex(/^\d+$/)
  .default('0')
  .transform((text) => BigInt(text))

const statuses = z
  .array(
    z.looseObject({
      Status: z.looseObject({
        header: z.looseObject({ member_id: number }),
        leader: number,
        raftAppliedIndex: number,
        errors: z.array(z.string()).nullish(),
        isLearner: z.boolean().nullish(),
      }),
    }),
  )
  .length(1)

/** Reads what `lookAtEtcdScript` prints. Throws where it is none of that. */
export function readEtcdLook(printed: string): EtcdLook {
  const lines = printed.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = /^(\w+)\t(.*)$/.exec(line) ?? []
    return name === '' ? [] : [{ name, value }]
  })
  const firstOf = (wanted: string) => lines.find(({ name }) => name === wanted)?.value
  const status = firstOf('status')
  const database = firstOf('database')
  return {
    status: status === undefined ? undefined : readStatus(status),
    database: database === undefined ? undefined : readDatabase(database),
    missing: lines.flatMap(({ name, value }) => (name === 'missing' ? [value] : [])),
  }
}

/** Ids have 64 bits, of which a number of JSON would lose some: each becomes a text. */
function readStatus(text: string): EtcdStatus | undefined {
  const [one] = statuses.parse(JSON.parse(text.replaceAll(/":\s*(\d+)/g, '":"$1"')))
  if (one === undefined) return undefined
  const { header, leader, raftAppliedIndex, errors, isLearner } = one.Status
  return {
    leads: leader !== 0n && leader === header.member_id,
    seesLeader: leader !== 0n,
    isLearner: isLearner ?? false,
    applied: raftAppliedIndex,
    errors: errors ?? [],
  }
}

function readDatabase(text: string): EtcdLook['database'] {
  const [, size, modified] = /^(\d+) (\d+)$/.exec(text) ?? []
  return size === undefined ? 'none' : { size: Number(size), modified: Number(modified) }
}
