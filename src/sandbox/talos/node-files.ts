import { cgroupFiles } from './cgroup-files.ts'
import { machineServices } from './machine-services.ts'
import type { TalosNode } from './talos-node.ts'

/** Where etcd keeps its database. */
export const databasePath = '/var/lib/etcd/member/snap/db'

/** A file or folder of a node. */
export interface NodeFile {
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** In bytes. */
  readonly size: number
  /** What it holds; undefined for a folder, and for a file of which the simulation knows the size alone. */
  readonly text: string | undefined
}

/** What there is of a node's files here: enough to look around, folders before what is in them. */
export function nodeFiles(node: TalosNode): NodeFile[] {
  const files = new Map<string, NodeFile>()
  for (const file of plainFiles(node)) {
    for (const folder of foldersOf(file.path)) {
      const size = isOfKernel(folder) ? 0 : 4_096
      files.set(folder, { path: folder, kind: 'folder', size, text: undefined })
    }
    files.set(file.path, file)
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function plainFiles(node: TalosNode): NodeFile[] {
  const { machine, version, hostname, configs, etcd } = node
  return [
    text('/proc/sys/kernel/random/boot_id', `${machine.bootId}\n`),
    text('/etc/os-release', `NAME="Talos"\nID=talos\nVERSION_ID=${version.tag}\n`),
    text('/etc/hostname', `${hostname}\n`),
    // The kernel gives its files no size.
    ...cgroupFiles(node).map(([path, content]) => ({ ...text(path, content), size: 0 })),
    ...machineServices(node).map(({ id, message }) => text(`/var/log/${id}.log`, `${message}\n`)),
    ...(configs.persisted === undefined
      ? []
      : [text('/system/state/config.yaml', configs.persisted)]),
    ...(etcd.data === undefined ? [] : [sized(databasePath, 4_194_304)]),
  ]
}

function text(path: string, content: string): NodeFile {
  return { path, kind: 'file', size: Buffer.byteLength(content), text: content }
}

function isOfKernel(folder: string): boolean {
  return folder === '/sys' || folder.startsWith('/sys/')
}

function sized(path: string, size: number): NodeFile {
  return { path, kind: 'file', size, text: undefined }
}

/** `/`, `/var`, `/var/log` for `/var/log/kubelet.log`. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(1, -1)
  return ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)]
}
