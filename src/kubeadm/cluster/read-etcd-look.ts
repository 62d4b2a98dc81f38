import { type MemberStatus, readMemberStatus } from './etcd-status.ts'

/** What a control plane has of etcd, as one look found it. */
export interface EtcdLook {
  /** What its etcd says of itself; undefined where it does not answer. */
  readonly status: MemberStatus | undefined
  /** Its database on the disk: `none` where there is data of etcd without one, undefined where there is no data. */
  readonly database: DatabaseFile | 'none' | undefined
  /** Files without which no control plane starts there. */
  readonly missing: readonly string[]
}

interface DatabaseFile {
  /** In bytes. */
  readonly size: number
  /** In seconds since 1970. */
  readonly modified: number
}

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
    status: status === undefined ? undefined : readMemberStatus(status),
    database: database === undefined ? undefined : readDatabase(database),
    missing: lines.flatMap(({ name, value }) => (name === 'missing' ? [value] : [])),
  }
}

function readDatabase(text: string): EtcdLook['database'] {
  const [, size, modified] = /^(\d+) (\d+)$/.exec(text) ?? []
  return size === undefined ? 'none' : { size: Number(size), modified: Number(modified) }
}
