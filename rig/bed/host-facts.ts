/** What decides whether a machine can carry real nodes. */
export interface HostFacts {
  /** As Node names them: 'linux', 'x64'. */
  readonly platform: string
  readonly architecture: string
  readonly userId: number
  /** The effective capabilities, bit n for capability n. */
  readonly capabilities: bigint
  /** The kinds of namespace that the kernel has: 'net', 'pid', … */
  readonly namespaces: readonly string[]
  /** 'cgroup' for version 1, 'cgroup2', or undefined where none is mounted. */
  readonly cgroups: string | undefined
  /** Programs of `neededPrograms` that the path has. */
  readonly programs: readonly string[]
  /** As `go version` tells, without go: '1.26.8'. */
  readonly goVersion: string | undefined
  /** What failed in making an overlay in the work folder; undefined where it works or could not be tried. */
  readonly overlayFailure: string | undefined
  /** The same of each part of a network. */
  readonly networkFailures: Readonly<Record<string, string>>
  readonly memoryBytes: number
  /** What is free where the work folder and the cache are. */
  readonly workBytes: number
  readonly cacheBytes: number
  /** Whether the cache holds a bed already. */
  readonly prepared: boolean
}

/** Programs of the host by the package that brings them on Debian and Ubuntu. */
export const neededPrograms: Readonly<Record<string, string>> = {
  'apt-get': 'apt',
  'dpkg-deb': 'dpkg',
  flock: 'util-linux',
  go: 'golang',
  gpgv: 'gpgv',
  ip: 'iproute2',
  mount: 'mount',
  nft: 'nftables',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  unshare: 'util-linux',
  wget: 'wget',
}
