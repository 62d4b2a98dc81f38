import type { SimHost } from './sim-host.ts'

export interface InstalledVersions {
  /** Of Kubernetes, without v. */
  readonly kubernetes: string
  /** Of containerd, without v; 2.3.7 where absent. */
  readonly containerd?: string
}

/**
 * Makes a bare host ready for kubeadm by hand, as far as kubeadm asks: what a run that prepares hosts leaves on them is
 * more.
 */
export async function installKubernetes(
  host: SimHost,
  { kubernetes, containerd = '2.3.7' }: InstalledVersions,
): Promise<void> {
  const { folder } = host
  const { put } = folder
  for (const name of ['kubeadm', 'kubelet', 'kubectl']) {
    await put(`state/packages/${name}`, `${kubernetes}-1.1\n`)
  }
  await put('state/packages/containerd.io', `${containerd}-1.1\n`)
  for (const name of ['kubeadm', 'kubelet', 'crictl']) {
    await put(`bin/${name}`, await folder.read(`programs/${name}`), 0o755)
  }
  for (const name of ['containerd', 'kubelet']) await put(`state/enabled/${name}`, '')
  await put('etc/fstab', '')
  await folder.remove('state/swap-units/dev-sda2.swap')
  await put('swaps', 'Filename Type Size Used Priority\n')
  await put('proc/sys/net/ipv4/ip_forward', '1\n')
  await put('etc/sysctl.d/90-forward.conf', 'net.ipv4.ip_forward = 1\n')
  await put('state/started/containerd', '1\n')
  await host.changeUnit('start', 'containerd')
}
