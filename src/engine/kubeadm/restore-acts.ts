import {
  fetchToolScript,
  stopControlPlaneScript,
  wipeEtcdScript,
} from '../../kubeadm/acts/etcd-scripts.ts'
import { scriptOutput } from '../../run/kubeadm/host-script.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'
import type { SeenEtcd } from './etcd-source.ts'

const stopMs = 5 * 60_000
const actMs = 2 * 60_000
/** An image may have to be pulled for it. */
const toolMs = 10 * 60_000

/** Does something on all of these hosts at once. */
export async function onAll(
  hosts: readonly SeenEtcd[],
  work: (remote: RemoteHost) => Promise<void>,
): Promise<void> {
  await Promise.all(hosts.map(({ remote }) => work(remote)))
}

export async function stopControlPlane(remote: RemoteHost): Promise<void> {
  await act(remote, 'stop its control plane', stopControlPlaneScript, stopMs)
}

export async function wipeEtcd(remote: RemoteHost): Promise<void> {
  await act(remote, 'wipe the data of etcd', wipeEtcdScript, stopMs)
}

/** Returns where it came from. Throws `script-failed` where it is nowhere: nothing was stopped then. */
export async function fetchTool(remote: RemoteHost): Promise<string> {
  const printed = await scriptOutput(remote, {
    title: 'find etcdutl, which restores snapshots',
    text: fetchToolScript,
    withinMs: toolMs,
    isRepeatable: true,
    hint: 'Install etcdutl of the version of its etcd on this host (/usr/local/bin/etcdutl, out of the release of etcd), then run again.',
  })
  return printed.trim()
}

/** Does something short on a host that may be done again. */
export async function act(
  remote: RemoteHost,
  title: string,
  text: string,
  withinMs: number = actMs,
): Promise<void> {
  await scriptOutput(remote, { title, text, withinMs, isRepeatable: true })
}
