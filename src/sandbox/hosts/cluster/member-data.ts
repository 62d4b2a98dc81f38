import type { HostFolder } from '../host-folder.ts'

/** What the data of a member of etcd says of itself. */
export interface MemberData {
  readonly member: bigint
  /** The id of its cluster: that of one that was made of a snapshot is another one. */
  readonly etcd: string
}

const folderOf = (data: string) => `${data}/member`
const database = (data: string) => `${folderOf(data)}/snap/db`

/** Where etcd keeps its data on a host. */
export const etcdData = 'var/lib/etcd'

export async function readMemberData(folder: HostFolder): Promise<MemberData | undefined> {
  const [member, etcd] = await Promise.all([
    folder.find(`${folderOf(etcdData)}/id`),
    folder.find(`${folderOf(etcdData)}/cluster`),
  ])
  if (member === undefined || etcd === undefined) return undefined
  return { member: BigInt(`0x${member.trim()}`), etcd: etcd.trim() }
}

export async function writeMemberData(
  folder: HostFolder,
  { member, etcd }: MemberData,
  data: string = etcdData,
): Promise<void> {
  await folder.put(`${folderOf(data)}/id`, member.toString(16), 0o600)
  await folder.put(`${folderOf(data)}/cluster`, etcd, 0o600)
  await folder.put(database(data), '', 0o600)
}

/** The database as it lies there; one that is the same keeps its time. */
export async function writeDatabase(folder: HostFolder, bytes: Buffer): Promise<void> {
  const path = database(etcdData)
  if ((await folder.find(path)) === bytes.toString('utf8')) return
  await folder.put(path, bytes, 0o600)
}
