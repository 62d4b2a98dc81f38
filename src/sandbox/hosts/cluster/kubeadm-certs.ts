import { X509Certificate } from 'node:crypto'
import { parse } from 'yaml'
import { objectsAt, textAt } from '../../kubernetes/model/read-json.ts'
import { clusterOf } from './admin-cluster.ts'
import { writeCertificates, writeKubeconfigs } from './control-plane-files.ts'
import { readAuthority, writeKubeconfig } from './host-pki.ts'
import { KubeadmRefused } from './kubeadm-file.ts'
import { asObject } from './kubeadm-init.ts'
import { clusterConfigurationOf } from './kubeadm-join.ts'
import type { KubeadmRun } from './kubeadm-run.ts'

const leaves = [
  'apiserver',
  'apiserver-etcd-client',
  'apiserver-kubelet-client',
  'etcd/healthcheck-client',
  'etcd/peer',
  'etcd/server',
  'front-proxy-client',
]
const kubeconfigs = ['admin', 'controller-manager', 'scheduler', 'super-admin']

/** `kubeadm certs check-expiration -o json`. */
export async function checkExpiration(kubeadm: KubeadmRun): Promise<void> {
  const { folder, now } = kubeadm
  const shown: { name: string; expirationDate: string; residualTime: number; missing: boolean }[] =
    []
  const show = (name: string, pem: string | undefined) => {
    const end = pem === undefined ? 0 : Date.parse(new X509Certificate(pem).validTo)
    shown.push({
      name,
      expirationDate: new Date(end).toISOString().replace(/\.\d+Z$/, 'Z'),
      residualTime: Math.max(0, Math.floor((end - now) / 1_000)),
      missing: pem === undefined,
    })
  }
  for (const path of leaves)
    show(path.replace('/', '-'), await folder.find(`etc/kubernetes/pki/${path}.crt`))
  for (const name of kubeconfigs) {
    const text = await folder.find(`etc/kubernetes/${name}.conf`)
    const [user] = objectsAt(asObject(parse(text ?? '')), 'users')
    const data = textAt(user, 'user', 'client-certificate-data')
    show(`${name}.conf`, data === '' ? undefined : Buffer.from(data, 'base64').toString('utf8'))
  }
  kubeadm.print(
    JSON.stringify({
      kind: 'CertificateExpirationInfo',
      apiVersion: 'output.kubeadm.k8s.io/v1alpha3',
      certificates: shown,
    }),
  )
}

/** `kubeadm certs renew all`: new files, which what runs does not take up before it is restarted. */
export async function renewCertificates(kubeadm: KubeadmRun): Promise<void> {
  const { folder, node, now } = kubeadm
  const configuration = clusterConfigurationOf(clusterOf(kubeadm))
  const name = await node.nodeName()
  const place = { folder, name, nodeIp: node.nodeIp, configuration, now }
  await writeCertificates(place, true)
  const there = kubeconfigs.filter((file) => folder.has(`etc/kubernetes/${file}.conf`))
  await writeKubeconfigs(place, there)
  kubeadm.print(
    'Done renewing certificates. You must restart the kube-apiserver, kube-controller-manager, kube-scheduler and etcd',
  )
}

const userFlags = ['--client-name', '--org', '--token', '--validity-period']

/** `kubeadm kubeconfig user`: by the keys of the host and its file alone, whether its API answers or not. */
export async function userKubeconfig(kubeadm: KubeadmRun): Promise<void> {
  const { folder, now } = kubeadm
  if (!kubeadm.has('--config')) {
    throw new KubeadmRefused('the kubeadm configuration path cannot be empty')
  }
  const commonName = kubeadm.flag('--client-name')
  if (commonName === undefined) throw new KubeadmRefused('required flag(s) "client-name" not set')
  const configuration = (await kubeadm.file(userFlags)).get('ClusterConfiguration')
  if (!folder.has('etc/kubernetes/pki/ca.key')) {
    throw new KubeadmRefused(
      "couldn't create a kubeconfig; the CA files couldn't be loaded: open /etc/kubernetes/pki/ca.key: no such file or directory",
    )
  }
  const organization = kubeadm.flag('--org')
  const period = kubeadm.flag('--validity-period')
  const text = writeKubeconfig(
    { commonName, ...(organization !== undefined && { organizations: organization.split(',') }) },
    {
      clusterName: textAt(configuration, 'clusterName') || 'kubernetes',
      server: `https://${textAt(configuration, 'controlPlaneEndpoint')}`,
      issuer: await readAuthority(folder),
      now,
      ...(period !== undefined && { lifetimeMs: durationMs(period) }),
    },
  )
  kubeadm.print(text.trimEnd())
}

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000 }

/** `1h30m0s`, as Go has it. */
function durationMs(text: string): number {
  if (!/^(?:\d+[hms])+$/.test(text)) {
    throw new KubeadmRefused(`invalid argument "${text}" for "--validity-period" flag`)
  }
  const parts = [...text.matchAll(/(\d+)([hms])/g)]
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitsMs[unit] ?? 0), 0)
}
