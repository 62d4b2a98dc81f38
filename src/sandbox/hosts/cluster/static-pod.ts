import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { isJsonObject, type JsonObject } from '../../../lib/json.ts'
import { objectsAt, textAt } from '../../kubernetes/model/read-json.ts'
import type { HostFolder } from '../host-folder.ts'

/** A pod that the kubelet runs from a file. */
export interface StaticPod {
  readonly name: string
  readonly image: string
  /** Another one is another pod: the kubelet restarts it. */
  readonly digest: string
  readonly spec: JsonObject
}

const manifests = 'etc/kubernetes/manifests'

/** What the kubelet of a host is to run; a file that is no pod is passed over. */
export async function readStaticPods(folder: HostFolder): Promise<Map<string, StaticPod>> {
  const names = await readdir(join(folder.root, manifests)).catch(() => [])
  const pods = await Promise.all(
    names
      .filter((name) => /^[^.].*\.ya?ml$/.test(name))
      .map(async (name) => readStaticPod((await folder.find(`${manifests}/${name}`)) ?? '')),
  )
  return new Map(pods.flatMap((pod) => (pod ? [[pod.name, pod]] : [])))
}

function readStaticPod(text: string): StaticPod | undefined {
  const pod: unknown = readYaml(text)
  if (!isJsonObject(pod) || pod['kind'] !== 'Pod') return undefined
  const [container] = objectsAt(pod, 'spec', 'containers')
  const image = textAt(container, 'image')
  const spec = pod['spec']
  if (image === '' || !isJsonObject(spec)) return undefined
  const digest = createHash('sha256').update(text).digest('hex')
  return { name: textAt(pod, 'metadata', 'name'), image, digest, spec }
}

function readYaml(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** The path on the host that a pod mounts its kubeconfig from. */
export function mountedFile({ spec }: StaticPod, volume: string): string | undefined {
  const found = objectsAt(spec, 'volumes').find((one) => textAt(one, 'name') === volume)
  const path = textAt(found, 'hostPath', 'path')
  return path === '' ? undefined : path
}

/** The value of a variable of a pod's first container. */
export function environmentOf({ spec }: StaticPod, name: string): string {
  const [container] = objectsAt(spec, 'containers')
  const found = objectsAt(container, 'env').find((one) => textAt(one, 'name') === name)
  return textAt(found, 'value')
}

/** etcd by minor of Kubernetes, as kubeadm has it. */
const etcdVersions: Readonly<Record<number, string>> = {
  31: '3.5.24-0',
  32: '3.5.24-0',
  33: '3.5.24-0',
  34: '3.6.5-0',
  35: '3.6.6-0',
  36: '3.6.8-0',
  37: '3.7.0-0',
}

export function minorOf(version: string): number {
  return Number(/^v?1\.(\d+)/.exec(version)?.[1] ?? 0)
}

/** The images of a version of Kubernetes, by the name of what runs from them. */
export function imagesOf(version: string): Readonly<Record<string, string>> {
  const minor = minorOf(version)
  const at = (name: string, tag: string) => `registry.k8s.io/${name}:${tag}`
  return {
    'kube-apiserver': at('kube-apiserver', version),
    'kube-controller-manager': at('kube-controller-manager', version),
    'kube-scheduler': at('kube-scheduler', version),
    'kube-proxy': at('kube-proxy', version),
    coredns: at('coredns/coredns', minor >= 36 ? 'v1.14.2' : 'v1.13.1'),
    pause: at('pause', minor >= 36 ? '3.10.2' : '3.10.1'),
    etcd: at('etcd', etcdVersions[minor] ?? '3.6.6-0'),
  }
}

/** The components of a control plane, in the order in which kubeadm writes them. */
export const components = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler']

/** Writes the manifest of a component, for a version and with arguments that tell one rendering from another. */
export async function writeManifest(
  folder: HostFolder,
  component: string,
  options: { readonly version: string; readonly args: readonly string[] },
): Promise<void> {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: component,
      namespace: 'kube-system',
      labels: { component, tier: 'control-plane' },
    },
    spec: {
      containers: [
        {
          name: component,
          image: imagesOf(options.version)[component] ?? component,
          command: [component, ...options.args],
        },
      ],
      hostNetwork: true,
      priorityClassName: 'system-node-critical',
      volumes: [{ name: 'k8s-certs', hostPath: { path: '/etc/kubernetes/pki' } }],
    },
  }
  await folder.put(`${manifests}/${component}.yaml`, stringify(pod, { lineWidth: 0 }), 0o600)
}
