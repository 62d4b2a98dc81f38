import { createHash } from 'node:crypto'
import type { TalosNode } from './talos-node.ts'
import { atLeast, parseTalosVersion, type TalosVersion, upgradeRefusal } from './talos-version.ts'

/** What an installer image puts on a disk. */
export interface Installer {
  readonly version: TalosVersion
  readonly schematic: string
}

const imagesKey = 'talos.images'
const emptySchematic = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba'

/** Reads an installer's reference; undefined where no registry has it. */
export function findInstaller(reference: string): Installer | undefined {
  const match = /^([^:]+):(v[^:@]+)(?:@sha256:[0-9a-f]{64})?$/.exec(reference)
  const version = parseTalosVersion(match?.[2] ?? '')
  const repository = match?.[1] ?? ''
  if (version === undefined) return undefined
  if (repository === 'ghcr.io/siderolabs/installer') {
    return atLeast(version, 14) ? undefined : { version, schematic: emptySchematic }
  }
  const factory = /^[^/]+\/(?:[a-z0-9]+-)?installer\/([0-9a-f]{64})$/.exec(repository)
  const schematic = factory?.[1]
  return schematic === undefined ? undefined : { version, schematic }
}

/** Images that the node has pulled into a store of its containerds; they stay on its disk. */
export function pulledImages(node: TalosNode, store: string): Set<string> {
  const { state } = node.machine.disk
  const key = `${imagesKey}.${store}`
  const known = state.get(key)
  const images = known instanceof Set ? known : new Set<string>()
  state.set(key, images)
  return images
}

/** What an image is called once it was pulled: by its digest, without its tag. */
export function pinnedName(reference: string): string {
  const repository = reference.replace(/@.*$/, '').replace(/:[^:/]*$/, '')
  return `${repository}@${digestOf(reference)}`
}

/** The digest of what a reference names: a made up one, always the same. */
export function digestOf(reference: string): string {
  const [, given] = reference.split('@')
  return given ?? `sha256:${createHash('sha256').update(reference).digest('hex')}`
}

/** The name with a tag of an image, among those that a node has; the name itself where there is none. */
export function taggedName(
  name: string,
  images: readonly { readonly name: string; readonly digest: string }[],
): string {
  const [repository, digest] = name.split('@')
  const tagged = images.find(
    (image) => image.digest === digest && image.name.startsWith(`${repository}:`),
  )
  return tagged?.name ?? name
}

/** Why an installer gave up. Since 1.14 its exit code says of what kind that is; before, it is always 1. */
export interface InstallFailure {
  readonly problem: string
  readonly exitCode: number
}

const [unsupported, failed] = [3, 7]

/** Writes the installer's Talos on the disk. */
export function install(node: TalosNode, installer: Installer): InstallFailure | undefined {
  const { version } = installer
  const { disk } = node.machine
  const failure = (problem: string, exitCode: number): InstallFailure => ({
    problem,
    exitCode: atLeast(version, 14) ? exitCode : 1,
  })
  if (disk.image.kind !== 'talos') return failure('no Talos on the disk', unsupported)
  const refusal = upgradeRefusal(node.version, version)
  if (refusal !== undefined) return failure(`pre-flight checks failed: ${refusal}`, unsupported)
  if (node.state.faults.takeUpgradeFailure(node.name)) {
    return failure('failed to write the boot loader', failed)
  }
  const schematic = node.state.faults.schematicInstead(node.name) ?? installer.schematic
  disk.state.set('talos.previous', disk.image)
  disk.image = { ...disk.image, version: version.tag, schematic }
  return undefined
}

/** Puts the former Talos back, as `talosctl rollback` does. False where there is none. */
export function rollBack({ machine: { disk } }: TalosNode): boolean {
  const previous = disk.state.get('talos.previous')
  if (disk.image.kind !== 'talos' || !isImage(previous)) return false
  disk.state.set('talos.previous', disk.image)
  disk.image = { ...disk.image, version: previous.version, schematic: previous.schematic }
  return true
}

function isImage(value: unknown): value is { version: string; schematic: string } {
  return typeof value === 'object' && value !== null && 'version' in value && 'schematic' in value
}
