import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { stringify } from 'yaml'
import type { JsonObject } from '../../../lib/json.ts'
import { objectsAt, textAt } from '../../kubernetes/model/read-json.ts'
import type { EtcdMember } from '../../talos/etcd.ts'
import {
  adminBinding,
  configMap,
  markControlPlane,
  putAddons,
  putObject,
} from './cluster-objects.ts'
import {
  type ControlPlanePlace,
  writeCertificates,
  writeKubeconfigs,
  writeManifests,
} from './control-plane-files.ts'
import { HostCluster } from './host-cluster.ts'
import { makeAuthorities, readAuthority, sharedFiles } from './host-pki.ts'
import { KubeadmRefused } from './kubeadm-file.ts'
import type { KubeadmRun } from './kubeadm-run.ts'
import { writeMemberData } from './member-data.ts'
import { minorOf } from './static-pod.ts'

/** From this minor on kubeadm asks the API server of its own host, and not the endpoint that all share. */
const firstWithLocalInit = 36

/** What of the files is asked for in most of its phases. */
export async function readInitFile(kubeadm: KubeadmRun) {
  const file = await kubeadm.file()
  const init = file.get('InitConfiguration') ?? {}
  const configuration = file.get('ClusterConfiguration') ?? {}
  const registration = init['nodeRegistration']
  const name = textAt(registration, 'name') || kubeadm.node.host.name
  const place: ControlPlanePlace = {
    folder: kubeadm.folder,
    name,
    nodeIp: textAt(init, 'localAPIEndpoint', 'advertiseAddress') || kubeadm.node.nodeIp,
    configuration,
    now: kubeadm.now,
  }
  const version = textAt(configuration, 'kubernetesVersion')
  const kubelet = file.get('KubeletConfiguration') ?? {}
  return {
    init,
    configuration,
    place,
    version,
    kubelet,
    patches: textAt(init, 'patches', 'directory'),
  }
}

/** `kubeadm init --config`: one phase after the other, each of which leaves what a real one would. */
export async function kubeadmInit(kubeadm: KubeadmRun): Promise<void> {
  const { clusters, folder, node } = kubeadm
  const { init, configuration, place, version, kubelet, patches } = await readInitFile(kubeadm)
  kubeadm.print(
    `[init] Using Kubernetes version: ${version}`,
    '[preflight] Running pre-flight checks',
  )
  await requireVersion(kubeadm, version)
  await kubeadm.preflight(true, false)
  await kubeadm.phase('preflight')

  kubeadm.print('[certs] Using certificateDir folder "/etc/kubernetes/pki"')
  if (await makeAuthorities(folder, place.now)) clusters.acts.makesPki(node, clusters.nodes)
  await writeCertificates(place)
  const files = ['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler']
  await writeKubeconfigs(place, files)
  await kubeadm.phase('certs')

  const ca = await readAuthority(folder)
  const cluster = new HostCluster(clusters, {
    configuration,
    version,
    ca,
    firstHost: node.host.name,
  })
  const member = newMember(place.nodeIp)
  cluster.etcd.found(member)
  clusters.add(cluster)
  await writeMemberData(folder, { member: member.id, etcd: cluster.etcd.id })
  await writeManifests(place, { version, patches })
  await kubeadm.phase('control-plane')
  await kubeadm.startKubelet(asObject(init['nodeRegistration']), kubelet, true)
  await kubeadm.phase('kubelet-start')

  kubeadm.print('[wait-control-plane] Waiting for the kubelet to boot up the control plane')
  await node.sync()
  const isUp = node.servesApi()
  const isReached = minorOf(version) >= firstWithLocalInit ? isUp : isUp && cluster.isReachable()
  await kubeadm.phase('wait-control-plane')
  if (!isReached) {
    throw new KubeadmRefused(
      `error execution phase wait-control-plane: failed while waiting for the control plane at ${textAt(configuration, 'controlPlaneEndpoint')}: context deadline exceeded`,
    )
  }

  putObject(cluster, adminBinding)
  uploadConfig(cluster, configuration, kubelet)
  await cluster.reconcile()
  await kubeadm.phase('upload-config')
  if (kubeadm.has('--upload-certs'))
    await uploadCerts(kubeadm, cluster, textAt(init, 'certificateKey'))
  const { taints } = asObject(init['nodeRegistration'])
  markControlPlane(
    cluster,
    place.name,
    Array.isArray(taints) ? objectsAt(init, 'nodeRegistration', 'taints') : undefined,
  )
  await kubeadm.phase('mark-control-plane')

  await putClusterInfo(kubeadm, cluster)
  const tokens = objectsAt(init, 'bootstrapTokens')
  for (const token of tokens.length > 0 ? tokens : [{ token: randomToken(), ttl: '24h0m0s' }]) {
    const minutes = minutesOf(textAt(token, 'ttl'))
    cluster.tokens.create(textAt(token, 'token'), minutes, textAt(token, 'description'))
  }
  await kubeadm.phase('bootstrap-token')
  putAddons(cluster, configuration, version)
  await kubeadm.phase('addons')
  node.hasJoined = true
  kubeadm.print('', 'Your Kubernetes control-plane has initialized successfully!')
}

