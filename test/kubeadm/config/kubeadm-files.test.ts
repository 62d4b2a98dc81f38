import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { initFile } from '../../../src/kubeadm/config/init-configuration.ts'
import {
  controlPlaneJoinFile,
  workerJoinFile,
} from '../../../src/kubeadm/config/join-configuration.ts'
import { patchFiles } from '../../../src/kubeadm/config/patch-files.ts'
import { renderDocuments } from '../../../src/kubeadm/config/render-documents.ts'
import { resetFile } from '../../../src/kubeadm/config/reset-configuration.ts'
import { upgradeFile } from '../../../src/kubeadm/config/upgrade-configuration.ts'
import { userFile } from '../../../src/kubeadm/config/user-file.ts'
import { hostsFile, hostsFileAnd, hostsFileWith } from '../../spec/hosts/hosts-file.ts'
import { documentsOf, hostNamed, material, rackSpec } from './rack.ts'

const spec = rackSpec()
const discovery = { token: material.token, caCertHashes: [`sha256:${'ab'.repeat(32)}`] }

function init(text = hostsFile, host = 'cp-1') {
  const of = rackSpec(text)
  return documentsOf(initFile(of, hostNamed(of, host), material))
}

describe('The file of kubeadm init', () => {
  it('has the host, the cluster and the kubelets', () => {
    const documents = init()
    expect([...documents.keys()]).toEqual([
      'InitConfiguration',
      'ClusterConfiguration',
      'KubeletConfiguration',
    ])
    expect(documents.get('InitConfiguration')).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      localAPIEndpoint: { advertiseAddress: '192.0.2.11', bindPort: 6443 },
      nodeRegistration: {
        name: 'cp-1',
        kubeletExtraArgs: [{ name: 'node-ip', value: '192.0.2.11' }],
        taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
      },
      certificateKey: material.certificateKey,
    })
    expect(documents.get('ClusterConfiguration')).toMatchObject({
      clusterName: 'rack',
      kubernetesVersion: 'v1.35.4',
      controlPlaneEndpoint: '192.0.2.10:6443',
      networking: { podSubnet: '10.244.0.0/16', serviceSubnet: '10.96.0.0/12' },
      apiServer: { certSANs: ['192.0.2.10'] },
      proxy: { disabled: true },
    })
    expect(documents.get('KubeletConfiguration')).toMatchObject({
      cgroupDriver: 'systemd',
      serverTLSBootstrap: true,
    })
  })

  it('has one token that ends soon, so that kubeadm makes none', () => {
    expect(init().get('InitConfiguration')).toMatchObject({
      bootstrapTokens: [{ token: 'abcdef.0123456789abcdef', ttl: '120m0s' }],
    })
  })

  it('lists no taint where there is none, since no list would mean the default', () => {
    const text = hostsFileWith('kubeadm:\n', 'kubeadm:\n  podsOnControlPlanes: true\n')
    expect(init(text).get('InitConfiguration')).toMatchObject({ nodeRegistration: { taints: [] } })
  })

  it('has the same cluster on every host, whatever differs between them', () => {
    const text = hostsFileWith(
      'kubeadm:\n',
      'kubeadm:\n  patches: [{target: etcd, patch: {a: b}}]\n',
    )
    const [one, other] = ['cp-1', 'cp-2'].map((host) => init(text, host))
    expect(one?.get('ClusterConfiguration')).toEqual(other?.get('ClusterConfiguration'))
    const shared = JSON.stringify(one?.get('ClusterConfiguration'))
    for (const { name, nodeIp } of rackSpec(text).hosts) {
      expect(shared).not.toContain(name)
      expect(shared).not.toContain(nodeIp)
    }
    expect(shared).not.toContain('/etc/kubernetes')
  })

  it('has arguments as a list, OpenID Connect among them, and the file decides last', () => {
    const text = hostsFileWith(
      'version: 1.35.4',
      `version: 1.35.4
  oidc: {issuerUrl: "https://id.example.com", clientId: kubernetes}
  apiServerExtraArgs: {v: "4", audit-log-maxage: "30"}`,
    )
    expect(init(text).get('ClusterConfiguration')).toMatchObject({
      apiServer: {
        extraArgs: [
          { name: 'audit-log-maxage', value: '30' },
          { name: 'oidc-client-id', value: 'kubernetes' },
          { name: 'oidc-issuer-url', value: 'https://id.example.com' },
          { name: 'v', value: '4' },
        ],
      },
    })
  })

  it('leaves kube-proxy to kubeadm where Cilium is not installed', () => {
    expect(init(hostsFileAnd('cni: {type: none}')).get('ClusterConfiguration')).toMatchObject({
      proxy: { disabled: false },
    })
  })

  it('is the same text for the same spec', () => {
    const render = () => initFile(spec, hostNamed(spec, 'cp-1'), material)
    expect(render()).toBe(render())
  })
})

