import type { Programs } from './go-module.ts'
import { accounts, base } from './image-base.ts'
import type { ImageRecipe } from './make-image.ts'
import { folder, link, program, type TreeEntry, text } from './tree-entry.ts'

/** One program that is all there is. */
function single(name: string, from: string, references: readonly string[]): ImageRecipe {
  const path = `usr/local/bin/${name}`
  return {
    name,
    references,
    tree: [...base, ...accounts, program(path, from)],
    entrypoint: [`/${path}`],
  }
}

const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const

/** The images of a version of Kubernetes. */
export function kubernetesImages(
  version: string,
  programs: Programs<(typeof components)[number] | 'kubelet' | 'kube-proxy'>,
  { busybox, nft }: { readonly busybox: string; readonly nft: readonly TreeEntry[] },
): readonly ImageRecipe[] {
  return [
    ...components.map((name) =>
      single(name, programs(name), [`registry.k8s.io/${name}:v${version}`]),
    ),
    kubelet(version, programs('kubelet'), busybox),
    kubeProxy(version, programs('kube-proxy'), nft),
  ]
}

/** Talos runs the kubelet in the mount namespace of this image: mount and its kin come from here. */
function kubelet(version: string, from: string, busybox: string): ImageRecipe {
  const path = 'usr/local/bin/kubelet'
  return {
    name: 'kubelet',
    references: [`ghcr.io/siderolabs/kubelet:v${version}`],
    tree: [
      ...base,
      ...accounts,
      program(path, from),
      program('bin/busybox', busybox),
      ...['cp', 'mount', 'nsenter', 'sh', 'umount'].map((name) => link(`bin/${name}`, 'busybox')),
      // The socket of the runtime is handed in below /run, and looked for below /var/run as well.
      link('var/run', '/run'),
    ],
    entrypoint: [`/${path}`],
  }
}

/** It writes its rules through nft, which is all that it needs in that mode. */
function kubeProxy(version: string, from: string, nft: readonly TreeEntry[]): ImageRecipe {
  const image = single('kube-proxy', from, [`registry.k8s.io/kube-proxy:v${version}`])
  return { ...image, tree: [...image.tree, link('lib64', 'usr/lib64'), ...nft] }
}

/** The same etcd under the tag of each Talos that is played. */
export function etcdImage(etcd: string): ImageRecipe {
  return single('etcd', etcd, ['registry.k8s.io/etcd:v3.6.7', 'registry.k8s.io/etcd:v3.6.9'])
}

/** The same with its client, under the tags of kubeadm: on hosts it is asked in its own container. */
export function kubeadmEtcdImage(etcd: string, etcdctl: string): ImageRecipe {
  const image = single('etcd', etcd, [
    'registry.k8s.io/etcd:3.6.5-0',
    'registry.k8s.io/etcd:3.6.6-0',
  ])
  return {
    ...image,
    name: 'kubeadm-etcd',
    tree: [...image.tree, program('usr/local/bin/etcdctl', etcdctl)],
  }
}

/** As the makers of etcd build it, of the versions that kubeadm has: with the program that makes data of a snapshot. */
export function makersEtcdImage(programs: {
  readonly etcd: string
  readonly etcdctl: string
  readonly etcdutl: string
}): ImageRecipe {
  const { etcd, etcdctl, etcdutl } = programs
  const image = single('etcd', etcd, ['registry.k8s.io/etcd:v3.6.5', 'registry.k8s.io/etcd:v3.6.6'])
  return {
    ...image,
    name: 'makers-etcd',
    tree: [
      ...image.tree,
      program('usr/local/bin/etcdctl', etcdctl),
      program('usr/local/bin/etcdutl', etcdutl),
    ],
  }
}

/** Under the tag of each Talos that is played, and of kubeadm. */
export function corednsImage(coredns: string): ImageRecipe {
  return {
    name: 'coredns',
    references: [
      'registry.k8s.io/coredns/coredns:v1.13.1',
      'registry.k8s.io/coredns/coredns:v1.13.2',
      'registry.k8s.io/coredns/coredns:v1.14.2',
    ],
    tree: [...base, ...accounts, program('coredns', coredns)],
    entrypoint: ['/coredns'],
  }
}

export function pauseImage(pause: string): ImageRecipe {
  return {
    name: 'pause',
    references: ['registry.k8s.io/pause:3.10', 'registry.k8s.io/pause:3.10.1'],
    tree: [program('pause', pause)],
    entrypoint: ['/pause'],
  }
}

const applets =
  'ash awk base64 cat chmod cp cut date dd df echo env false find grep head hostname httpd id ip kill ln ls mkdir mount mv nc nslookup ping printenv ps pwd rm sed seq sh sleep sort tail tar test touch tr true umount uname vi wc wget which xargs yes'

export function busyboxImage(busybox: string): ImageRecipe {
  return {
    name: 'busybox',
    references: ['docker.io/library/busybox:latest', 'docker.io/library/busybox:1.35.0'],
    tree: [
      ...base,
      ...accounts,
      folder('root'),
      program('bin/busybox', busybox),
      ...applets.split(' ').map((name) => link(`bin/${name}`, 'busybox')),
    ],
    entrypoint: [],
  }
}

/** What stands for an installer: nodes in containers pull it and never run it. */
export function installerImage(): ImageRecipe {
  return {
    name: 'installer',
    references: ['installer'],
    tree: [text('usr/install/stand-in', 'The rig exchanges the node instead.\n')],
    entrypoint: ['/bin/installer'],
  }
}
