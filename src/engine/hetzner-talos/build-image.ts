import type { HetznerClient } from '../../hetzner/api/hetzner-client.ts'
import type { HetznerCatalogue } from '../../hetzner/catalogue.ts'
import type { ImageWanted } from '../../hetzner/kinds/image/image-record.ts'
import type { ClusterIdentity } from '../../hetzner/ownership.ts'
import { findUsableSnapshot, snapshotBuilder } from '../../hetzner/snapshot.ts'
import { createBuilder, enableRescueAndBoot } from '../../hetzner/snapshot-builder.ts'
import { deleteBuilder } from '../../hetzner/sweep-builders.ts'
import { graceAfter } from '../../lib/grace-after.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { HostKeyPin } from '../../ssh/host-key.ts'
import { createSshKeyPair } from '../../ssh/ssh-key-pair.ts'
import { SshPool } from '../../ssh/ssh-pool.ts'
import { imageUrl } from '../../talos/factory.ts'
import { writeImage } from './write-image.ts'

export interface BuildImageOptions {
  readonly hetzner: HetznerClient
  readonly identity: ClusterIdentity
  readonly catalogue: HetznerCatalogue
  readonly wanted: ImageWanted
  /** Base URL of the image factory, which knows the schematic already. */
  readonly factory: string
  readonly sshPort: number
  /** Where to look for a builder first. */
  readonly location: string
  /** The smallest disk of any server that is made from it, in GB. */
  readonly maxDiskGb?: number | undefined
  /** Builds although a snapshot with these labels may be there: the recorded one is gone. */
  readonly always?: boolean | undefined
  readonly redactor: Redactor
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
}

/** A snapshot, and what was written into it as far as that is known. */
export interface BuiltImage {
  readonly id: number
  /** SHA-256 of the image: whole where this run built it, its first half where its label tells it. */
  readonly digest: string | undefined
}

/** How long a rescue system may take until its SSH answers, in milliseconds. */
const sshWithinMs = 5 * 60_000

/** How long the image may take to be downloaded and written, in milliseconds: minutes are usual. */
const writeWithinMs = 60 * 60_000

/** How long an interrupted run may take to see its builder go, in milliseconds: GitHub kills after 7.5 s. */
const removeWithinMs = 2_500

/**
 * The snapshot for one architecture, version and schematic: found, or built on a server that
 * is deleted afterwards whatever happens. The host key of the rescue system is pinned on first use; the
 * key that opens it lives as long as this call. Throws `image-build-failed`, `ssh-failed`,
 * `ssh-host-key`, `hetzner-unavailable`, `wait-timeout`.
 */
export async function buildImage(options: BuildImageOptions): Promise<BuiltImage> {
  const { hetzner, identity, wanted, progress } = options
  const existing = options.always
    ? undefined
    : await findUsableSnapshot(hetzner, wanted, options.maxDiskGb)
  if (existing) return { id: existing.id, digest: existing.labels['digest'] }
  const report = (step: string) => progress.step(`${wanted.arch}: ${step}`)
  const key = await createSshKeyPair('hcloud-talos image builder')
  options.redactor.add(key.privateKey)
  let built: BuiltImage
  try {
    const builder = await createBuilder(hetzner, {
      identity,
      arch: wanted.arch,
      catalogue: options.catalogue,
      sshPublicKey: key.publicKey,
      location: options.location,
      ...(options.maxDiskGb === undefined ? {} : { maxDiskGb: options.maxDiskGb }),
      report,
    })
    report(`booting ${builder.serverType} in ${builder.location} into rescue`)
    const host = await enableRescueAndBoot(hetzner, builder)
    const digest = await fillDisk(host, key.privateKey, options, report)
    report('taking the snapshot')
    const content = { wanted, digest }
    const image = await snapshotBuilder(hetzner, builder, content, (fraction) =>
      progress.step(`${wanted.arch}: taking the snapshot, ${Math.round(fraction * 100)} %`),
    )
    built = { id: image.id, digest }
  } catch (error) {
    // Reported at once: the removal of a builder that hangs may take minutes, or fail too.
    report(`failed: ${messageOf(error)}`)
    await removeBuilder(options, report).catch((removal: unknown) =>
      report(`the builder could not be removed, the next run removes it: ${messageOf(removal)}`),
    )
    throw error
  }
  await removeBuilder(options, report)
  return built
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Asks for the deletion, and sees it through. An interrupted run has seconds left, in which it also
 * gives its lock back: it does not wait longer than that, and the next run removes what did not go.
 */
async function removeBuilder(
  options: BuildImageOptions,
  report: (step: string) => void,
): Promise<void> {
  report('removing the builder')
  const { hetzner, identity, wanted, signal } = options
  using grace = graceAfter(signal, removeWithinMs)
  try {
    await deleteBuilder(hetzner.withSignal(grace.signal), identity, wanted.arch)
  } catch (error) {
    if (!grace.signal.aborted) throw error
  }
}

async function fillDisk(
  address: string,
  privateKey: string,
  options: BuildImageOptions,
  report: (step: string) => void,
): Promise<string> {
  const { wanted, factory, progress, redactor, signal, sshPort } = options
  await using pool = new SshPool({
    clock: options.hetzner.clock,
    redactor,
    signal,
    connectWithinMs: sshWithinMs,
    onWaiting: (_, reason) => report(`rescue: ${reason}`),
  })
  const rescue = pool.host({
    name: 'the rescue system',
    address,
    port: sshPort,
    user: 'root',
    login: { privateKey },
    hostKey: HostKeyPin.firstContact(),
    isStarting: true,
  })
  const url = imageUrl(factory, wanted)
  const digest = await writeImage(rescue, url, { progress, withinMs: writeWithinMs })
  report(`wrote ${url} (sha256 ${digest})`)
  return digest
}
