import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Etcd } from '../../talos/etcd.ts'
import { isCompleteSnapshot, readSnapshot } from '../../talos/etcd-snapshot.ts'
import type { NodeRun } from './host-clusters.ts'
import { newMember } from './kubeadm-init.ts'
import { writeMemberData } from './member-data.ts'
import { imagesOf } from './static-pod.ts'

const valued = [
  '--data-dir',
  '--name',
  '--initial-cluster',
  '--initial-advertise-peer-urls',
  '--initial-cluster-token',
  '--bump-revision',
] as const

/** As much of `etcdutl` as makes data of a snapshot. It asks nobody: what it makes starts on its own. */
export async function runEtcdutl(nodeRun: NodeRun): Promise<number> {
  const { node, run } = nodeRun
  const [object = '', verb = ''] = run.args
  if (object === 'version') {
    const images = imagesOf(await node.installedVersion('kubelet'))
    const [, version = ''] = /:v?([\d.]+)/.exec(images['etcd'] ?? '') ?? []
    run.out(`etcdutl version: ${version}`)
    return 0
  }
  if (object !== 'snapshot' || verb !== 'restore') {
    run.err(`Error: unknown command "${object}" for "etcdutl"`)
    return 1
  }
  if (run.args.includes('--help')) {
    run.out(valued.map((flag) => `      ${flag}`).join('\n'))
    return 0
  }
  return restore(nodeRun, run.args.slice(2))
}

async function restore(
  { node, run, clusters }: NodeRun,
  words: readonly string[],
): Promise<number> {
  const { folder } = node.host
  const flags = new Map<string, string>()
  const files: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (valued.some((flag) => flag === word)) flags.set(word, words[++at] ?? '')
    else if (!word.startsWith('-')) files.push(word)
  }
  const flag = (name: (typeof valued)[number]) => flags.get(name) ?? ''
  const fail = (reason: string) => {
    run.err(`Error: ${reason}`)
    return 1
  }
  const [file = ''] = files
  const snapshot = await readFile(join(folder.root, file)).catch(() => undefined)
  if (snapshot === undefined) return fail(`open ${file}: no such file or directory`)
  const data = flag('--data-dir').replace(/^\//, '')
  if (folder.has(data)) return fail(`data-dir "/${data}" not empty or could not be read`)
  if (!isCompleteSnapshot(snapshot)) return fail('expected sha256 of the snapshot, got another one')
  const content = readSnapshot(snapshot)
  if (content === undefined) return fail('invalid database')
  const [peer, name] = [flag('--initial-advertise-peer-urls'), flag('--name')]
  if (flag('--initial-cluster') !== `${name}=${peer}`) {
    return fail(`couldn't find local name "${name}" in the initial cluster configuration`)
  }
  const bump = Number(flag('--bump-revision') || 0)
  if (bump > 0 !== words.includes('--mark-compacted')) {
    return fail('--mark-compacted required if --revision-bump > 0')
  }
  if (bump === 0) clusters.acts.goesBack(node)
  const id = createHash('sha256')
    .update(`${peer} ${flag('--initial-cluster-token')}`)
    .digest('hex')
    .slice(0, 16)
  const etcd = new Etcd(id, node.host.name, { ...content, version: content.version + bump })
  const member = { ...newMember(node.nodeIp), peerUrl: peer }
  etcd.found(member)
  clusters.restored.set(id, etcd)
  await writeMemberData(folder, { member: member.id, etcd: id }, data)
  return 0
}
