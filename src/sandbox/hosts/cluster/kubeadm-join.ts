import { createDecipheriv, createHash } from 'node:crypto'
import { parse } from 'yaml'
import type { JsonObject } from '../../../lib/json.ts'
import { isTrue } from '../../kubernetes/controllers/conditions.ts'
import { objectsAt, textAt, textsAt } from '../../kubernetes/model/read-json.ts'
import { EtcdRefused } from '../../talos/etcd.ts'
import { markControlPlane } from './cluster-objects.ts'
import {
  type ControlPlanePlace,
  writeCertificates,
  writeKubeconfigs,
  writeManifests,
} from './control-plane-files.ts'
import type { HostCluster } from './host-cluster.ts'
import { putKubeletKubeconfig, sharedFiles } from './host-pki.ts'
import { KubeadmRefused } from './kubeadm-file.ts'
import { asObject, newMember, requireVersion } from './kubeadm-init.ts'
import type { KubeadmRun } from './kubeadm-run.ts'
import { writeMemberData } from './member-data.ts'

/** `kubeadm join --config`, of a worker or of a further control plane. */
export async function kubeadmJoin(kubeadm: KubeadmRun): Promise<void> {
  const file = await kubeadm.file()
  const join = file.get('JoinConfiguration')
  if (join === undefined)
    throw new KubeadmRefused('no InitConfiguration or JoinConfiguration kind was found')
  const { controlPlane } = join
  kubeadm.print('[preflight] Running pre-flight checks')
  await kubeadm.preflight(controlPlane !== undefined, true)
  await kubeadm.phase('preflight')
  const cluster = discover(kubeadm, join)
  const name = textAt(join, 'nodeRegistration', 'name') || kubeadm.node.host.name
  const former = cluster.kubernetes.context.store.get('nodes', name)
  if (former && isTrue(former, 'Ready')) {
    throw new KubeadmRefused(
      `error execution phase kubelet-start: a Node with name "${name}" and status "Ready" already exists in the cluster`,
    )
  }
  if (controlPlane === undefined) await joinWorker(kubeadm, cluster, join, name)
  else await joinControlPlane(kubeadm, cluster, join, name)
  kubeadm.node.hasJoined = true
  kubeadm.print('', 'This node has joined the cluster.')
}

/** The cluster behind an endpoint, as far as its signature and its authority show that it is the one. */
function discover({ clusters }: KubeadmRun, join: JsonObject): HostCluster {
  const found = (path: string) => textAt(join, 'discovery', 'bootstrapToken', path)
  const endpoint = found('apiServerEndpoint')
  const [host = ''] = endpoint.split(':')
  const cluster = clusters.all.find(
    (one) => one.endpoint.host === host || one.nodes.some(({ nodeIp }) => nodeIp === host),
  )
  const fail = (reason: string) =>
    new KubeadmRefused(
      `error execution phase preflight: couldn't validate the identity of the API Server: ${reason}`,
    )
  if (!cluster?.isAvailable || (cluster.endpoint.host === host && !cluster.isReachable())) {
    throw fail(
      `Get "https://${endpoint}/api/v1/namespaces/kube-public/configmaps/cluster-info?timeout=10s": dial tcp ${endpoint}: connect: connection refused`,
    )
  }
  const refusal = cluster.tokens.refusal(found('token'))
  if (refusal !== undefined) throw fail(refusal)
  const pinned = textsAt(join, 'discovery', 'bootstrapToken', 'caCertHashes')
  const spki = Buffer.from(cluster.authority, 'base64')
  const own = `sha256:${createHash('sha256').update(spki).digest('hex')}`
  if (!pinned.includes(own)) {
    throw fail(
      'cluster CA found in cluster-info ConfigMap is invalid: none of the public keys are pinned',
    )
  }
  return cluster
}

async function joinWorker(
  kubeadm: KubeadmRun,
  cluster: HostCluster,
  join: JsonObject,
  name: string,
): Promise<void> {
  const { folder, now, node } = kubeadm
  const { ca } = cluster
  await folder.put('etc/kubernetes/pki/ca.crt', ca.crt)
  const { host, port } = cluster.endpoint
  const server = `https://${host}:${port}`
  const options = { clusterName: cluster.name, server, issuer: ca, now }
  await putKubeletKubeconfig(folder, name, options)
  await kubeadm.startKubelet(asObject(join['nodeRegistration']), kubeletConfigOf(cluster), false)
  await kubeadm.phase('kubelet-start')
  await node.sync()
}

