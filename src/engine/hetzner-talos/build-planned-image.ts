import { imageSpecSchema } from '../../hetzner/kinds/image/image-record.ts'
import type { ClusterIdentity } from '../../hetzner/ownership.ts'
import { poolOf } from '../../hetzner/pool-of.ts'
import { smallestDisk } from '../../hetzner/smallest-disk.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { Change } from '../../plan/change.ts'
import { recordImage } from '../../plan/inventory-resources.ts'
import { factoryOf } from '../../run/hetzner-talos/factory-of.ts'
import { schematicOf } from '../../talos/config/schematic.ts'
import { registerSchematic } from '../../talos/factory.ts'
import { buildImage } from './build-image.ts'
import type { CarryOutInput } from './carry-out.ts'

/** Builds the image that a change asks for, small enough for every node of its architecture; returns its id. */
export async function buildPlannedImage(
  { key, after }: Change,
  { context, session, view, recorder }: CarryOutInput,
  identity: ClusterIdentity,
  progress: PhaseProgress,
): Promise<number> {
  const { arch, version } = imageSpecSchema.parse(after?.spec)
  const { clock, random, signal, endpoints, redactor } = context
  const { talos, hetzner } = view.spec
  const pools = view.nodes.map((node) => poolOf(view.spec, node))
  const serverTypes = pools.filter((pool) => pool.arch === arch).map(({ type }) => type)
  const factory = factoryOf(endpoints, talos)
  if (talos.schematic === undefined) {
    await registerSchematic(talos, { endpoint: factory, clock, random, signal })
  }
  const always = recorder.inventory.images?.[key] !== undefined
  // Killed from here on, the next run finds what this one built by its origin.
  if (always)
    recorder.record(`Forget ${key}`, (inventory) => recordImage(inventory, key, undefined))
  await recorder.flush()
  const { id, digest } = await buildImage({
    hetzner: session.hetzner,
    identity,
    catalogue: view.hetzner.catalogue,
    wanted: { arch, version, schematic: schematicOf(view.spec) },
    factory,
    sshPort: endpoints.sshPort,
    location: hetzner.region,
    maxDiskGb: smallestDisk(view.hetzner.catalogue, serverTypes),
    redactor,
    always,
    signal,
    progress,
  })
  recorder.record(`Note ${key}`, (inventory) => recordImage(inventory, key, { id, digest }))
  return id
}
