import { textDigest } from '../../lib/canonical-json.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { contractOf } from './version-contract.ts'
import { formatYamlDocuments } from './yaml-documents.ts'

/** What a Talos image is made of, besides Talos. The order of both lists is part of the id. */
export interface Schematic {
  readonly extensions: readonly string[]
  readonly kernelArgs: readonly string[]
}

/**
 * The schematic as the image factory writes it down before it takes the digest: fields in a fixed
 * order, empty ones left out. This text is also what is posted to the factory.
 */
export function schematicYaml({ extensions, kernelArgs }: Schematic): string {
  return formatYamlDocuments([
    {
      customization: {
        ...(kernelArgs.length > 0 && { extraKernelArgs: kernelArgs }),
        ...(extensions.length > 0 && {
          systemExtensions: { officialExtensions: extensions },
        }),
      },
    },
  ])
}

/** Ids found before: a plan asks for the same one several times for each node, and YAML is slow. */
const knownIds = new Map<string, string>()

/** The id that the factory gives to a schematic: SHA-256 of its canonical YAML, 64 hex digits. */
export function schematicId({ extensions, kernelArgs }: Schematic): string {
  const key = JSON.stringify([extensions, kernelArgs])
  const id = knownIds.get(key) ?? textDigest(schematicYaml({ extensions, kernelArgs }))
  knownIds.set(key, id)
  return id
}

/** The id of the schematic that a spec asks for, given or derived. */
export function schematicOf({ talos }: ClusterSpec): string {
  return talos.schematic ?? schematicId(talos)
}

/**
 * The image that installs and upgrades: always the factory's, since the bare installer would drop the
 * extensions with the next upgrade.
 */
export function installerImage(spec: ClusterSpec): string {
  const { factory, version } = spec.talos
  const name = contractOf(version).platformInstaller ? 'hcloud-installer' : 'installer'
  return `${new URL(factory).host}/${name}/${schematicOf(spec)}:${version}`
}
