import { kubeVipFile } from '../../kubeadm/config/kubeadm-paths.ts'
import { lastingManifest } from '../../kubeadm/kinds/kube-vip/kube-vip-kind.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { Change } from '../../plan/change.ts'
import { scriptOutput } from '../../run/kubeadm/host-script.ts'
import type { ConfigurationOptions } from './change-configuration.ts'
import { whileRestarting } from './static-pods.ts'
import { waitForControlPlane } from './wait-for-control-plane.ts'

const fileMs = 60_000

/** Gives a control plane another kube-vip, or none. Returns when it runs, and its control plane is healthy. */
export async function changeKubeVip(
  { action, after, before }: Change,
  { hosts, reach, view, context }: ConfigurationOptions,
  progress: PhaseProgress,
): Promise<void> {
  const name = (after ?? before)?.name ?? ''
  if (action === 'delete') {
    await scriptOutput(await hosts.remote(name), {
      title: 'give up the virtual IP',
      text: 'rm -f -- "$1"',
      args: [kubeVipFile],
      withinMs: fileMs,
      isRepeatable: true,
    })
    return
  }
  const look = view.hosts.get(name)
  if (look?.kind !== 'seen') return
  const manifest = lastingManifest(view.spec, hosts.wanted(name), look.host)
  if (manifest === undefined) return
  progress.step(`${name}: writing the manifest of kube-vip`)
  const former = await whileRestarting(name, { hosts, reach }, () =>
    hosts.writeKubeVip(name, manifest),
  )
  await waitForControlPlane(name, { context, reach, progress }, { former })
}
