/** One minor release of Talos, and what it runs. */
export interface TalosRelease {
  /** Without v: `1.9`. */
  readonly minor: string
  /** Oldest and newest minor of Kubernetes that it runs, e.g. `1.27` and `1.32`. */
  readonly oldestKubernetes: string
  readonly newestKubernetes: string
  /** Its newest patch, with v; where an upgrade passes through, it passes through this. */
  readonly newest: string
  /** What Talos itself would install: the best tested Kubernetes of this release. */
  readonly defaultKubernetes: string
}

/** From the `compatibility` packages of Talos's machinery, as of November 2026. */
export const talosReleases: readonly TalosRelease[] = [
  release('1.9', '1.27', '1.32', 'v1.9.6', '1.32.4'),
  release('1.10', '1.28', '1.33', 'v1.10.9', '1.33.6'),
  release('1.11', '1.29', '1.34', 'v1.11.6', '1.34.1'),
  release('1.12', '1.30', '1.35', 'v1.12.11', '1.35.4'),
  release('1.13', '1.31', '1.36', 'v1.13.9', '1.36.3'),
  release('1.14', '1.32', '1.37', 'v1.14.1', '1.37.0'),
]

/**
 * What a new cluster file names: the newest Talos, and the newest Kubernetes that the makers of every addon
 * have tested.
 */
export const newFileVersions = { talos: 'v1.14.1', kubernetes: '1.36.3' } as const

function release(
  minor: string,
  oldestKubernetes: string,
  newestKubernetes: string,
  newest: string,
  defaultKubernetes: string,
): TalosRelease {
  return { minor, oldestKubernetes, newestKubernetes, newest, defaultKubernetes }
}

const newestMinor = Math.max(...talosReleases.map(({ minor }) => minorOf(minor)))
const newestKubernetesMinor = Math.max(
  ...talosReleases.map(({ newestKubernetes }) => minorOf(newestKubernetes)),
)

/** A version with or without v, cut into numbers; undefined if it is none. `1.9` has patch 0. */
export interface Version {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** `rc.0`; undefined for a release. */
  readonly preRelease: string | undefined
}

export function parseVersion(text: string): Version | undefined {
  const match = /^v?(\d{1,5})\.(\d{1,5})(?:\.(\d{1,5})(?:-([0-9A-Za-z.-]+))?)?$/.exec(text)
  if (!match) return undefined
  const [, major, minor, patch = '0', preRelease] = match
  return { major: Number(major), minor: Number(minor), patch: Number(patch), preRelease }
}

/** Below 0 if `a` is the older, 0 if they are the same; a pre-release is older than its release. */
export function compareVersions(a: Version, b: Version): number {
  const byNumber = a.major - b.major || a.minor - b.minor || a.patch - b.patch
  if (byNumber !== 0 || a.preRelease === b.preRelease) return byNumber
  if (a.preRelease === undefined) return 1
  if (b.preRelease === undefined) return -1
  return a.preRelease.localeCompare(b.preRelease, 'en', { numeric: true })
}

/** Whether one version is older than another; false where one of the two is none. */
export function isOlderVersion(one: string, other: string): boolean {
  const [a, b] = [parseVersion(one), parseVersion(other)]
  return a !== undefined && b !== undefined && compareVersions(a, b) < 0
}

/** What is known of the minor release of a Talos version; undefined where it is not supported. */
export function talosRelease(version: string): TalosRelease | undefined {
  const parsed = parseVersion(version)
  return parsed && talosReleases.find(({ minor }) => minor === `${parsed.major}.${parsed.minor}`)
}

/** Whether a Talos came after the newest that is known. */
export function isNewerThanKnown(version: string): boolean {
  const parsed = parseVersion(version)
  return parsed?.major === 1 && parsed.minor > newestMinor
}

/** Whether a Kubernetes came after the newest that any known Talos runs. */
export function isNewerKubernetesThanKnown(version: string): boolean {
  const parsed = parseVersion(version)
  return parsed?.major === 1 && parsed.minor > newestKubernetesMinor
}

