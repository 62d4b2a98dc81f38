import { markFile } from '../../kubeadm/config/kubeadm-paths.ts'
import type { ClusterMark } from '../../kubeadm/host/seen-host.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { writeFile } from '../../ssh/write-file.ts'
import type { Manifest } from '../../store/files/manifest.ts'
import type { StateAnchor } from '../../store/trust/refuse-older.ts'
import type { HostsSession } from './hosts-session.ts'
import { knownHosts } from './known-hosts.ts'

const writeMs = 60_000

/** How far the state has come, as the hosts of the cluster remember it: the furthest of them. */
export function anchorInMarks({
  hosts,
  generation,
}: Pick<HostsView, 'hosts' | 'generation'>): StateAnchor | undefined {
  const uid = generation?.inventory.uid
  const marks = [...hosts.values()].flatMap((look) =>
    look.kind === 'seen' && isMark(look.host.mark, uid) ? [look.host.mark] : [],
  )
  return marks.reduce<ClusterMark | undefined>(
    (furthest, mark) => (furthest && !isFurther(mark, furthest) ? furthest : mark),
    undefined,
  )
}

/** Of a host that has not left: what one that has remembers is its own affair. */
function isMark(mark: ClusterMark | undefined, uid: string | undefined): mark is ClusterMark {
  return mark !== undefined && !mark.hasLeft && (uid === undefined || mark.uid === uid)
}

function isFurther(one: ClusterMark, other: ClusterMark): boolean {
  return one.keyEpoch > other.keyEpoch || one.generation > other.generation
}

/**
 * Lets every host of the cluster that is reached remember how far the state has come. One that is off remembers an older
 * one, and the others are enough. Throws what writing on the last of them threw where none took it.
 */
export async function writeMarks(
  session: HostsSession,
  view: Pick<HostsView, 'hosts'>,
  manifest: Manifest,
): Promise<void> {
  const { uid, generation, keyEpoch, cluster } = manifest
  const content = `${JSON.stringify({ cluster, uid, generation, keyEpoch })}\n`
  const { inventory } = session.store.known ?? {}
  const members = new Set(
    (inventory?.nodes ?? []).flatMap(({ name, host }) =>
      host?.membership === 'member' ? [name] : [],
    ),
  )
  const marked = knownHosts(session.spec, inventory).filter(
    ({ name }) => members.has(name) && view.hosts.get(name)?.kind === 'seen',
  )
  const results = await Promise.allSettled(
    marked.map(async (host) => {
      const remote = await session.hosts.to(host)
      await writeFile(remote, { path: markFile, content, mode: 0o644, withinMs: writeMs })
    }),
  )
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  )
  const [first] = failures
  if (failures.length < marked.length || first === undefined) return
  throw first instanceof Error ? first : new ClusterError('ssh-failed', String(first))
}
