import { jsonDigest } from '../../lib/canonical-json.ts'
import { isClusterError } from '../../lib/cluster-error.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { versionsOf } from '../../spec/secret-references.ts'
import type { ConfigDocument } from './config-document.ts'
import type { DecidedAddresses, MachineConfigInput } from './config-input.ts'
import { hiddenFields } from './hidden-fields.ts'
import { machineConfigDocuments, unpatchedDocuments } from './machine-config.ts'
import { namesIn } from './named-secrets.ts'
import { applyShapedPatches } from './reshape/apply-shaped-patches.ts'
import type { SecretsBundle } from './secrets-bundle.ts'
import { contractName, contractOfSpec } from './version-contract.ts'

/** Stands where secrets stand, so that a plan needs none. */
const placeholder: SecretsBundle = {
  cluster: { id: 'placeholder', secret: 'placeholder' },
  secrets: { bootstrapToken: 'placeholder', secretboxEncryptionSecret: 'placeholder' },
  trustdInfo: { token: 'placeholder' },
  certs: {
    etcd: { crt: 'placeholder', key: 'placeholder' },
    k8s: { crt: 'placeholder', key: 'placeholder' },
    k8sAggregator: { crt: 'placeholder', key: 'placeholder' },
    k8sServiceAccount: { key: 'placeholder' },
    os: { crt: 'placeholder', key: 'placeholder' },
  },
}

/**
 * A public fingerprint of a node's machine config: everything but the secrets and what only Hetzner
 * decides. Two differ exactly when the configs differ in what the spec says, or
 * in the version of a named secret that they refer to. 64 hex digits.
 */
export function configDigest(spec: ClusterSpec, node: ClusterNode): string {
  // Of the documents and not of their text: a plan makes one for every node, and YAML is slow.
  return markedDigest(publicConfig(spec, node), spec)
}

/** The digest of such documents with the versions of the named secrets that they refer to, where they do. */
function markedDigest(documents: readonly ConfigDocument[], spec: ClusterSpec): string {
  return digestWith(documents, versionsOf(spec, namesIn(documents)))
}

/** The digest of documents that were given secrets of these versions. */
export function digestWith(
  documents: readonly ConfigDocument[],
  secretVersions: Readonly<Record<string, number>> | undefined,
): string {
  return jsonDigest(secretVersions ? { documents, secretVersions } : documents)
}

/** What the state remembers of a node's machine config, for plans without a key. */
export function configMarks(
  spec: ClusterSpec,
  node: ClusterNode,
): Pick<InventoryNode, 'configDigest' | 'contract' | 'hiddenFields' | 'secretVersions'> {
  const documents = publicConfig(spec, node)
  const fields = spec.state.encrypt === 'all' ? undefined : hiddenFields(documents)
  return {
    configDigest: markedDigest(documents, spec),
    contract: contractName(spec),
    hiddenFields: fields,
    secretVersions: versionsOf(spec, namesIn(documents)),
  }
}

/** A node's machine config with placeholders for its secrets and for what only Hetzner decides. */
export function publicConfig(
  spec: ClusterSpec,
  node: ClusterNode,
  decided: DecidedAddresses = {},
): readonly ConfigDocument[] {
  return machineConfigDocuments(publicInput(spec, node, decided))
}

/** The same before any patch of the spec; for the contract v1.14 in the shape of v1.13. */
export function unpatchedPublicConfig(
  spec: ClusterSpec,
  node: ClusterNode,
  decided: DecidedAddresses = {},
): readonly ConfigDocument[] {
  return unpatchedDocuments(publicInput(spec, node, decided))
}

/** The same by another contract than the spec's: without the patches where they do not fit that one. */
export function publicConfigBy(
  contract: string,
  spec: ClusterSpec,
  node: ClusterNode,
  decided: DecidedAddresses = {},
): readonly ConfigDocument[] {
  const other = { ...spec, talos: { ...spec.talos, contract } }
  try {
    return publicConfig(other, node, decided)
  } catch (error) {
    if (!isClusterError(error, 'spec-invalid')) throw error
    const unpatched = unpatchedPublicConfig(other, node, decided)
    return contractOfSpec(other).documents ? applyShapedPatches(unpatched, []) : unpatched
  }
}

function publicInput(
  spec: ClusterSpec,
  node: ClusterNode,
  decided: DecidedAddresses,
): MachineConfigInput {
  return {
    spec,
    node,
    secrets: placeholder,
    named: 'as references',
    addresses: { floatingIp: 'placeholder', ...decided },
    vipToken: 'placeholder',
  }
}
