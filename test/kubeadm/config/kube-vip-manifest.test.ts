import { describe, expect, it } from 'vitest'
import { kubeVipManifest } from '../../../src/kubeadm/config/kube-vip-manifest.ts'
import { documentsOf, rackSpec } from './rack.ts'

const { endpoint } = rackSpec().kubeadm

function kubeconfig(kubernetesVersion: string, stage: 'before-init' | 'after') {
  if (endpoint.type !== 'virtualIp') throw new Error('the sample has a virtual IP')
  const text = kubeVipManifest(endpoint, { kubernetesVersion, interface: 'eno1', stage })
  return { text, pod: documentsOf(text).get('Pod') }
}

describe('The manifest of kube-vip', () => {
  it.each([
    ['1.31.14', 'before-init', 'super-admin.conf'],
    ['1.35.4', 'before-init', 'super-admin.conf'],
    ['1.36.0', 'before-init', 'admin.conf'],
    ['1.37.2', 'before-init', 'admin.conf'],
    ['1.31.14', 'after', 'admin.conf'],
    ['1.35.4', 'after', 'admin.conf'],
  ] as const)('of Kubernetes %s, %s, has the rights of %s', (version, stage, file) => {
    const { pod } = kubeconfig(version, stage)
    expect(pod).toMatchObject({
      spec: {
        volumes: [{ hostPath: { path: `/etc/kubernetes/${file}`, type: 'File' } }],
        containers: [{ volumeMounts: [{ mountPath: '/etc/kubernetes/admin.conf' }] }],
      },
    })
  })

  it('has the address, and the interface of its host', () => {
    const { text, pod } = kubeconfig('1.35.4', 'after')
    expect(pod).toMatchObject({
      spec: {
        hostNetwork: true,
        hostAliases: [{ ip: '127.0.0.1', hostnames: ['kubernetes'] }],
        containers: [{ image: 'ghcr.io/kube-vip/kube-vip:v1.2.3', args: ['manager'] }],
      },
    })
    expect(text).toContain('name: "address"\n          value: "192.0.2.10"')
    expect(text).toContain('name: "vip_interface"\n          value: "eno1"')
    expect(text).not.toContain('super-admin')
  })
})
