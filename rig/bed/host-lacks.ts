import { type HostFacts, neededPrograms } from './host-facts.ts'

const gibibyte = 1024 ** 3

/** Bits of the capabilities without which root is not root enough. */
const capabilities: Readonly<Record<string, bigint>> = {
  CAP_NET_ADMIN: 12n,
  CAP_NET_RAW: 13n,
  CAP_SYS_CHROOT: 18n,
  CAP_SYS_PTRACE: 19n,
  CAP_SYS_ADMIN: 21n,
  CAP_MKNOD: 27n,
}

const namespaces = ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'uts']

/** As rig/talos-1.13/go.mod says. */
const oldestGo = [1, 26, 1] as const

/** A node of each kind in use takes about this much; see docs/testing.md. */
const leastMemory = 4 * gibibyte
const leastWork = 4 * gibibyte
/** The compiler's own cache included. */
const leastCache = 14 * gibibyte

/** Everything that a machine lacks for real nodes, one sentence each with what to do; empty where it has all. */
export function hostLacks(host: HostFacts): readonly string[] {
  if (host.platform !== 'linux' || host.architecture !== 'x64') {
    return [`It is ${host.platform} on ${host.architecture}: real nodes need Linux on x86-64.`]
  }
  return [
    ...privileges(host),
    ...kernel(host),
    ...programs(host),
    ...room('memory', host.memoryBytes, leastMemory),
    ...room('free space for the nodes', host.workBytes, leastWork),
    ...(host.prepared ? [] : room('free space for the cache', host.cacheBytes, leastCache)),
  ]
}

function privileges({ userId, capabilities: held }: HostFacts): readonly string[] {
  if (userId !== 0) return ['Run it as root (sudo): containers, mounts and networks need it.']
  const missing = Object.entries(capabilities)
    .filter(([, bit]) => ((held >> bit) & 1n) === 0n)
    .map(([name]) => name)
  return missing.length === 0
    ? []
    : [`Root lacks ${missing.join(', ')}: run outside of a container, or in one with these.`]
}

function kernel(host: HostFacts): readonly string[] {
  const missing = namespaces.filter((name) => !host.namespaces.includes(name))
  return [
    ...(missing.length === 0 ? [] : [`The kernel lacks namespaces: ${missing.join(', ')}.`]),
    ...(host.cgroups === undefined ? ['No cgroups are mounted below /sys/fs/cgroup.'] : []),
    ...(host.overlayFailure === undefined
      ? []
      : [`No overlay can be mounted in the work folder: ${host.overlayFailure}`]),
    ...Object.entries(host.networkFailures).map(
      ([what, failure]) => `The kernel makes no ${what}: ${failure}`,
    ),
  ]
}

function programs({ programs: present, goVersion }: HostFacts): readonly string[] {
  const missing = Object.keys(neededPrograms).filter((name) => !present.includes(name))
  const packages = new Set(missing.map((name) => neededPrograms[name]))
  return [
    ...(missing.length === 0
      ? []
      : [`Missing ${missing.join(', ')}: install ${[...packages].join(', ')}.`]),
    ...(goVersion === undefined || isRecent(goVersion)
      ? []
      : [`Go is ${goVersion}: install ${oldestGo.join('.')} or newer.`]),
  ]
}

function isRecent(version: string): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, least] of oldestGo.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return part > least
  }
  return true
}

function room(what: string, bytes: number, least: number): readonly string[] {
  if (bytes >= least) return []
  const found = (bytes / gibibyte).toFixed(1)
  return [`There are ${found} GiB of ${what}: ${least / gibibyte} are needed.`]
}
