import { randomBytes } from 'node:crypto'
import { stringify } from 'yaml'
import { caCertHashes } from '../../src/kubeadm/config/ca-cert-hash.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { installKubernetes } from '../../src/sandbox/hosts/ready-host.ts'
import type { HostsCluster } from './hosts-run.ts'

export interface ByHand {
  readonly controlPlanes: readonly string[]
  readonly workers?: readonly string[]
  readonly kubernetes?: string
  /** What their file says in place of the usual. */
  readonly configuration?: JsonObject
  /** What all kubelets share, beside the usual. */
  readonly kubelet?: JsonObject
  /** Arguments of kubelets by host. */
  readonly kubeletArguments?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Names of nodes that are not those of their hosts. */
  readonly nodeNames?: Readonly<Record<string, string>>
}

const kubeadmApi = 'kubeadm.k8s.io/v1beta4'

/**
 * A cluster as a person makes it: packages installed, `kubeadm init` and `kubeadm join` with files of their own, and
 * nothing of ours on the hosts. What kubeadm fills in by itself stands in the file as it would write it.
 */
export async function makeByHand(rack: HostsCluster, made: ByHand): Promise<void> {
  const { controlPlanes, workers = [], kubernetes = '1.35.4' } = made
  const { hosts } = rack
  const [first = ''] = controlPlanes
  const endpoint = `${hosts.balancer}:6443`
  const token = `${randomBytes(3).toString('hex')}.${randomBytes(8).toString('hex')}`
  const certificateKey = randomBytes(32).toString('hex')
  const names = [...controlPlanes, ...workers]
  await Promise.all(
    names.map(async (name) => {
      const { host } = hosts.host(name)
      await host.run('apt-get -y install containerd.io=2.3.7-1')
      await installKubernetes(host, { kubernetes })
    }),
  )
  const kubeadm = async (name: string, words: string, documents: readonly JsonObject[]) => {
    const { host } = hosts.host(name)
    await host.folder.put('root/own.yaml', documents.map((one) => stringify(one)).join('---\n'))
    const { code, stderr } = await host.run(`kubeadm ${words} --config /root/own.yaml`)
    if (code !== 0) throw new Error(`kubeadm ${words} on ${name}: ${stderr}`)
  }
  const registration = (name: string) => ({
    nodeRegistration: {
      name: made.nodeNames?.[name] ?? name,
      kubeletExtraArgs: Object.entries(made.kubeletArguments?.[name] ?? {}).map(
        ([argument, value]) => ({ name: argument, value }),
      ),
    },
  })
  const own = (name: string) => ({
    localAPIEndpoint: { advertiseAddress: hosts.host(name).node.nodeIp, bindPort: 6443 },
  })
  await kubeadm(first, 'init --upload-certs', [
    {
      apiVersion: kubeadmApi,
      kind: 'InitConfiguration',
      bootstrapTokens: [{ token, ttl: '2h0m0s' }],
      certificateKey,
      ...registration(first),
      ...own(first),
    },
    {
      apiVersion: kubeadmApi,
      kind: 'ClusterConfiguration',
      clusterName: 'kubernetes',
      certificatesDir: '/etc/kubernetes/pki',
      imageRepository: 'registry.k8s.io',
      kubernetesVersion: `v${kubernetes}`,
      controlPlaneEndpoint: endpoint,
      networking: {
        podSubnet: '10.244.0.0/16',
        serviceSubnet: '10.96.0.0/12',
        dnsDomain: 'cluster.local',
      },
      etcd: { local: { dataDir: '/var/lib/etcd' } },
      ...made.configuration,
    },
    {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      cgroupDriver: 'systemd',
      rotateCertificates: true,
      ...made.kubelet,
    },
  ])
  const ca = await hosts.host(first).host.folder.read('etc/kubernetes/pki/ca.crt')
  const discovery = {
    bootstrapToken: { token, apiServerEndpoint: endpoint, caCertHashes: [...caCertHashes(ca)] },
  }
  for (const name of names.filter((one) => one !== first)) {
    const isControlPlane = controlPlanes.includes(name)
    await kubeadm(name, 'join', [
      {
        apiVersion: kubeadmApi,
        kind: 'JoinConfiguration',
        discovery,
        ...registration(name),
        ...(isControlPlane && { controlPlane: { certificateKey, ...own(name) } }),
      },
    ])
  }
}