/** A kubeadm makes nothing that is newer than itself, and nothing of more than a minor before. */
export async function requireVersion(kubeadm: KubeadmRun, version: string): Promise<void> {
  const own = await kubeadm.version()
  const behind = minorOf(own) - minorOf(version)
  if (behind === 0 || behind === 1) return
  throw new KubeadmRefused(
    `this version of kubeadm only supports deploying clusters with the control plane version of its own minor and the one before. Current version: ${own}, wanted: ${version}`,
  )
}

/** What the cluster keeps of its configuration. */
export function uploadConfig(
  cluster: HostCluster,
  configuration: JsonObject,
  kubelet: JsonObject | undefined,
): void {
  const text = stringify(configuration, { lineWidth: 0 })
  putObject(cluster, configMap('kubeadm-config', { ClusterConfiguration: text }))
  if (kubelet !== undefined) uploadKubeletConfig(cluster, kubelet)
}

/** The config that kubelets are given which join. */
export function uploadKubeletConfig(cluster: HostCluster, kubelet: JsonObject): void {
  putObject(cluster, configMap('kubelet-config', { kubelet: stringify(kubelet, { lineWidth: 0 }) }))
}

/** The keys that control planes share, encrypted; the Secret goes with a token that ends after two hours. */
export async function uploadCerts(
  { folder }: KubeadmRun,
  cluster: HostCluster,
  certificateKey: string,
): Promise<void> {
  const key = Buffer.from(certificateKey, 'hex')
  if (key.length !== 32) throw new KubeadmRefused('the certificate key is not 32 bytes in hex')
  const data: Record<string, string> = {}
  for (const [name, path] of Object.entries(sharedFiles)) {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const content = await folder.read(`etc/kubernetes/pki/${path}`)
    const sealed = Buffer.concat([cipher.update(content), cipher.final()])
    data[name] = Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64')
  }
  const token = cluster.tokens.create(
    randomToken(),
    120,
    'Proxy for managing TTL for kubeadm-certs',
  )
  const { name, uid = '' } = token.metadata
  putObject(cluster, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'kubeadm-certs',
      namespace: 'kube-system',
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Secret', name, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    data,
  })
}

async function putClusterInfo({ folder }: KubeadmRun, cluster: HostCluster): Promise<void> {
  const { crt } = await readAuthority(folder)
  const { host, port } = cluster.endpoint
  const kubeconfig = stringify({
    apiVersion: 'v1',
    clusters: [
      {
        cluster: {
          'certificate-authority-data': Buffer.from(crt).toString('base64'),
          server: `https://${host}:${port}`,
        },
        name: '',
      },
    ],
    kind: 'Config',
  })
  putObject(cluster, configMap('cluster-info', { kubeconfig }, 'kube-public'))
}

/** A member of etcd as it is added: nobody knows what it is called. */
export function newMember(nodeIp: string): EtcdMember {
  return {
    id: randomBytes(8).readBigUInt64BE(),
    hostname: '',
    peerUrl: `https://${nodeIp}:2380`,
    clientUrl: `https://${nodeIp}:2379`,
    learner: false,
  }
}

export function randomToken(): string {
  const text = createHash('sha256').update(randomBytes(16)).digest('hex')
  return `${text.slice(0, 6)}.${text.slice(6, 22)}`
}

/** `1h2m3s`, as Go writes it; a day where there is nothing. */
export function minutesOf(ttl: string): number {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(ttl) ?? []
  return ttl === '' ? 24 * 60 : Number(hours) * 60 + Number(minutes) + Number(seconds) / 60
}

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
