import { stringify } from 'yaml'
import {
  type CertifiedKey,
  generateKey,
  issueKey,
  writePrivateKey,
} from '../../../src/sandbox/pki.ts'

/** The secrets of one cluster, made by the test itself. */
export interface ClusterSecrets {
  readonly id: string
  readonly os: CertifiedKey
  readonly kubernetes: CertifiedKey
  readonly etcd: CertifiedKey
  readonly aggregator: CertifiedKey
  readonly serviceAccount: string
}

export function createSecrets(id = 'Y2x1c3Rlci1pZA=='): ClusterSecrets {
  const ca = (kind: 'ed25519' | 'p256', organization: string) =>
    issueKey(kind, {
      subject: { organizations: [organization] },
      ca: true,
      usages: ['serverAuth', 'clientAuth'],
      lifetimeMs: 3_650 * 86_400_000,
    })
  return {
    id,
    os: ca('ed25519', 'talos'),
    kubernetes: ca('p256', 'kubernetes'),
    etcd: ca('p256', 'etcd'),
    aggregator: ca('p256', 'front-proxy'),
    serviceAccount: writePrivateKey(generateKey('p256')),
  }
}

/** A client certificate of the cluster for these roles. */
export function createClient(
  { os }: ClusterSecrets,
  roles: string[],
  usages: ('clientAuth' | 'serverAuth')[] = ['clientAuth'],
): CertifiedKey {
  return issueKey('ed25519', { subject: { organizations: roles }, issuer: os, usages })
}

export interface ConfigOptions {
  readonly kubernetes?: string
  readonly hostname?: string
  readonly machine?: Record<string, unknown>
  readonly cluster?: Record<string, unknown>
}

/** A machine config as Talos's own generator writes it for 1.9 to 1.13, with `options` merged in. */
export function createConfig(
  type: 'controlplane' | 'worker',
  secrets: ClusterSecrets,
  options: ConfigOptions = {},
): string {
  const { kubernetes = '1.32.0', hostname } = options
  const controlPlane = type === 'controlplane'
  const pem = ({ crt, key }: CertifiedKey, withKey: boolean) => ({
    crt: base64(crt),
    key: withKey ? base64(key) : '',
  })
  const image = (name: string) => `registry.k8s.io/${name}:v${kubernetes}`
  const document = {
    version: 'v1alpha1',
    debug: false,
    persist: true,
    machine: {
      type,
      token: 'abcdef.0123456789abcdef',
      ca: pem(secrets.os, controlPlane),
      certSANs: ['talos.example.org'],
      kubelet: {
        image: `ghcr.io/siderolabs/kubelet:v${kubernetes}`,
        defaultRuntimeSeccompProfileEnabled: true,
        nodeIP: { validSubnets: ['10.0.64.0/19'] },
      },
      install: { disk: '/dev/sda', image: 'ghcr.io/siderolabs/installer:v1.12.0', wipe: false },
      features: { diskQuotaSupport: true, kubePrism: { enabled: true, port: 7445 } },
      ...(hostname === undefined ? {} : { network: { hostname } }),
      ...options.machine,
    },
    cluster: {
      id: secrets.id,
      secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTAxMjM=',
      controlPlane: { endpoint: 'https://10.0.127.253:6443' },
      clusterName: 'demo',
      network: {
        dnsDomain: 'cluster.local',
        podSubnets: ['10.244.0.0/16'],
        serviceSubnets: ['10.96.0.0/12'],
      },
      token: 'abcdef.0123456789abcdef',
      ca: pem(secrets.kubernetes, controlPlane),
      discovery: { enabled: true, registries: { kubernetes: { disabled: true }, service: {} } },
      ...(controlPlane
        ? {
            secretboxEncryptionSecret: 'c2VjcmV0',
            aggregatorCA: pem(secrets.aggregator, true),
            serviceAccount: { key: base64(secrets.serviceAccount) },
            apiServer: { image: image('kube-apiserver'), certSANs: ['api.example.org'] },
            controllerManager: { image: image('kube-controller-manager') },
            scheduler: { image: image('kube-scheduler') },
            etcd: { ca: pem(secrets.etcd, true), advertisedSubnets: ['10.0.64.0/19'] },
          }
        : {}),
      ...options.cluster,
    },
  }
  return stringify(document, { lineWidth: 0 })
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