describe('The file of kubeadm join', () => {
  it('gives a worker no key of the control plane', () => {
    const text = workerJoinFile(spec, hostNamed(spec, 'worker-1'), discovery)
    const join = documentsOf(text).get('JoinConfiguration')
    expect(join).toMatchObject({
      discovery: {
        bootstrapToken: {
          token: 'abcdef.0123456789abcdef',
          apiServerEndpoint: '192.0.2.10:6443',
          caCertHashes: discovery.caCertHashes,
        },
      },
      nodeRegistration: { name: 'worker-1', taints: [] },
    })
    expect(join).not.toHaveProperty('controlPlane')
    expect(text).not.toContain(material.certificateKey)
  })

  it('gives a control plane its own address and the key', () => {
    const text = controlPlaneJoinFile(spec, hostNamed(spec, 'cp-2'), { ...discovery, ...material })
    expect(documentsOf(text).get('JoinConfiguration')).toMatchObject({
      controlPlane: {
        localAPIEndpoint: { advertiseAddress: '192.0.2.12', bindPort: 6443 },
        certificateKey: material.certificateKey,
      },
    })
  })

  it('is never made without the hash of an authority', () => {
    const host = hostNamed(spec, 'worker-1')
    expect(() => workerJoinFile(spec, host, { ...discovery, caCertHashes: [] })).toThrow(
      'authority',
    )
  })
})

describe('The other files', () => {
  it('renew certificates and etcd in every upgrade', () => {
    expect(documentsOf(upgradeFile(spec)).get('UpgradeConfiguration')).toMatchObject({
      // Nothing is forced: what kubeadm finds wrong with a jump stops it.
      apply: { kubernetesVersion: 'v1.35.4', certificateRenewal: true, etcdUpgrade: true },
      node: { certificateRenewal: true, etcdUpgrade: true },
    })
    expect(upgradeFile(spec)).not.toContain('force')
  })

  it('reset without a question', () => {
    expect(documentsOf(resetFile()).get('ResetConfiguration')).toMatchObject({ force: true })
  })

  it('have a taint of control planes once, also where the host names it', () => {
    const own = 'taints: [{key: node-role.kubernetes.io/control-plane, effect: NoSchedule}]'
    const text = hostsFileWith('address: 192.0.2.11', `address: 192.0.2.11\n    ${own}`)
    expect(init(text).get('InitConfiguration')).toMatchObject({
      nodeRegistration: {
        taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
      },
    })
  })

  it('name patches so that kubeadm applies them in their order', () => {
    const text = hostsFileWith(
      'kubeadm:\n',
      `kubeadm:
  patches:
    - {target: etcd, patch: {metadata: {annotations: {a: "on"}}}}
    - {target: kube-apiserver, type: json, patch: [{op: remove, path: /a}]}
`,
    )
    expect(patchFiles(rackSpec(text)).map(({ path }) => path)).toEqual([
      '/etc/kubernetes/patches/etcd0000+strategic.yaml',
      '/etc/kubernetes/patches/kube-apiserver0001+json.yaml',
    ])
    expect(init(text).get('InitConfiguration')).toMatchObject({
      patches: { directory: '/etc/kubernetes/patches' },
    })
  })

  it('any text stays a text for a reader of YAML 1.1', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('on', 'yes', '1_000', '0x1f', '1:30', '1e3', '~', 'null', '2026-11-30', '='),
    )
    fc.assert(
      fc.property(text, (value) => {
        const document = documentsOf(renderDocuments([{ kind: 'Text', value }])).get('Text')
        expect(document).toEqual({ kind: 'Text', value })
      }),
      { numRuns: 200 },
    )
  })
})

describe('The file of kubeadm kubeconfig user', () => {
  it('names the endpoint and all that kubeadm would look for, and holds no secret', () => {
    const host = { name: 'cp-1', nodeIp: '192.0.2.11' }
    const text = userFile(spec, host, '1.35.2')
    const documents = documentsOf(text)
    expect([...documents.keys()]).toEqual(['InitConfiguration', 'ClusterConfiguration'])
    expect(documents.get('ClusterConfiguration')).toMatchObject({
      kubernetesVersion: 'v1.35.2',
      controlPlaneEndpoint: '192.0.2.10:6443',
    })
    expect(documents.get('InitConfiguration')).toMatchObject({
      localAPIEndpoint: { advertiseAddress: '192.0.2.11' },
      nodeRegistration: { criSocket: 'unix:///var/run/containerd/containerd.sock' },
    })
    expect(text).not.toMatch(/token|certificateKey/i)
  })
})
