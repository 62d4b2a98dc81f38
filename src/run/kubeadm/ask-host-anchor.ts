import { markFile } from '../../kubeadm/config/kubeadm-paths.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { writeFile } from '../../ssh/write-file.ts'
import type { Generation } from '../../store/generation.ts'
import type { AnchorAnswer, ReadCluster } from '../mode/machine-provider.ts'
import type { RunContext } from '../run-context.ts'
import { askMarks, lacksKeys } from './ask-marks.ts'
import { furthestMark, isFurther, isMark, markText } from './cluster-marks.ts'
import { connectHosts } from './connect-hosts.ts'
import type { HostConnections } from './host-connections.ts'
import { knownHosts } from './known-hosts.ts'
import { refuseMarkedHosts } from './refuse-unknown-cluster.ts'

/** How long a host may take to let a run in that asks it for one thing, in milliseconds. */
const connectMs = 30_000
const writeMs = 60_000

/**
 * Asks the hosts of the file and of the state how far the state has come. A run that has no key for them did not ask; one
 * that has, and that no host answers, ends with that: it is not the same as no answer. Throws what reaching hosts throws.
 */
export async function askHostAnchor(
  context: RunContext,
  cluster: ReadCluster<HostsSpec>,
  { manifest, inventory }: Generation,
): Promise<AnchorAnswer> {
  await using hosts = reach(context, cluster.file.path)
  const asked = await askMarks(hosts, knownHosts(cluster.spec, inventory))
  if (lacksKeys(asked)) return { kind: 'not asked' }
  const [failure] = asked.silent.values()
  if (asked.marks.size === 0 && failure) throw failure
  const own = [...asked.marks.values()].filter((mark) => isMark(mark, manifest.uid))
  return { kind: 'answered', anchor: furthestMark(own) }
}

/** Throws `state-missing` where a host that this run can ask is of a cluster of this name, of which the branch has nothing. */
export async function refuseLostHosts(
  context: RunContext,
  { file, spec }: ReadCluster<HostsSpec>,
): Promise<void> {
  await using hosts = reach(context, file.path)
  const { marks } = await askMarks(hosts, knownHosts(spec, undefined))
  const marked = [...marks].flatMap(([name, mark]) =>
    mark?.cluster === spec.clusterName && !mark.hasLeft ? [name] : [],
  )
  refuseMarkedHosts(spec, marked)
}

/**
 * Lets the hosts of a state remember how far it has come, for a step that has no cluster file: by the logins that the
 * state records, of which a key file is looked for from where the step runs. Never back, and only on hosts that are marked
 * as ones of this cluster. Without a key for them nothing is done. Throws what the hosts throw where none of them answers.
 */
export async function anchorOnHosts(
  context: RunContext,
  { manifest, inventory }: Generation,
): Promise<void> {
  await using hosts = reach(context, 'cluster.yaml')
  const known = knownHosts({ hosts: [] }, inventory)
  const asked = await askMarks(hosts, known)
  if (lacksKeys(asked)) return
  const [failure] = asked.silent.values()
  if (asked.marks.size === 0 && failure) throw failure
  const behind = known.filter(({ name }) => {
    const mark = asked.marks.get(name)
    return isMark(mark, manifest.uid) && isFurther(manifest, mark)
  })
  await Promise.all(
    behind.map(async (host) => {
      const file = { path: markFile, content: markText(manifest), mode: 0o644, withinMs: writeMs }
      await writeFile(await hosts.to(host), file)
    }),
  )
}

/** Named secrets are not opened for that: a login that takes one cannot be used. */
function reach(context: RunContext, filePath: string): HostConnections {
  const namedSecrets = async () => new Map<string, string>()
  return connectHosts(context, { filePath, namedSecrets, withinMs: connectMs })
}