/**
 * Whether this Talos runs this Kubernetes; false for a Talos that is too old to be known. One that came
 * after the newest known is taken to go on as all did: with each minor its range moves on by one.
 */
export function supportsKubernetes(talosVersion: string, kubernetesVersion: string): boolean {
  const version = parseVersion(kubernetesVersion)
  const range = kubernetesRange(talosVersion)
  if (!range || version?.major !== 1) return false
  return version.minor >= range.oldest && version.minor <= range.newest
}

function kubernetesRange(talosVersion: string): { oldest: number; newest: number } | undefined {
  const isNewer = isNewerThanKnown(talosVersion)
  const known = isNewer ? talosReleases.at(-1) : talosRelease(talosVersion)
  if (!known) return undefined
  const further = isNewer ? (parseVersion(talosVersion)?.minor ?? 0) - newestMinor : 0
  return {
    oldest: minorOf(known.oldestKubernetes) + further,
    newest: minorOf(known.newestKubernetes) + further,
  }
}

export type UpgradeVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false
      readonly reason: string
      /** The version to upgrade to first, where that helps. */
      readonly through: string | undefined
    }

/**
 * Whether Talos goes from one version to another in a single step: up, to the same minor or the next, as its
 * documentation advises. (Its installer would let two pass, and older ones too: what a newer Talos wrote to its disk
 * and to etcd, an older one need not read.) Whether a file may name one that came after the newest known is
 * not judged here: `policy.unknownVersions` says so when the file is read.
 */
export function upgradeAllowed(from: string, to: string): UpgradeVerdict {
  const current = parseVersion(from)
  const wanted = parseVersion(to)
  const isKnown = talosRelease(to) !== undefined || isNewerThanKnown(to)
  if (!current || !wanted || !isKnown) {
    return refuse(`${wanted && current ? to : 'one of them'} is not a version that is supported`)
  }
  if (compareVersions(wanted, current) < 0) {
    return refuse(`Talos does not go back from ${from} to ${to}`)
  }
  if (wanted.minor > current.minor + 1) {
    return refuse(
      `Talos goes up one minor release at a time, and from ${from} to ${to} there are ${wanted.minor - current.minor}`,
      upgradePath(from, to)[0],
    )
  }
  return { allowed: true }
}

/**
 * Whether Kubernetes goes from one version to another in a single step: up, to the same minor or the
 * next. Never back: a newer API server may have stored what an older one cannot read. Versions without v.
 */
export function kubernetesUpgradeAllowed(from: string, to: string): UpgradeVerdict {
  const current = parseVersion(from)
  const wanted = parseVersion(to)
  if (!current || !wanted) return refuse(`${current ? to : from} is not a version of Kubernetes`)
  if (compareVersions(wanted, current) < 0) {
    return refuse(`Kubernetes does not go back from ${from} to ${to}`)
  }
  if (wanted.minor > current.minor + 1) {
    const next = `1.${current.minor + 1}`
    const known = talosReleases.find(({ newestKubernetes }) => newestKubernetes === next)
    return refuse(
      `Kubernetes goes up one minor release at a time, and from ${from} to ${to} there are ${wanted.minor - current.minor}`,
      known?.defaultKubernetes ?? `${next}.0`,
    )
  }
  return { allowed: true }
}

/**
 * The versions to go through, the last one being `to`: one minor at a time, by way of the newest patch
 * of each, as Talos's documentation advises. Empty if there is no way.
 */
export function upgradePath(from: string, to: string): string[] {
  const current = parseVersion(from)
  const wanted = parseVersion(to)
  if (!current || !wanted || wanted.minor < current.minor) return []
  const isNext = isNewerThanKnown(to) && wanted.minor === newestMinor + 1
  if (!talosRelease(to) && !isNext) return []
  const between = talosReleases.filter(({ minor }) => {
    const number = minorOf(minor)
    return number > current.minor && number < wanted.minor
  })
  return [...between.map(({ newest }) => newest), to]
}

function refuse(reason: string, through?: string): UpgradeVerdict {
  return { allowed: false, reason, through }
}

function minorOf(version: string): number {
  return Number(version.split('.')[1])
}
