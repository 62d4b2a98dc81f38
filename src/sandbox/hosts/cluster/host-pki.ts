import { createPublicKey } from 'node:crypto'
import { stringify } from 'yaml'
import { type CertifiedKey, generateKey, issueKey, writePrivateKey } from '../../pki.ts'
import type { HostFolder } from '../host-folder.ts'

const year = 365 * 86_400_000
const pki = 'etc/kubernetes/pki'

/** Where each authority of a cluster stands on its control planes. */
const authorities = {
  ca: 'kubernetes',
  'front-proxy-ca': 'front-proxy-ca',
  'etcd/ca': 'etcd-ca',
} as const

/** What control planes share, as kubeadm uploads it: names of the Secret, and of the files below the PKI's folder. */
export const sharedFiles: Readonly<Record<string, string>> = {
  'ca.crt': 'ca.crt',
  'ca.key': 'ca.key',
  'etcd-ca.crt': 'etcd/ca.crt',
  'etcd-ca.key': 'etcd/ca.key',
  'front-proxy-ca.crt': 'front-proxy-ca.crt',
  'front-proxy-ca.key': 'front-proxy-ca.key',
  'sa.key': 'sa.key',
  'sa.pub': 'sa.pub',
}

/** Makes the authorities that a host does not have; answers whether that of Kubernetes is a new one. */
export async function makeAuthorities(folder: HostFolder, now: number): Promise<boolean> {
  const isNew = !folder.has(`${pki}/ca.crt`)
  for (const [path, commonName] of Object.entries(authorities)) {
    if (folder.has(`${pki}/${path}.crt`)) continue
    const made = issueKey('p256', { subject: { commonName }, ca: true, lifetimeMs: 10 * year, now })
    await putPair(folder, path, made)
  }
  if (!folder.has(`${pki}/sa.key`)) {
    const key = generateKey('p256')
    const spki = createPublicKey(key).export({ type: 'spki', format: 'pem' })
    await folder.put(`${pki}/sa.key`, writePrivateKey(key), 0o600)
    await folder.put(`${pki}/sa.pub`, spki.toString())
  }
  return isNew
}

export async function readAuthority(
  folder: HostFolder,
  path: keyof typeof authorities = 'ca',
): Promise<CertifiedKey> {
  const [crt, key] = await Promise.all([
    folder.read(`${pki}/${path}.crt`),
    folder.read(`${pki}/${path}.key`),
  ])
  return { crt, key }
}

export interface HostNames {
  readonly name: string
  readonly address: string
  /** Of the API server, as the cluster's configuration and Kubernetes itself have them. */
  readonly sans: readonly string[]
}

/** Every certificate that control planes have of their own. What is there is replaced only where that is asked for. */
export async function makeLeaves(
  folder: HostFolder,
  host: HostNames,
  options: { readonly now: number; readonly renews?: boolean },
): Promise<void> {
  const own = [host.name, 'localhost', host.address, '127.0.0.1']
  const leaves: Readonly<Record<string, Leaf>> = {
    apiserver: {
      by: 'ca',
      commonName: 'kube-apiserver',
      names: [host.name, host.address, ...host.sans],
    },
    'apiserver-kubelet-client': {
      by: 'ca',
      commonName: 'kube-apiserver-kubelet-client',
      organizations: ['kubeadm:cluster-admins'],
    },
    'front-proxy-client': { by: 'front-proxy-ca', commonName: 'front-proxy-client' },
    'apiserver-etcd-client': { by: 'etcd/ca', commonName: 'kube-apiserver-etcd-client' },
    'etcd/server': { by: 'etcd/ca', commonName: host.name, names: own },
    'etcd/peer': { by: 'etcd/ca', commonName: host.name, names: own },
    'etcd/healthcheck-client': { by: 'etcd/ca', commonName: 'kube-etcd-healthcheck-client' },
  }
  for (const [path, leaf] of Object.entries(leaves)) {
    if (!options.renews && folder.has(`${pki}/${path}.crt`)) continue
    const issuer = await readAuthority(folder, leaf.by)
    await putPair(folder, path, issueLeaf(leaf, issuer, options.now))
  }
}

