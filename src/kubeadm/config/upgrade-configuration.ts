import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { kubeadmApi } from './kubeadm-paths.ts'
import { kubeadmTimeouts } from './kubeadm-timeouts.ts'
import { patchesField } from './patch-files.ts'
import { renderDocuments } from './render-documents.ts'

/**
 * The file of `kubeadm upgrade apply --yes` and `kubeadm upgrade node`. What kubeadm itself refuses stays refused. Both
 * renew all certificates and upgrade etcd: without the latter, those of etcd would end some day.
 */
export function upgradeFile(spec: HostsSpec): string {
  const all = { certificateRenewal: true, etcdUpgrade: true, ...patchesField(spec) }
  return renderDocuments([
    {
      apiVersion: kubeadmApi,
      kind: 'UpgradeConfiguration',
      apply: { kubernetesVersion: `v${spec.kubernetes.version}`, ...all },
      node: all,
      ...kubeadmTimeouts(spec, 'upgrade'),
    },
  ])
}