async function joinControlPlane(
  kubeadm: KubeadmRun,
  cluster: HostCluster,
  join: JsonObject,
  name: string,
): Promise<void> {
  const { folder, node, clusters } = kubeadm
  const nodeIp = textAt(join, 'controlPlane', 'localAPIEndpoint', 'advertiseAddress') || node.nodeIp
  const configuration = clusterConfigurationOf(cluster)
  const version = textAt(configuration, 'kubernetesVersion')
  await requireVersion(kubeadm, version)
  clusters.acts.joins(cluster, name)
  cluster.joining.add(name)
  try {
    await downloadCerts(kubeadm, cluster, textAt(join, 'controlPlane', 'certificateKey'))
    const place: ControlPlanePlace = { folder, name, nodeIp, configuration, now: kubeadm.now }
    await writeCertificates(place)
    await writeKubeconfigs(place, ['admin', 'controller-manager', 'scheduler', 'kubelet'])
    await kubeadm.phase('certs')
    const patches = textAt(join, 'patches', 'directory')
    const only = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']
    await writeManifests(place, { version, patches, only })
    await kubeadm.phase('control-plane')
    await kubeadm.startKubelet(asObject(join['nodeRegistration']), kubeletConfigOf(cluster), true)
    await kubeadm.phase('kubelet-start')
    await joinEtcd(kubeadm, cluster, place, patches)
    await cluster.reconcile()
    await kubeadm.phase('wait-control-plane')
    const registration = asObject(join['nodeRegistration'])
    const taints = Array.isArray(registration['taints'])
      ? objectsAt(registration, 'taints')
      : undefined
    markControlPlane(cluster, name, taints)
    await kubeadm.phase('mark-control-plane')
  } finally {
    cluster.joining.delete(name)
  }
}

/** The member is a learner first, which has no vote; it gets one once it has caught up. */
async function joinEtcd(
  kubeadm: KubeadmRun,
  cluster: HostCluster,
  place: ControlPlanePlace,
  patches: string,
): Promise<void> {
  const { folder, node } = kubeadm
  const member = newMember(place.nodeIp)
  try {
    cluster.etcd.addLearner(member)
  } catch (error) {
    if (!(error instanceof EtcdRefused)) throw error
    throw new KubeadmRefused(
      `error execution phase etcd-join: error creating local etcd static pod manifest file: ${error.message}`,
    )
  }
  kubeadm.print('[etcd] Announced new etcd member joining to the existing etcd cluster')
  await kubeadm.phase('etcd-learner')
  await writeMemberData(folder, { member: member.id, etcd: cluster.etcd.id })
  const version = textAt(place.configuration, 'kubernetesVersion')
  await writeManifests(place, { version, patches, only: ['etcd'] })
  await node.sync()
  if (!cluster.etcd.isStarted(member.id)) throw new KubeadmRefused('etcd did not start')
  cluster.etcd.promote(member.id)
  await kubeadm.phase('etcd-join')
}

async function downloadCerts(
  { folder }: KubeadmRun,
  cluster: HostCluster,
  certificateKey: string,
): Promise<void> {
  const secret = cluster.kubernetes.context.store.get('secrets', 'kube-system/kubeadm-certs')
  const fail = (reason: string) =>
    new KubeadmRefused(`error execution phase control-plane-prepare/download-certs: ${reason}`)
  if (secret === undefined) {
    throw fail(
      'error downloading certs: secrets "kubeadm-certs" not found in the "kube-system" Namespace',
    )
  }
  const key = Buffer.from(certificateKey, 'hex')
  if (key.length !== 32) throw fail('the certificate key is not 32 bytes in hex')
  for (const [name, path] of Object.entries(sharedFiles)) {
    const sealed = Buffer.from(textAt(secret, 'data', name), 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(-16))
    const content = open(decipher, sealed.subarray(12, -16))
    if (content === undefined) throw fail('cipher: message authentication failed')
    await folder.put(`etc/kubernetes/pki/${path}`, content, name.endsWith('.crt') ? 0o644 : 0o600)
  }
}

function open(decipher: ReturnType<typeof createDecipheriv>, sealed: Buffer): Buffer | undefined {
  try {
    return Buffer.concat([decipher.update(sealed), decipher.final()])
  } catch {
    return undefined
  }
}

/** What the cluster keeps of its configuration. */
export function clusterConfigurationOf(cluster: HostCluster): JsonObject {
  const { store } = cluster.kubernetes.context
  const live = store.get('configmaps', 'kube-system/kubeadm-config')
  if (live === undefined) {
    throw new KubeadmRefused(
      'unable to fetch the kubeadm-config ConfigMap: configmaps "kubeadm-config" not found',
    )
  }
  return asObject(parse(textAt(live, 'data', 'ClusterConfiguration')))
}

export function kubeletConfigOf(cluster: HostCluster): JsonObject {
  const { store } = cluster.kubernetes.context
  const live = store.get('configmaps', 'kube-system/kubelet-config')
  return asObject(parse(textAt(live, 'data', 'kubelet') || '{}'))
}