interface Leaf {
  readonly by: keyof typeof authorities
  readonly commonName: string
  readonly organizations?: readonly string[]
  /** Absent: a client's. */
  readonly names?: readonly string[]
}

function issueLeaf({ commonName, organizations, names }: Leaf, issuer: CertifiedKey, now: number) {
  const isAddress = (name: string) => /^[\d.]+$/.test(name)
  const all = [...new Set(names)]
  return issueKey('p256', {
    subject: { commonName, ...(organizations && { organizations }) },
    issuer,
    usages: names === undefined ? ['clientAuth'] : ['serverAuth', 'clientAuth'],
    dnsNames: all.filter((name) => !isAddress(name)),
    ipAddresses: all.filter(isAddress),
    lifetimeMs: year,
    now,
  })
}

async function putPair(
  folder: HostFolder,
  path: string,
  { crt, key }: CertifiedKey,
): Promise<void> {
  await folder.put(`${pki}/${path}.crt`, crt)
  await folder.put(`${pki}/${path}.key`, key, 0o600)
}

/** A user of a cluster, in whose name a kubeconfig speaks. */
export interface KubeconfigUser {
  readonly commonName: string
  readonly organizations?: readonly string[]
}

export interface KubeconfigOptions {
  readonly clusterName: string
  /** `https://…` */
  readonly server: string
  readonly issuer: CertifiedKey
  readonly now: number
  readonly lifetimeMs?: number
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A kubeconfig as kubeadm writes it. */
export function writeKubeconfig(user: KubeconfigUser, options: KubeconfigOptions): string {
  const client = issueClient(user, options)
  return kubeconfigText(user.commonName, options, {
    'client-certificate-data': base64(client.crt),
    'client-key-data': base64(client.key),
  })
}

/** The kubelet's own, which names files that the kubelet renews. */
export async function putKubeletKubeconfig(
  folder: HostFolder,
  name: string,
  options: KubeconfigOptions,
): Promise<void> {
  const user = kubeletUser(name)
  const { crt, key } = issueClient(user, options)
  const path = '/var/lib/kubelet/pki/kubelet-client-current.pem'
  await folder.put(path.slice(1), `${crt}${key}`, 0o600)
  const text = kubeconfigText(user.commonName, options, {
    'client-certificate': path,
    'client-key': path,
  })
  await folder.put('etc/kubernetes/kubelet.conf', text, 0o600)
}

function issueClient(subject: KubeconfigUser, options: KubeconfigOptions): CertifiedKey {
  const { issuer, now, lifetimeMs = year } = options
  return issueKey('p256', { subject, issuer, usages: ['clientAuth'], lifetimeMs, now })
}

function kubeconfigText(
  name: string,
  { clusterName, server, issuer }: KubeconfigOptions,
  credentials: Readonly<Record<string, string>>,
): string {
  const context = `${name}@${clusterName}`
  return stringify(
    {
      apiVersion: 'v1',
      clusters: [
        {
          cluster: { 'certificate-authority-data': base64(issuer.crt), server },
          name: clusterName,
        },
      ],
      contexts: [{ context: { cluster: clusterName, user: name }, name: context }],
      'current-context': context,
      kind: 'Config',
      preferences: {},
      users: [{ name, user: credentials }],
    },
    { lineWidth: 0 },
  )
}

/** The users whose kubeconfigs control planes have, by file; that of the kubelet is each host's own. */
export const kubeconfigUsers: Readonly<Record<string, KubeconfigUser>> = {
  admin: { commonName: 'kubernetes-admin', organizations: ['kubeadm:cluster-admins'] },
  'super-admin': { commonName: 'kubernetes-super-admin', organizations: ['system:masters'] },
  'controller-manager': { commonName: 'system:kube-controller-manager' },
  scheduler: { commonName: 'system:kube-scheduler' },
}

function kubeletUser(name: string): KubeconfigUser {
  return { commonName: `system:node:${name}`, organizations: ['system:nodes'] }
}
