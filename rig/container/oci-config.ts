import type { JsonObject } from '../../src/lib/json.ts'

/** A folder of the machine at a place in the container. */
export interface Volume {
  readonly source: string
  readonly target: string
}

export interface ContainerSpec {
  readonly hostname: string
  /** The root file system, mounted already. */
  readonly root: string
  readonly readOnlyRoot: boolean
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Path of the network namespace. */
  readonly networkNamespace: string
  /** Relative, so that it lies within the cgroup of this process and goes with it. */
  readonly cgroup: string
  /** A tree of cgroups of version 2, which it takes for those of its machine; the machine's own where absent. */
  readonly unifiedCgroups?: string
  readonly volumes: readonly Volume[]
  /** Places where the system keeps what ends with its power. */
  readonly temporary: readonly string[]
  /** A file with the id of this boot, laid over the kernel's: all containers of a machine share that one. */
  readonly bootIdFile: string
}

/** Every capability but those that reach the machine's clock and modules, and one that root here may lack. */
const capabilities = [
  'CHOWN',
  'DAC_OVERRIDE',
  'DAC_READ_SEARCH',
  'FOWNER',
  'FSETID',
  'KILL',
  'SETGID',
  'SETUID',
  'SETPCAP',
  'LINUX_IMMUTABLE',
  'NET_BIND_SERVICE',
  'NET_BROADCAST',
  'NET_ADMIN',
  'NET_RAW',
  'IPC_LOCK',
  'IPC_OWNER',
  'SYS_RAWIO',
  'SYS_CHROOT',
  'SYS_PTRACE',
  'SYS_PACCT',
  'SYS_ADMIN',
  'SYS_BOOT',
  'SYS_NICE',
  'SYS_TTY_CONFIG',
  'MKNOD',
  'LEASE',
  'AUDIT_WRITE',
  'AUDIT_CONTROL',
  'SETFCAP',
  'MAC_OVERRIDE',
  'MAC_ADMIN',
  'SYSLOG',
  'WAKE_ALARM',
  'BLOCK_SUSPEND',
  'AUDIT_READ',
  'PERFMON',
  'BPF',
  'CHECKPOINT_RESTORE',
].map((name) => `CAP_${name}`)

const quiet = ['nosuid', 'noexec', 'nodev']

const systemMounts: readonly JsonObject[] = [
  { destination: '/proc', type: 'proc', source: 'proc' },
  {
    destination: '/dev',
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
  },
  {
    destination: '/dev/pts',
    type: 'devpts',
    source: 'devpts',
    options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620'],
  },
  {
    destination: '/dev/shm',
    type: 'tmpfs',
    source: 'shm',
    options: [...quiet, 'mode=1777', 'size=65536k'],
  },
  { destination: '/dev/mqueue', type: 'mqueue', source: 'mqueue', options: quiet },
  { destination: '/sys', type: 'sysfs', source: 'sysfs', options: [...quiet, 'rw'] },
]

function cgroupMount(unified: string | undefined): JsonObject {
  const options = [...quiet, 'relatime', 'rw']
  return {
    destination: '/sys/fs/cgroup',
    ...(unified === undefined
      ? { type: 'cgroup', source: 'cgroup', options }
      : { type: 'bind', source: unified, options: ['rbind', ...options] }),
  }
}

/** The OCI runtime configuration of a machine's system: a whole system as the first process. */
export function ociConfig(spec: ContainerSpec): JsonObject {
  const bootId = `${spec.root}/proc/sys/kernel/random/boot_id`
  return {
    ociVersion: '1.0.2',
    hostname: spec.hostname,
    process: {
      terminal: false,
      user: { uid: 0, gid: 0 },
      args: [...spec.args],
      cwd: '/',
      env: Object.entries(spec.environment).map(([name, value]) => `${name}=${value}`),
      capabilities: {
        bounding: capabilities,
        effective: capabilities,
        permitted: capabilities,
        inheritable: [],
        ambient: [],
      },
      rlimits: [],
      noNewPrivileges: false,
    },
    root: { path: spec.root, readonly: spec.readOnlyRoot },
    // A runtime refuses mounts below /proc, but not what its hooks do there.
    hooks: {
      createContainer: [{ path: '/bin/mount', args: ['mount', '--bind', spec.bootIdFile, bootId] }],
    },
    mounts: [
      ...systemMounts,
      cgroupMount(spec.unifiedCgroups),
      ...spec.temporary.map((destination) => ({
        destination,
        type: 'tmpfs',
        source: 'tmpfs',
        options: ['rw', 'nosuid', 'nodev', destination === '/tmp' ? 'mode=1777' : 'mode=755'],
      })),
      ...spec.volumes.map(({ source, target }) => ({
        destination: target,
        type: 'bind',
        source,
        options: ['rbind', 'rw', 'rprivate'],
      })),
    ],
    linux: {
      cgroupsPath: spec.cgroup,
      resources: { devices: [{ allow: true, access: 'rwm' }] },
      namespaces: [
        ...['pid', 'ipc', 'uts', 'mount', 'cgroup'].map((type) => ({ type })),
        { type: 'network', path: spec.networkNamespace },
      ],
      rootfsPropagation: 'private',
      devices: [
        { path: '/dev/kmsg', type: 'c', major: 1, minor: 11, fileMode: 0o644, uid: 0, gid: 0 },
        { path: '/dev/fuse', type: 'c', major: 10, minor: 229, fileMode: 0o666, uid: 0, gid: 0 },
      ],
    },
  }
}
