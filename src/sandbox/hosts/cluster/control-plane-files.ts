import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../../lib/json.ts'
import { cidrHost, parseCidr } from '../../ip-range.ts'
import { objectsAt, textAt, textsAt } from '../../kubernetes/model/read-json.ts'
import type { HostFolder } from '../host-folder.ts'
import {
  kubeconfigUsers,
  makeLeaves,
  putKubeletKubeconfig,
  readAuthority,
  writeKubeconfig,
} from './host-pki.ts'
import { KubeadmRefused } from './kubeadm-file.ts'
import { components, writeManifest } from './static-pod.ts'

/** A control plane as its files are written. */
export interface ControlPlanePlace {
  readonly folder: HostFolder
  readonly name: string
  readonly nodeIp: string
  /** ClusterConfiguration. */
  readonly configuration: JsonObject
  readonly now: number
}

/** Every certificate of its own, where it is missing, or where all are to be new. */
export async function writeCertificates(place: ControlPlanePlace, renews = false): Promise<void> {
  const { folder, name, nodeIp, configuration, now } = place
  const [endpoint = ''] = textAt(configuration, 'controlPlaneEndpoint').split(':')
  const range = parseCidr(textAt(configuration, 'networking', 'serviceSubnet') || '10.96.0.0/12')
  const domain = textAt(configuration, 'networking', 'dnsDomain') || 'cluster.local'
  const sans = [
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    `kubernetes.default.svc.${domain}`,
    ...(range ? [cidrHost(range, 1)] : []),
    ...(endpoint === '' ? [] : [endpoint]),
    ...textsAt(configuration, 'apiServer', 'certSANs'),
  ]
  await makeLeaves(folder, { name, address: nodeIp, sans }, { now, renews })
}

/** The kubeconfigs of a control plane. `super-admin` is the first one's alone. */
export async function writeKubeconfigs(
  { folder, name, nodeIp, configuration, now }: ControlPlanePlace,
  files: readonly string[],
): Promise<void> {
  const issuer = await readAuthority(folder)
  const clusterName = textAt(configuration, 'clusterName') || 'kubernetes'
  const endpoint = textAt(configuration, 'controlPlaneEndpoint') || `${nodeIp}:6443`
  for (const file of files) {
    const isShared = file === 'admin' || file === 'super-admin'
    const server = `https://${isShared ? endpoint : `${nodeIp}:6443`}`
    const options = { clusterName, server, issuer, now }
    if (file === 'kubelet') await putKubeletKubeconfig(folder, name, options)
    const user = kubeconfigUsers[file]
    if (user === undefined) continue
    const text = writeKubeconfig(user, options)
    await folder.put(`etc/kubernetes/${file}.conf`, text, 0o600)
  }
}

/** The manifests of its components, of a version. A patch, or an argument of the file, makes another pod. */
export async function writeManifests(
  place: ControlPlanePlace,
  {
    version,
    patches,
    only,
  }: {
    readonly version: string
    /** Folder of patches, as the host has it. */
    readonly patches: string
    readonly only?: readonly string[]
  },
): Promise<void> {
  const { folder, configuration, nodeIp } = place
  const sections: Readonly<Record<string, readonly string[]>> = {
    etcd: ['etcd', 'local'],
    'kube-apiserver': ['apiServer'],
    'kube-controller-manager': ['controllerManager'],
    'kube-scheduler': ['scheduler'],
  }
  for (const component of only ?? components) {
    const extra = objectsAt(configuration, ...(sections[component] ?? []), 'extraArgs')
    const args = [
      ...(component === 'kube-apiserver' ? [`--advertise-address=${nodeIp}`] : []),
      ...extra.map((arg) => `--${textAt(arg, 'name')}=${textAt(arg, 'value')}`),
      ...(await patchArgs(folder, patches, component)),
    ]
    await writeManifest(folder, component, { version, args })
  }
}

/** Patches are not carried out, and show up in the pod that they change. */
async function patchArgs(folder: HostFolder, path: string, component: string): Promise<string[]> {
  if (path === '') return []
  const place = join(folder.root, path)
  const names = await readdir(place).catch(() => {
    throw new KubeadmRefused(
      `could not list patch files for path "${path}": no such file or directory`,
    )
  })
  const own = names.filter((name) => name.startsWith(component)).sort()
  return Promise.all(
    own.map(async (name) => {
      const digest = createHash('sha256')
        .update(await readFile(join(place, name)))
        .digest('hex')
      return `--patched-by=${digest.slice(0, 16)}`
    }),
  )
}
