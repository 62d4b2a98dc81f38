import type { JsonObject } from '../../lib/json.ts'
import type { ConfigContext } from './config-input.ts'

/**
 * LUKS2 under a key derived from the machine's own id: it protects a disk that leaves its machine, and
 * needs nobody to type anything. Synchronous work queues are for spinning disks.
 */
const encryption = {
  provider: 'luks2',
  keys: [{ slot: 0, nodeID: {} }],
  options: ['no_read_workqueue', 'no_write_workqueue'],
}

/** `machine.systemDiskEncryption`, for contracts before 1.11. */
export function diskEncryptionSection({ spec, contract }: ConfigContext): JsonObject {
  if (!spec.talos.diskEncryption || contract.volumeDocuments) return {}
  return { systemDiskEncryption: { state: encryption, ephemeral: encryption } }
}

/** VolumeConfig documents, for contracts since 1.11. */
export function diskEncryptionDocuments({ spec, contract }: ConfigContext): JsonObject[] {
  if (!spec.talos.diskEncryption || !contract.volumeDocuments) return []
  return ['STATE', 'EPHEMERAL'].map((name) => ({
    apiVersion: 'v1alpha1',
    kind: 'VolumeConfig',
    name,
    encryption,
  }))
}
