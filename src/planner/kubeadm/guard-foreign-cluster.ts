import { runningKubernetes } from '../../kubeadm/cluster/found-cluster.ts'
import { strayMembers } from '../../kubeadm/cluster/stray-members.ts'
import { controlPlaneEndpoint } from '../../kubeadm/config/control-plane-endpoint.ts'
import { kubeadmApi, kubernetesFolder } from '../../kubeadm/config/kubeadm-paths.ts'
import type { Finding } from '../../lib/finding.ts'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { parseVersion } from '../../spec/tables/version-matrix.ts'
import { shapeFindings } from './cluster-findings.ts'
import { foundIn } from './found-in-view.ts'
import { guardBeginning } from './guard-beginning.ts'
import { guardFixedConfiguration } from './guard-fixed-configuration.ts'
import { guardForeignNodes } from './guard-foreign-nodes.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'

const uploadConfig =
  'kubeadm init phase upload-config kubeadm --config <the file that the cluster was made with>'

/**
 * What of a cluster that other hands made stands in the way of adopting it, all at once: what of the file contradicts it,
 * with the value that the file should have, and what we could not keep. Pure.
 */
export function guardForeignCluster(view: HostsView): Finding[] {
  const { cluster, unasked } = view
  if (cluster === undefined) {
    return [
      hostsFinding(
        'error',
        `the cluster of these hosts cannot be asked: ${unasked ?? 'no control plane of it answers'}`,
        'Bring its control planes back, so that etcd and the API answer.',
      ),
    ]
  }
  const { configuration } = cluster
  const ofConfiguration =
    configuration === undefined
      ? [
          hostsFinding(
            'error',
            'the cluster has no kubeadm-config in kube-system: nobody knows how kubeadm made it',
            `Write it again on a control plane: ${uploadConfig}.`,
          ),
        ]
      : configurationFindings(view, configuration)
  return [
    ...guardBeginning(view),
    ...ofConfiguration,
    ...guardFixedConfiguration(view),
    ...guardMinor(view),
    ...guardForeignNodes(view),
    ...guardMembers(view),
    ...shapeFindings(view).filter(({ severity }) => severity === 'error'),
  ]
}

/** What is read and written in one place alone, and what the cluster does not say of itself. */
function configurationFindings(view: HostsView, configuration: JsonObject): Finding[] {
  const { apiVersion, certificatesDir, controlPlaneEndpoint: endpoint } = configuration
  const etcd = objectIn(configuration, 'etcd')
  const { dataDir } = objectIn(etcd, 'local')
  const folders = [
    { name: 'certificatesDir', value: certificatesDir, only: `${kubernetesFolder}/pki` },
    { name: 'etcd.local.dataDir', value: dataDir, only: '/var/lib/etcd' },
  ]
  return [
    ...(apiVersion === kubeadmApi
      ? []
      : [
          hostsFinding(
            'error',
            `kubeadm-config is of ${String(apiVersion)}, and ${kubeadmApi} is the one that is read`,
            `Let the kubeadm of the version that runs write it again: kubeadm config migrate, then ${uploadConfig}.`,
          ),
        ]),
    ...(isJsonObject(etcd['external'] ?? null)
      ? [
          hostsFinding(
            'error',
            'the cluster uses an etcd outside of it (etcd.external in kubeadm-config), which is not adopted',
            'Move etcd onto the control planes first, or leave this cluster as it is.',
          ),
        ]
      : []),
    ...folders.flatMap(({ name, value, only }) =>
      value === undefined || value === '' || value === only
        ? []
        : hostsFinding(
            'error',
            `${name} in kubeadm-config is ${String(value)}, and ${only} is the only one that is looked at`,
            'Leave this cluster as it is: its files are where nobody of us looks.',
          ),
    ),
    ...(endpoint === undefined || endpoint === '' ? guardNoEndpoint(view) : []),
  ]
}

/** kubeadm then names the only control plane wherever it would name what all share. */
function guardNoEndpoint({ spec, cluster }: HostsView): Finding[] {
  const addresses = (cluster?.nodes ?? []).flatMap(({ isControlPlane, internalIp }) =>
    isControlPlane && internalIp !== undefined ? [`${internalIp}:6443`] : [],
  )
  const wanted = controlPlaneEndpoint(spec)
  const [only] = addresses
  if (only === undefined || (addresses.length === 1 && wanted === only)) return []
  return [
    hostsFinding(
      'error',
      `the running cluster has no endpoint that its control planes share, and the file has ${wanted}: certificates and every kubeconfig name ${only}`,
      `Write kubeadm.endpoint.host: ${only}; another endpoint takes a new cluster.`,
      ['kubeadm', 'endpoint'],
    ),
  ]
}

/** An upgrade is a button of its own, for a cluster that is ours already. */
function guardMinor(view: HostsView): Finding[] {
  const running = runningKubernetes(foundIn(view))
  const [found, wanted] = [running, view.spec.kubernetes.version].map((text) =>
    parseVersion(text ?? ''),
  )
  if (!found || !wanted || (found.major === wanted.major && found.minor === wanted.minor)) return []
  return [
    {
      severity: 'error',
      path: ['kubernetes', 'version'],
      message: `the running cluster is Kubernetes ${running}, and the file has ${view.spec.kubernetes.version}`,
      hint: `Write ${running}, adopt the cluster, then upgrade.`,
    },
  ]
}

/** Each control plane has its member of etcd, and nobody else has one that answers. */
function guardMembers(view: HostsView): Finding[] {
  const { cluster } = view
  const found = foundIn(view)
  const members = new Set((cluster?.members ?? []).map(({ name }) => name))
  const without = (cluster?.nodes ?? []).flatMap(({ name, isControlPlane }) =>
    isControlPlane && !members.has(name) ? [name] : [],
  )
  const wanted = new Set(view.spec.hosts.map(({ name }) => name))
  // Those that answer are reported with the shape of the cluster.
  const dead = strayMembers(found, wanted).removable
  return [
    ...without.map((name) =>
      hostsFinding(
        'error',
        `the control plane ${name} has no member of etcd under its name`,
        'Look at etcd on it: kubeadm gives each control plane a member that is called as its node.',
      ),
    ),
    ...dead.map(({ id, name }) =>
      hostsFinding(
        'warning',
        `etcd has a member ${name || id} of no host that is known, which does not answer: the next plan takes it out`,
        'Look at that plan before you apply it.',
      ),
    ),
  ]
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value: Json = object[key] ?? null
  return isJsonObject(value) ? value : {}
}
