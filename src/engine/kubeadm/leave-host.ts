import { purgeScript, resetScript, stopScript } from '../../kubeadm/acts/act-scripts.ts'
import { kubernetesFolder, markFile } from '../../kubeadm/config/kubeadm-paths.ts'
import { resetFile } from '../../kubeadm/config/reset-configuration.ts'
import { lookScript } from '../../kubeadm/host/look-script.ts'
import { readLook } from '../../kubeadm/host/read-look.ts'
import type { KubeadmTraces } from '../../kubeadm/host/seen-host.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { scriptOutput } from '../../run/kubeadm/host-script.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'
import { writeFile } from '../../ssh/write-file.ts'
import { runJob } from './run-job.ts'

/** How a host is left behind. */
export type LeftAs = 'keep' | 'reset' | 'purge'

const askMs = 60_000

interface Leaving {
  /** Of the cluster that it leaves. */
  readonly uid: string
  readonly leftAs: LeftAs
  readonly minutes: number
}

/**
 * What becomes of a host that is none of the cluster any more: `keep` stops its node for good and leaves all files, `reset`
 * undoes what kubeadm did, `purge` removes what we installed too. Then the host forgets whose it was; one whose files stay
 * remembers that they are of a cluster that it has left, so that it may be reset if it comes back. Nothing is done to a
 * machine that does not carry the mark of this cluster: it has left already, or is another one under a former name.
 */
export async function leaveHost(
  remote: RemoteHost,
  { uid, leftAs, minutes }: Leaving,
): Promise<void> {
  const { mark } = await look(remote)
  if (mark?.uid !== uid || mark.hasLeft) return
  if (leftAs === 'keep') {
    await runJob(remote, { name: 'stop-node', title: 'stop its node', script: stopScript, minutes })
    const content = `${JSON.stringify({ ...mark, hasLeft: true })}\n`
    await writeFile(remote, { path: markFile, content, mode: 0o644, withinMs: askMs })
    return
  }
  await resetHost(remote, minutes)
  if (leftAs === 'purge') {
    const title = 'remove what was installed'
    await runJob(remote, { name: 'purge', title, script: purgeScript, minutes })
  }
  await scriptOutput(remote, {
    title: 'forget the cluster',
    text: 'rm -f -- "$1"',
    args: [markFile],
    withinMs: askMs,
    isRepeatable: true,
  })
}

/**
 * Takes a host back to what it was before kubeadm. Its exit code proves nothing: that nothing is left is looked at. Throws
 * `script-failed` with what is.
 */
export async function resetHost(remote: RemoteHost, minutes: number): Promise<void> {
  await runJob(remote, {
    name: 'kubeadm-reset',
    title: 'reset the host',
    script: resetScript,
    args: [resetFile()],
    minutes,
  })
  const { traces } = await look(remote)
  const left = leftTraces(traces)
  if (left.length === 0) return
  throw new ClusterError('script-failed', `${remote.host.name} was reset, and is not clean`, {
    operation: 'reset the host',
    target: remote.host.name,
    evidence: left.map((path) => `${path} is there`),
    hint: 'Remove on the host what is listed above, then run again.',
  })
}

/** What is on a host now, but for its clock. */
async function look(remote: RemoteHost) {
  const printed = await scriptOutput(remote, {
    title: 'look at the host',
    text: lookScript,
    args: [''],
    withinMs: askMs,
    isRepeatable: true,
  })
  return readLook(printed, { from: 0, to: 0 })
}

/** What kubeadm left of a cluster, as paths; none on a host that is none of any. */
export function leftTraces(traces: KubeadmTraces): string[] {
  return [
    ...(traces.caHash === undefined ? [] : [`${kubernetesFolder}/pki`]),
    ...(traces.hasAdminConf ? [`${kubernetesFolder}/admin.conf`] : []),
    ...(traces.hasKubeletConf ? [`${kubernetesFolder}/kubelet.conf`] : []),
    ...(traces.hasEtcdData ? ['/var/lib/etcd/member'] : []),
  ]
}
