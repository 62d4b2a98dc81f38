/** Which installer an image reference names. */
export interface Installer {
  readonly version: string
  readonly schematic: string
}

/** The schematic without any customization: what Talos's own images are made of. */
export const plainSchematic = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba'

/** Each minor release of Talos with the newest patch release of it that is out. */
const released = [
  ['1.9', 6],
  ['1.10', 9],
  ['1.11', 6],
  ['1.12', 11],
  ['1.13', 9],
  ['1.14', 1],
] as const

/** What the image factory has: schematics that someone posted, and the versions that it builds. */
export class FactoryState {
  /** Canonical YAML by id. An image of a schematic that was never posted cannot be had. */
  readonly schematics = new Map<string, string>()
  readonly versions: string[] = released.flatMap(([minor, patches]) =>
    Array.from({ length: patches + 1 }, (_, patch) => `v${minor}.${patch}`),
  )

  /** Names of the official extensions, the same for every version. */
  readonly extensions: readonly string[] = [
    'siderolabs/gvisor',
    'siderolabs/iscsi-tools',
    'siderolabs/qemu-guest-agent',
    'siderolabs/tailscale',
    'siderolabs/util-linux-tools',
    'siderolabs/wasmedge',
  ]

  /**
   * What an installer reference names: `<factory>/installer/<schematic>:<version>`, its platform forms
   * (`hcloud-installer`, `metal-installer`) and Talos's own `siderolabs/installer:<version>`.
   * Undefined for one that nobody could pull.
   */
  resolveInstaller(reference: string): Installer | undefined {
    const [, repository, version] =
      /^(.+):(v[^:/@]+)(?:@sha256:[0-9a-f]{64})?$/.exec(reference) ?? []
    if (repository === undefined || version === undefined) return undefined
    if (!this.versions.includes(version)) return undefined
    if (/(^|\/)siderolabs\/installer$/.test(repository))
      return { version, schematic: plainSchematic }
    const [, schematic] = /\/(?:[a-z]+-)?installer\/([0-9a-f]{64})$/.exec(repository) ?? []
    if (schematic === undefined || !this.schematics.has(schematic)) return undefined
    return { version, schematic }
  }

  knowsInstaller(reference: string): boolean {
    return this.resolveInstaller(reference) !== undefined
  }
}
