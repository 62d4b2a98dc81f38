import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { certificateBundle, dynamicProgram, findInTree } from './debian-tree.ts'
import type { Programs } from './go-module.ts'
import { layTree } from './lay-tree.ts'
import { makeArtefact } from './make-artefact.ts'
import { data, folder, link, program, type TreeEntry, text, treeInputs } from './tree-entry.ts'
import type { Workshop } from './workshop.ts'

const beside = ['containerd', 'containerd-shim-runc-v2'] as const
const cniPlugins = ['bridge', 'firewall', 'host-local', 'loopback', 'portmap'] as const

export interface TalosRootParts {
  /** Without v. */
  readonly version: string
  readonly machined: string
  /** What stands beside machined in a node of each version. */
  readonly beside: Programs<(typeof beside)[number] | (typeof cniPlugins)[number]>
  readonly runcWrapper: string
  /** The tree of the unpacked packages. */
  readonly debian: string
}

/** Folders that machined fills, mounts over or expects to be there. */
const folders = [
  '.extra',
  'boot/EFI',
  'dev',
  'etc/cni/net.d',
  'etc/cri/conf.d/hosts',
  'etc/kubernetes/manifests',
  'etc/lvm',
  'mnt',
  'opt/containerd/bin',
  'opt/containerd/lib',
  'proc',
  'root',
  'run',
  'sys',
  'system/state',
  'tmp',
  'usr/lib/firmware',
  'usr/lib/modules',
  'usr/libexec/kubernetes',
  'usr/local/lib/kubelet/credentialproviders',
  'usr/local/sbin',
  'usr/share/spdx',
  'var',
]

/** Files over which machined binds its own. */
const placeholders = [
  'etc/cri/conf.d/01-registries.part',
  'etc/cri/conf.d/20-customization.part',
  'etc/cri/conf.d/base-spec.json',
  'etc/cri/conf.d/cri.toml',
  'etc/extensions.yaml',
  'etc/hostname',
  'etc/hosts',
  'etc/iscsi/initiatorname.iscsi',
  'etc/machine-id',
  'etc/nfsmount.conf',
  'etc/nvme/hostid',
  'etc/nvme/hostnqn',
  'etc/resolv.conf',
  'etc/selinux/targeted/contexts/files/file_contexts',
]

const links: Readonly<Record<string, string>> = {
  bin: 'usr/bin',
  'etc/ca-certificates': '/etc/ssl',
  'etc/localtime': '/usr/share/zoneinfo/Etc/UTC',
  'etc/pki': '/etc/ssl',
  'etc/ssl/certs/ca-certificates': 'ca-certificates.crt',
  lib: 'usr/lib',
  lib64: 'usr/lib64',
  sbin: 'usr/bin',
  'usr/local/share/ca-certificates': '/etc/ssl',
  'usr/sbin': 'bin',
  'usr/share/ca-certificates': '/etc/ssl',
}

/** Other names of the one program that machined is, and of busybox. */
const names = {
  init: ['dashboard', 'poweroff', 'shutdown'],
  busybox: ['cat', 'ls', 'modprobe', 'mount', 'sh', 'umount'],
}

/** Read in the container by machined alone: it then takes the platform `container`. */
const marker = text('usr/etc/in-container', 'true\n')

const nodeFiles = [
  'etc/containerd/config.toml',
  'etc/cri/conf.d/00-base.part',
  'etc/cri/containerd.toml',
  'etc/os-release',
]

/** The root file system of a Talos node that runs in a container: read-only to the node but for its volumes. */
export async function makeTalosRoot(workshop: Workshop, parts: TalosRootParts): Promise<string> {
  const tree = [
    ...folders.map((path) => folder(path)),
    ...placeholders.map((path) => text(path, '')),
    ...Object.entries(links).map(([path, to]) => link(path, to)),
    ...(await programs(workshop, parts)),
    ...(await files(workshop, parts)),
    marker,
  ]
  return makeArtefact(workshop, {
    name: `talos-root-${parts.version}`,
    inputs: treeInputs(tree, workshop.cache),
    make: (draft) => layTree(draft, tree),
  })
}

async function programs(workshop: Workshop, parts: TalosRootParts): Promise<readonly TreeEntry[]> {
  const { debian } = parts
  const busybox = await findInTree(debian, 'bin/busybox', 'usr/bin/busybox')
  const runc = await findInTree(debian, 'usr/sbin/runc', 'usr/bin/runc')
  return [
    program('usr/bin/init', parts.machined),
    ...beside.map((name) => program(`usr/bin/${name}`, parts.beside(name))),
    program('usr/bin/runc', parts.runcWrapper),
    ...(await dynamicProgram(workshop, debian, 'usr/bin/runc.real', runc)),
    program('usr/bin/busybox', busybox),
    ...Object.entries(names).flatMap(([name, others]) =>
      others.map((other) => link(`usr/bin/${other}`, name)),
    ),
    ...cniPlugins.map((name) => program(`opt/cni/bin/${name}`, parts.beside(name))),
  ]
}

async function files(
  { root }: Workshop,
  { version, debian }: TalosRootParts,
): Promise<readonly TreeEntry[]> {
  const own = nodeFiles.map(async (path) => {
    const content = await readFile(join(root, 'rig/node', path), 'utf8')
    return text(path, content.replaceAll('@VERSION@', version))
  })
  return [
    ...(await Promise.all(own)),
    text('etc/ssl/certs/ca-certificates.crt', await certificateBundle(debian)),
    data('usr/share/zoneinfo/Etc/UTC', await findInTree(debian, 'usr/share/zoneinfo/Etc/UTC')),
  ]
}
