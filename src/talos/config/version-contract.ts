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
}

const oldest = 9
/** 1.14 reads the configs of 1.13; its own shape, with a document for each component, is not made here yet. */
const newest = 13

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
  }
}

/**
 * The contract of a cluster's configs: the file's, or that of its Talos. A node that runs an older Talos than
 * the contract, as in the middle of an upgrade, gets what it can read.
 */
export function contractOfSpec({ talos }: ClusterSpec): VersionContract {
  const ofVersion = contractOf(talos.version)
  if (talos.contract === undefined) return ofVersion
  const given = contractOf(talos.contract)
  return given.minor < ofVersion.minor ? given : ofVersion
}
