import { ClusterError } from '../../lib/cluster-error.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'

/**
 * What a config may hold for a Talos version: its "contract". Talos reads configs of older contracts,
 * never of newer ones.
 */
export interface VersionContract {
  readonly minor: number
  /** Features that became fixed and vanished from generated configs (before 1.12). */
  readonly legacyFeatures: boolean
  /** `machine.network: {}` stands in generated configs (before 1.13). */
  readonly emptyNetwork: boolean
  /** Network, host name, time and registry settings are documents of their own (1.12 and later). */
  readonly networkDocuments: boolean
  /** Disk encryption is a VolumeConfig document (1.11 and later). */
  readonly volumeDocuments: boolean
  /** The boot loader takes its kernel arguments from the unified kernel image (1.12 and later). */
  readonly unifiedKernelArguments: boolean
  /** The factory has installers by platform (1.10 and later). */
  readonly platformInstaller: boolean
  /** Kubernetes and most of the machine are documents of their own, instead of sections (1.14 and later). */
  readonly documents: boolean
}

const oldest = 9
const newest = 14
/** 1.14 reads the configs of 1.13 too, and its own shape has no place for some settings: who wants it names it. */
const newestUnasked = 13

/** The minors of all contracts that a Talos reads and that configs are made from here. */
export function contractsUpTo(version: string): number[] {
  const { minor } = contractOf(version)
  return Array.from({ length: minor - oldest + 1 }, (_, index) => oldest + index)
}

/** Whether a Talos has every kind of document that configs of a contract consist of. */
export function readsConfigsOf(talos: string, contract: string): boolean {
  const [own, wanted] = [contractOf(talos), contractOf(contract)]
  const kinds = ['volumeDocuments', 'networkDocuments', 'documents'] as const
  return kinds.every((kind) => own[kind] || !wanted[kind])
}

/** The contract of `v1.9.0`, `1.13.4`, ... Throws `spec-invalid` for versions before 1.9. */
export function contractOf(version: string): VersionContract {
  const [, minorText] = /^v?1\.(\d+)(?:\.|$)/.exec(version) ?? []
  const minor = Math.min(Number(minorText), newest)
  if (!(minor >= oldest)) {
    throw new ClusterError('spec-invalid', `Talos ${version} is not supported`, {
      hint: `Set talos.version to v1.${oldest}.0 or later.`,
    })
  }
  return {
    minor,
    legacyFeatures: minor < 12,
    emptyNetwork: minor < 13,
    networkDocuments: minor >= 12,
    volumeDocuments: minor >= 11,
    unifiedKernelArguments: minor >= 12,
    platformInstaller: minor >= 10,
    documents: minor >= 14,
  }
}

/** The contract of configs that nobody asked for another one: that of a Talos, up to v1.13. */
export function unaskedContract(version: string): VersionContract {
  const ofVersion = contractOf(version)
  return ofVersion.minor > newestUnasked ? contractOf(`v1.${newestUnasked}`) : ofVersion
}

/**
 * The contract of a cluster's configs: the file's, or the one that the cluster has, or for a new cluster that of its
 * Talos, up to v1.13. A node that runs an older Talos than the contract, as in the middle of an upgrade, gets what it can read.
 */
export function contractOfSpec({ talos, keptContract }: ClusterSpec): VersionContract {
  const wanted = talos.contract ?? keptContract
  if (wanted === undefined) return unaskedContract(talos.version)
  const ofVersion = contractOf(talos.version)
  const given = contractOf(wanted)
  return given.minor < ofVersion.minor ? given : ofVersion
}

/** The same by its name, as files and the state have it: `v1.13`. */
export function contractName(spec: ClusterSpec): string {
  return `v1.${contractOfSpec(spec).minor}`
}
