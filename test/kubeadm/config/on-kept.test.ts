import { expect, test } from 'vitest'
import { onKeptConfiguration, onKeptKubelet } from '../../../src/kubeadm/config/on-kept.ts'

const apiVersion = 'kubeadm.k8s.io/v1beta4'
const wanted = {
  apiVersion,
  clusterName: 'rack',
  kubernetesVersion: 'v1.35.4',
  networking: { podSubnet: '10.244.0.0/16' },
  apiServer: { certSANs: ['api.example.com'] },
  controllerManager: {},
  scheduler: { extraArgs: [{ name: 'v', value: '2' }] },
  proxy: { disabled: false },
}

test('what no cluster file can say stays in a configuration, and what it does not name any more goes', () => {
  const kept = {
    apiVersion,
    clusterName: 'kubernetes',
    kubernetesVersion: 'v1.35.2',
    imageRepository: 'registry.example.com',
    networking: { serviceSubnet: '10.96.0.0/12' },
    apiServer: {
      certSANs: ['former.example.com'],
      extraArgs: [{ name: 'audit-log-maxage', value: '7' }],
      extraVolumes: [{ name: 'audit', hostPath: '/var/log', mountPath: '/var/log' }],
    },
    etcd: { local: { extraArgs: [{ name: 'quota-backend-bytes', value: '8' }] } },
  }
  expect(onKeptConfiguration(wanted, kept)).toEqual({
    ...wanted,
    clusterName: 'kubernetes',
    imageRepository: 'registry.example.com',
    networking: kept.networking,
    apiServer: { certSANs: ['api.example.com'], extraVolumes: kept.apiServer.extraVolumes },
    etcd: kept.etcd,
  })
})

test('nothing is taken from a configuration of another version of its format, nor from none', () => {
  const former = { apiVersion: 'kubeadm.k8s.io/v1beta3', imageRepository: 'registry.example.com' }
  expect(onKeptConfiguration(wanted, former)).toEqual(wanted)
  expect(onKeptConfiguration(wanted, undefined)).toEqual(wanted)
})

test('settings of kubelets that the file does not decide stay', () => {
  const own = { cgroupDriver: 'systemd', serverTLSBootstrap: true }
  expect(onKeptKubelet(own, { maxPods: 200, serverTLSBootstrap: false })).toEqual({
    ...own,
    maxPods: 200,
  })
  expect(onKeptKubelet(own, undefined)).toEqual(own)
})
