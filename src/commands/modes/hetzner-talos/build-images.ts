import { buildImage } from '../../../engine/hetzner-talos/build-image.ts'
import { observeCatalogue } from '../../../hetzner/observe.ts'
import type { ClusterIdentity } from '../../../hetzner/ownership.ts'
import { smallestDisk } from '../../../hetzner/smallest-disk.ts'
import { sweepBuilders } from '../../../hetzner/sweep-builders.ts'
import { textDigest } from '../../../lib/canonical-json.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { refuseErrors } from '../../../lib/findings-error.ts'
import type { ClusterFile } from '../../../run/cluster-file.ts'
import { connectHetzner, readClusterFile } from '../../../run/hetzner-talos/cluster-session.ts'
import { factoryFindings } from '../../../run/hetzner-talos/factory-findings.ts'
import { factoryOf } from '../../../run/hetzner-talos/factory-of.ts'
import { refuseOutdated } from '../../../run/merged-file.ts'
import type { RunContext } from '../../../run/run-context.ts'
import { runPhase } from '../../../run/run-phase.ts'
import type { Architecture, ClusterSpec } from '../../../spec/cluster-spec.ts'
import { locateFindings } from '../../../spec/yaml/locate-findings.ts'
import { schematicOf } from '../../../talos/config/schematic.ts'
import { registerSchematic } from '../../../talos/factory.ts'

export interface BuildImagesInput {
  readonly file: ClusterFile
  /** Those of the file's pools where absent. */
  readonly architectures?: readonly Architecture[] | undefined
}

/**
 * Makes sure that the project has the snapshots that the file's nodes are made from, all architectures
 * at once, and returns their ids. Takes no state and no identity: snapshots are shared by clusters.
 */
export async function buildImages(
  context: RunContext,
  input: BuildImagesInput,
): Promise<ReadonlyMap<Architecture, number>> {
  const { spec } = readClusterFile(input.file)
  await refuseOutdated(context, input.file)
  const hetzner = connectHetzner(context)
  const architectures = [...new Set(input.architectures ?? architecturesOf(spec))]
  if (architectures.length === 0) {
    throw new ClusterError('usage', 'no architecture to build an image for')
  }
  refuseErrors(
    'spec-invalid',
    locateFindings(input.file.text, await factoryFindings(context, spec)),
    input.file.path,
  )
  const { clock, random, signal, endpoints, redactor, progress } = context
  const catalogue = await runPhase(progress, 'Look at what Hetzner sells', () =>
    observeCatalogue(hetzner),
  )
  const factory = factoryOf(endpoints, spec.talos)
  if (spec.talos.schematic === undefined) {
    await registerSchematic(spec.talos, { endpoint: factory, clock, random, signal })
  }
  const identity = builderIdentity(spec)
  await sweepBuilders(hetzner, identity)
  const images = await Promise.all(
    architectures.map((arch) =>
      runPhase(
        progress,
        `Image for ${arch}`,
        (phase) =>
          buildImage({
            hetzner,
            identity,
            catalogue,
            wanted: { arch, version: spec.talos.version, schematic: schematicOf(spec) },
            factory,
            sshPort: endpoints.sshPort,
            location: spec.hetzner.region,
            maxDiskGb: smallestDisk(catalogue, serverTypesOf(spec, arch)),
            redactor,
            signal,
            progress: phase,
          }),
        ({ id }) => `snapshot ${id}`,
      ),
    ),
  )
  return new Map(architectures.map((arch, index) => [arch, images[index]?.id ?? 0]))
}

/**
 * Builders made here belong to no cluster, and must not be taken for parts of one. The mark is the same
 * at each run of a file, so that the next one removes what a run that died left.
 */
function builderIdentity({ clusterName }: ClusterSpec): ClusterIdentity {
  const name = `images-of-${clusterName}`
  return { clusterName: name, uid: textDigest(name).slice(0, 16) }
}

function architecturesOf({ controlPlane, workers }: ClusterSpec): Architecture[] {
  return [controlPlane, ...workers].map(({ arch }) => arch)
}

function serverTypesOf({ controlPlane, workers }: ClusterSpec, wanted: Architecture): string[] {
  return [controlPlane, ...workers].flatMap(({ arch, type }) => (arch === wanted ? [type] : []))
}
