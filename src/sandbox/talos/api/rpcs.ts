import { applyConfigurationRpc } from './apply-configuration-rpc.ts'
import { etcdRpcs } from './etcd-rpcs.ts'
import { eventRpcs } from './event-rpcs.ts'
import { fileRpcs } from './file-rpcs.ts'
import { healthRpcs } from './health-rpcs.ts'
import { imageRpcs } from './image-rpcs.ts'
import { lifecycleRpcs } from './lifecycle-rpcs.ts'
import { logRpcs } from './log-rpcs.ts'
import { machineRpcs } from './machine-rpcs.ts'
import { networkRpcs } from './network-rpcs.ts'
import { powerRpcs } from './power-rpcs.ts'
import type { Rpc } from './rpc.ts'
import { stateRpcs } from './state-rpcs.ts'

/** Every method that simulated nodes answer; gRPC itself says of the others that they are not implemented. */
export const rpcs: readonly Rpc[] = [
  applyConfigurationRpc,
  ...machineRpcs,
  ...eventRpcs,
  ...logRpcs,
  ...fileRpcs,
  ...networkRpcs,
  ...powerRpcs,
  ...etcdRpcs,
  ...imageRpcs,
  ...lifecycleRpcs,
  ...healthRpcs,
  ...stateRpcs,
]
