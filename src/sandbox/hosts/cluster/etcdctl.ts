import { type EtcdMember, EtcdRefused } from '../../talos/etcd.ts'
import type { HostCluster } from './host-cluster.ts'
import type { NodeRun } from './host-clusters.ts'
import { minorOf } from './static-pod.ts'

/** From this minor of Kubernetes on its etcd is 3.7, whose etcdctl shows all of a member beside its id in hex. */
const firstWithHexMembers = 37

/** As much of `etcdctl` as looks at members, takes them out and saves a snapshot. It asks the etcd of its own host. */
export async function runEtcdctl(nodeRun: NodeRun, words: readonly string[]): Promise<number> {
  const { node, run } = nodeRun
  const { cluster } = node
  const flags = readFlags(words)
  const [object = '', verb = '', what = ''] = flags.command
  if (cluster === undefined || !node.answersEtcd()) {
    run.err('Error: context deadline exceeded')
    return 1
  }
  if (object === 'endpoint' && verb === 'health') return showHealth(nodeRun, cluster, flags)
  if (object === 'endpoint' && verb === 'status') return showStatus(nodeRun, cluster)
  if (object === 'snapshot' && verb === 'save') return saveSnapshot(nodeRun, cluster, what)
  if (!cluster.etcd.quorum) {
    run.err('Error: etcdserver: no leader')
    return 1
  }
  switch (`${object} ${verb}`) {
    case 'alarm list':
      if (cluster.etcd.outOfSpace !== undefined) {
        run.out(`memberID:${cluster.etcd.outOfSpace} alarm:NOSPACE `)
      }
      return 0
    case 'member list':
      return listMembers(nodeRun, cluster, flags)
    case 'member remove':
      return removeMember(nodeRun, cluster, what)
    default:
      run.err(`Error: unknown command ${JSON.stringify(flags.command.join(' '))} for "etcdctl"`)
      return 1
  }
}

