import { markFile } from '../../kubeadm/config/kubeadm-paths.ts'
import type { ClusterMark } from '../../kubeadm/host/seen-host.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { writeFile } from '../../ssh/write-file.ts'
import type { Manifest } from '../../store/files/manifest.ts'
import type { StateAnchor } from '../../store/trust/refuse-older.ts'
import type { HostsSession } from './hosts-session.ts'
import { knownHosts } from './known-hosts.ts'
import { writeHostFile } from './write-host-file.ts'

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
  return furthestMark(marks)
}

/** The one that remembers the latest; undefined where there is none. */
export function furthestMark(marks: readonly (ClusterMark | undefined)[]): ClusterMark | undefined {
  return marks.reduce(
    (furthest, mark) => (furthest && !(mark && isFurther(mark, furthest)) ? furthest : mark),
    undefined,
  )
}

/** Of a host that has not left: what one that has remembers is its own affair. */
export function isMark(
  mark: ClusterMark | undefined,
  uid: string | undefined,
): mark is ClusterMark {
  return mark !== undefined && !mark.hasLeft && (uid === undefined || mark.uid === uid)
}

export function isFurther(one: StateAnchor, other: StateAnchor): boolean {
  return one.keyEpoch > other.keyEpoch || one.generation > other.generation
}

/** What a host is given to remember. */
export function markText({ uid, generation, keyEpoch, cluster }: Manifest): string {
  return `${JSON.stringify({ cluster, uid, generation, keyEpoch })}\n`
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
  const content = markText(manifest)
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
    marked.map(async (host): Promise<void> => {
      const remote = await session.hosts.to(host)
      const look = view.hosts.get(host.name)
      const hasOne = look?.kind === 'seen' && look.host.mark !== undefined
      // Before its first mark a host may have no folder of ours.
      if (!hasOne) return writeHostFile(remote, markFile, content, 0o644)
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
