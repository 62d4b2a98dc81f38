/** A Talos version such as `v1.13.0`, with what depends on it. */
export interface TalosVersion {
  /** With the leading v. */
  readonly tag: string
  readonly major: number
  readonly minor: number
  readonly patch: number
}

/** Reads `v1.13.0`, `1.13.0` or `v1.14.0-rc.1`; undefined where it is no version. */
export function parseTalosVersion(text: string): TalosVersion | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.]+)?$/.exec(text)
  if (match === null) return undefined
  const [, major, minor, patch, suffix = ''] = match
  return {
    tag: `v${major}.${minor}.${patch}${suffix}`,
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
  }
}

/** Whether it is this minor of Talos 1 or a later one. */
export function atLeast({ major, minor }: TalosVersion, wantedMinor: number): boolean {
  return major > 1 || (major === 1 && minor >= wantedMinor)
}

/** From which minor the oldest host may come; one at a time is advice, two are allowed. */
const oldestHostMinor: Readonly<Record<number, number>> = {
  9: 8,
  10: 8,
  11: 9,
  12: 10,
  13: 11,
  14: 12,
}

/** Why an installer of `target` refuses to install itself over a host of `host`; undefined where it does not. */
export function upgradeRefusal(host: TalosVersion, target: TalosVersion): string | undefined {
  const oldest = oldestHostMinor[target.minor]
  const [from, to] = [host.tag.slice(1), target.tag.slice(1)]
  if (oldest === undefined) return `upgrades to version ${to} are not supported`
  if (host.minor < oldest) return `host version ${from} is too old to upgrade to Talos ${to}`
  if (host.minor >= target.minor + 2)
    return `host version ${from} is too new to downgrade to Talos ${to}`
  return undefined
}

/** How many minors of Kubernetes a Talos supports, counted down from its newest. */
const supportedMinors = 6

/** Why this Talos does not run this Kubernetes (`1.32.0`); undefined where it does. */
export function kubernetesRefusal(talos: TalosVersion, kubernetes: string): string | undefined {
  const minor = Number(/^1\.(\d+)\./.exec(kubernetes)?.[1])
  const newest = talos.minor + 23
  const pair = `to be used with Talos ${talos.tag.slice(1)}`
  if (minor > newest) return `version of Kubernetes ${kubernetes} is too new ${pair}`
  if (!(minor > newest - supportedMinors)) {
    return `version of Kubernetes ${kubernetes} is too old ${pair}`
  }
  return undefined
}