/** Of a member that sees no leader as well: it is its own data. */
async function saveSnapshot(
  { node, run }: NodeRun,
  cluster: HostCluster,
  place: string,
): Promise<number> {
  // What the container of etcd has below its data is the host's.
  await node.host.folder.put(place.replace(/^\//, ''), cluster.snapshot(), 0o600)
  run.out(`Snapshot saved at ${place}`)
  return 0
}

async function listMembers(
  { node, run }: NodeRun,
  cluster: HostCluster,
  { format, isHex }: ReturnType<typeof readFlags>,
): Promise<number> {
  const members = [...cluster.etcd.members.values()]
  if (format === 'json' && isHex) {
    const isOld = minorOf(await node.installedVersion('kubelet')) < firstWithHexMembers
    run.out((isOld ? formerHexList : hexList)(cluster, members))
  } else if (format === 'json') {
    run.out(numberedList(cluster, members))
  } else {
    for (const member of members) run.out(simpleLine(member))
  }
  return 0
}

async function removeMember(
  { node, run, clusters }: NodeRun,
  cluster: HostCluster,
  id: string,
): Promise<number> {
  const { etcd } = cluster
  const member = [...etcd.members.values()].find((one) => hex(one.id) === id.replace(/^0x/, ''))
  try {
    if (member && !member.learner) clusters.acts.losesVoter(cluster, member.id)
    etcd.remove(member?.id ?? 0n)
  } catch (error) {
    if (!(error instanceof EtcdRefused)) throw error
    run.err(`Error: ${error.message}`)
    return 1
  }
  run.out(`Member ${id} removed from cluster ${etcd.id}`)
  await Promise.all(cluster.nodes.map((one) => (one === node ? undefined : one.sync())))
  return 0
}

function readFlags(words: readonly string[]) {
  const valued = [
    '--endpoints',
    '--cacert',
    '--cert',
    '--key',
    '--command-timeout',
    '--write-out',
    '-w',
  ]
  const command: string[] = []
  let format = 'simple'
  let [isHex, isAll] = [false, false]
  for (let at = 0; at < words.length; at++) {
    const [name = '', inline] = (words[at] ?? '').split('=', 2)
    if (valued.includes(name)) {
      const value = inline ?? words[++at] ?? ''
      if (name === '--write-out' || name === '-w') format = value
    } else if (name === '--hex') isHex = true
    else if (name === '--cluster') isAll = true
    else if (!name.startsWith('-')) command.push(name)
  }
  return { command, format, isHex, isAll }
}

function showHealth(
  { node, run }: NodeRun,
  { etcd }: HostCluster,
  { format, isAll }: { readonly format: string; readonly isAll: boolean },
): number {
  const all = [...etcd.members.values()].filter(({ id }) => isAll || etcd.isStarted(id))
  const asked = all.filter(
    ({ hostname }) => hostname !== '' && (isAll || hostname === node.host.name),
  )
  const shown = asked.map(({ id, clientUrl }) => {
    const health = etcd.quorum && etcd.isStarted(id)
    return {
      endpoint: clientUrl,
      health,
      took: health ? '9.3ms' : '10.001s',
      ...(!health && { error: 'context deadline exceeded' }),
    }
  })
  if (format === 'json') run.out(JSON.stringify(shown))
  else {
    for (const { endpoint, health, took } of shown) {
      const line = health
        ? `${endpoint} is healthy: successfully committed proposal: took = ${took}`
        : `${endpoint} is unhealthy: failed to commit proposal: context deadline exceeded`
      run.out(line)
    }
  }
  if (shown.every(({ health }) => health)) return 0
  run.err('Error: unhealthy cluster')
  return 1
}

/** What this member says of itself, whether there is a quorum or not; who leads is left out where nobody does. */
async function showStatus({ node, run }: NodeRun, { etcd }: HostCluster): Promise<number> {
  const id = (await node.memberId()) ?? 0n
  const { leader, members, outOfSpace, database, raft } = etcd
  const errors = [
    ...(leader === undefined ? ['etcdserver: no leader'] : []),
    ...(outOfSpace === undefined ? [] : [`memberID:${outOfSpace} alarm:NOSPACE `]),
  ]
  const header = `{"cluster_id":${BigInt(`0x${etcd.id}`)},"member_id":${id},"raft_term":${raft.term}}`
  const rest = JSON.stringify({
    version: '3.6.6',
    dbSize: Number(database.size),
    dbSizeInUse: Number(database.inUse),
    dbSizeQuota: 2_147_483_648,
    ...(errors.length > 0 && { errors }),
    ...(members.get(id)?.learner && { isLearner: true }),
  })
  const leads = leader === undefined ? '' : `"leader":${leader},`
  const steps = `"raftIndex":${raft.index},"raftTerm":${raft.term},"raftAppliedIndex":${raft.index}`
  run.out(
    `[{"Endpoint":"https://127.0.0.1:2379","Status":{"header":${header},${leads}${steps},${rest.slice(1)}}]`,
  )
  return 0
}

function hex(id: bigint): string {
  return id.toString(16)
}

/** What has never started has neither a name nor addresses for clients. */
function startedFields({ hostname, clientUrl }: EtcdMember) {
  return hostname === '' ? {} : { name: hostname, clientURLs: [clientUrl] }
}

/** etcdctl up to 3.6: no member says there that it learns, and no addresses are `null`. */
function formerHexList({ etcd }: HostCluster, members: readonly EtcdMember[]): string {
  return JSON.stringify({
    header: {
      cluster_id: etcd.id,
      member_id: hex(members[0]?.id ?? 0n),
      raft_term: Number(etcd.raft.term),
    },
    members: members.map((member) => ({
      ID: hex(member.id),
      name: member.hostname,
      peerURLs: [member.peerUrl],
      clientURLs: member.hostname === '' ? null : [member.clientUrl],
    })),
  })
}

function hexList({ etcd }: HostCluster, members: readonly EtcdMember[]): string {
  return JSON.stringify({
    header: {
      cluster_id: etcd.id,
      member_id: hex(members[0]?.id ?? 0n),
      raft_term: Number(etcd.raft.term),
    },
    members: members.map((member) => ({
      ID: hex(member.id),
      ...startedFields(member),
      peerURLs: [member.peerUrl],
      ...(member.learner && { isLearner: true }),
    })),
  })
}

/** Numbers of 64 bits, which not every reader of JSON keeps. */
function numberedList({ etcd }: HostCluster, members: readonly EtcdMember[]): string {
  const items = members.map((member) => {
    const { learner, peerUrl } = member
    const rest = JSON.stringify({
      ...startedFields(member),
      peerURLs: [peerUrl],
      ...(learner && { isLearner: true }),
    })
    return `{"ID":${member.id},${rest.slice(1)}`
  })
  const header = `{"cluster_id":${BigInt(`0x${etcd.id}`)},"raft_term":${etcd.raft.term}}`
  return `{"header":${header},"members":[${items.join(',')}]}`
}

function simpleLine(member: EtcdMember): string {
  const { hostname, peerUrl, clientUrl, learner } = member
  const isStarted = hostname !== ''
  return [
    hex(member.id),
    isStarted ? 'started' : 'unstarted',
    hostname,
    peerUrl,
    isStarted ? clientUrl : '',
    String(learner),
  ].join(', ')
}
