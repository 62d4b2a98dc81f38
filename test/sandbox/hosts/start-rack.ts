import { caCertHashes } from '../../../src/kubeadm/config/ca-cert-hash.ts'
import { initFile } from '../../../src/kubeadm/config/init-configuration.ts'
import {
  controlPlaneJoinFile,
  workerJoinFile,
} from '../../../src/kubeadm/config/join-configuration.ts'
import { type JoinMaterial, mintJoinMaterial } from '../../../src/kubeadm/config/join-material.ts'
import { kubeVipManifest } from '../../../src/kubeadm/config/kube-vip-manifest.ts'
import { createTransport } from '../../../src/kubernetes/api-transport.ts'
import { readKubeconfig } from '../../../src/kubernetes/kubeconfig.ts'
import { clientOver, type KubernetesClient } from '../../../src/kubernetes/kubernetes-client.ts'
import { createClock } from '../../../src/lib/clock.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import { installKubernetes } from '../../../src/sandbox/hosts/ready-host.ts'
import type { HostSpec } from '../../../src/spec/hosts/hosts-spec.ts'
import { dialFrom } from '../../../src/ssh/dial-from.ts'
import { hostNamed, rackSpec } from '../../kubeadm/config/rack.ts'
import { reachHosts } from './reach-hosts.ts'

export interface RackOptions {
  readonly version?: string
  /** The shared address is brought by kube-vip, and not by something before the control planes. */
  readonly hasVirtualIp?: boolean
}

/** Hosts that are ready for kubeadm, and the product's own files for it. Control planes are called `cp-…`. */
export async function startRack(names: readonly string[], options: RackOptions = {}) {
  const { version = '1.35.4', hasVirtualIp = false } = options
  const hosts = await reachHosts({ hosts: names, hasOwnNetwork: true })
  const node = (name: string) => hosts.host(name).node
  const host = (name: string) => hosts.host(name).host
  await Promise.all(names.map((name) => installKubernetes(host(name), { kubernetes: version })))
  const spec = rackSpec(
    [
      'clusterName: rack',
      'hosts:',
      ...names.flatMap((name) => [
        `  - name: ${name}`,
        `    address: ${host(name).address}`,
        `    role: ${name.startsWith('cp') ? 'control-plane' : 'worker'}`,
        `    hostKey: ${hosts.host(name).hostKey}`,
      ]),
      'kubeadm:',
      '  endpoint:',
      ...(hasVirtualIp
        ? ['    virtualIp:', `      address: ${hosts.virtualIp}`]
        : [`    host: ${hosts.balancer}:6443`]),
      'kubernetes:',
      `  version: ${version}`,
      'state:',
      '  recipients:',
      '    - age1ktayav25lhrgzxfwyejyluaq6mwg5ruk43elhc9u0927s5xnzqhs2eg575',
      '    - age17fvfhl8maclzvwq8v9e8hwnpl3705980vasjc9m5hnguv8exdpkqule9w7',
      '',
    ].join('\n'),
  )
  const material = mintJoinMaterial(seededRandom(7))
  const put = (name: string, text: string) => host(name).folder.put('root/kubeadm.yaml', text)
  const kubeadm = (name: string, words: string) =>
    host(name).run(`kubeadm ${words} --config /root/kubeadm.yaml`)
  const hashes = async () => {
    const first = names.find((name) => host(name).folder.has('etc/kubernetes/admin.conf')) ?? ''
    return caCertHashes(await host(first).folder.read('etc/kubernetes/pki/ca.crt'))
  }
  const clients: KubernetesClient[] = []
  return {
    hosts,
    spec,
    host,
    node,
    material,
    async init(name = 'cp-1', given: JoinMaterial = material) {
      await put(name, initFile(spec, hostNamed(spec, name), given))
      return kubeadm(name, 'init --upload-certs')
    },
    async join(name: string, given: Partial<JoinMaterial> = {}) {
      const one: HostSpec = hostNamed(spec, name)
      const all = { ...material, ...given, caCertHashes: await hashes() }
      const isControlPlane = one.role === 'control-plane'
      await put(name, (isControlPlane ? controlPlaneJoinFile : workerJoinFile)(spec, one, all))
      return kubeadm(name, 'join')
    },
    async writeKubeVip(name: string, stage: 'before-init' | 'after') {
      const { endpoint } = spec.kubeadm
      if (endpoint.type !== 'virtualIp') throw new Error('this rack has none')
      const text = kubeVipManifest(endpoint, {
        kubernetesVersion: version,
        interface: 'eth0',
        stage,
      })
      await host(name).folder.put('etc/kubernetes/manifests/kube-vip.yaml', text)
      await host(name).changed()
    },
    /** With the admin's kubeconfig of this host, through the SSH connection to it. */
    async client(name = 'cp-1') {
      const text = await host(name).folder.read('etc/kubernetes/admin.conf')
      const to = { address: node(name).nodeIp, port: 6443 }
      const dial = () => dialFrom(hosts.remote(name), to, 10_000)
      const connection = { ...(await readKubeconfig(text)), dial }
      const options = { clock: createClock(50), random: hosts.world.random, retries: 0 }
      const client = clientOver(createTransport(connection, 10_000), options)
      clients.push(client)
      return client
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close()
      await hosts[Symbol.asyncDispose]()
    },
  }
}
