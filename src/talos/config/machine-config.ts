import { ClusterError } from '../../lib/cluster-error.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { applyPatches, type ConfigPatch } from './apply-patch.ts'
import { clusterSection } from './cluster-section.ts'
import type { ConfigDocument } from './config-document.ts'
import { configContext, type MachineConfigInput } from './config-input.ts'
import { diskEncryptionDocuments } from './disk-encryption.ts'
import { machineSection } from './machine-section.ts'
import { fillDocuments } from './named-secrets.ts'
import { networkDocuments } from './network.ts'
import { applyShapedPatches } from './reshape/apply-shaped-patches.ts'
import { placelessProblems } from './reshape/placeless-problems.ts'
import { contractOfSpec } from './version-contract.ts'
import { formatYamlDocuments } from './yaml-documents.ts'

/**
 * The machine config of one node as YAML: what `talosctl gen config` makes for the version's contract
 * (1.9 to 1.14), what Hetzner needs on top, and the spec's patches. The same input gives the same
 * text. Holds secrets: those of control planes for control planes alone. Throws `spec-invalid` for a
 * patch that does not fit or a setting without a place in the contract, `secret-missing`, `token-missing` for a VIP
 * without a token.
 */
export function generateMachineConfig(input: MachineConfigInput): string {
  refusePlaceless(input)
  return formatYamlDocuments(machineConfigDocuments(input))
}

/** The same as documents. What has no place in the documents of the contract v1.14 stays where it was, and no node gets it. */
export function machineConfigDocuments(input: MachineConfigInput): readonly ConfigDocument[] {
  const { spec, node, named = new Map() } = input
  const apply = contractOfSpec(spec).documents ? applyShapedPatches : applyPatches
  const documents = apply(unpatchedDocuments(input), patchesOf(spec, node))
  return named === 'as references' ? documents : fillDocuments(documents, named)
}

/** A node would refuse it; by what the file says, a plan has said it before. */
function refusePlaceless(input: MachineConfigInput): void {
  const { spec, node } = input
  if (!contractOfSpec(spec).documents) return
  const old = applyPatches(unpatchedDocuments(input), patchesOf(spec, node), 'machine config')
  const [problem] = placelessProblems(old)
  if (problem === undefined) return
  throw new ClusterError('spec-invalid', `${node.name}: ${problem.message}`, {
    operation: 'generate a machine config',
    target: node.name,
    ...(problem.hint !== undefined && { hint: problem.hint }),
  })
}

/** The same before any patch of the spec; for the contract v1.14 in the shape of v1.13, out of which it is made. */
export function unpatchedDocuments(input: MachineConfigInput): readonly ConfigDocument[] {
  const context = configContext(input)
  return [
    {
      version: 'v1alpha1',
      debug: false,
      persist: true,
      machine: machineSection(context),
      cluster: clusterSection(context),
    },
    ...networkDocuments(context),
    ...diskEncryptionDocuments(context),
  ]
}

/** A node's patches from the most general to the most special, so that the nearest has the last word. */
export function patchesOf({ talos }: ClusterSpec, node: ClusterNode): ConfigPatch[] {
  const controlPlane = node.role === 'control-plane'
  const numbered = (source: string, texts: readonly string[]) =>
    texts.map((text, index) => ({ text, source: `${source}[${index}]` }))
  return [
    ...numbered('talos.patches', talos.patches),
    ...(controlPlane
      ? numbered('talos.controlPlanePatches', talos.controlPlanePatches)
      : numbered('talos.workerPatches', talos.workerPatches)),
    ...numbered(`patches of ${node.pool}`, node.patches),
  ]
}
