import { mkdir, readdir, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { shownControllersFile } from '../bed/host-debs.ts'

/** Where systemd puts version 2 on a machine whose controllers are those of version 1. */
const unified = '/sys/fs/cgroup/unified'

/** What Kubernetes asks for; none of them limits anything on such a machine. */
const shownControllers = 'cpuset cpu io memory hugetlb pids rdma\n'

/** Whether this machine can give hosts cgroups that limit. */
export async function hasControllers(): Promise<boolean> {
  return stat(unified).then(
    () => false,
    () => true,
  )
}

/**
 * Every host has cgroups of version 2, since Kubernetes takes no others. Where the machine has version 1 these are real,
 * but their controllers belong to version 1 and cannot be had: runc's wrapper leaves limits away, and kubeadm, which asks
 * for them before it does anything, is shown a list. Returns the tree of a host on such a machine.
 */
export async function makeHostCgroups(group: string): Promise<string | undefined> {
  if (await hasControllers()) return undefined
  const tree = join(unified, group)
  await mkdir(tree, { recursive: true })
  return tree
}

/** What a cgroup of version 1 gets of processors beside others, if nobody says otherwise. */
const sharesOfOne = 1_024

/**
 * Gives hosts as many shares of the processors as they are machines. Their cgroups lie in one, which has one share beside
 * everything else that the machine does, and members of etcd that get no time to answer look as if they were gone.
 */
export async function shareProcessors(group: string, hosts: number): Promise<void> {
  if (await hasControllers()) return
  const cgroup = join('/sys/fs/cgroup/cpu', group)
  // The first host would make it, some time after it was started.
  await mkdir(cgroup, { recursive: true })
  await writeFile(join(cgroup, 'cpu.shares'), `${hosts * sharesOfOne}`)
}

/** Lays the list of controllers that kubeadm is shown, where there are none. */
export async function layShownControllers(root: string): Promise<void> {
  if (await hasControllers()) return
  const path = join(root, shownControllersFile)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, shownControllers)
}

/** Removes what a host that is off has left of cgroups. */
export async function removeHostCgroups(tree: string): Promise<void> {
  const entries = await readdir(tree, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (entry.isDirectory()) await removeHostCgroups(join(tree, entry.name))
  }
  await rmdir(tree).catch(() => {})
}
