import { ClusterService } from '../gen/cluster/cluster_pb.js'
import { InspectService } from '../gen/inspect/inspect_pb.js'
import { BlockDeviceWipeDescriptor_Method, StorageService } from '../gen/storage/storage_pb.js'
import { TimeService } from '../gen/time/time_pb.js'
import type { CallOptions, TalosCaller } from '../talos-caller.ts'
import { askOne } from './ask-one.ts'
import { followOne } from './follow-one.ts'

/** The clock of a node. For os:reader. */
export function timeMethods(caller: TalosCaller) {
  return {
    /** Its time, beside that of the time server that it uses. */
    time: (options?: CallOptions) => askOne(caller, TimeService.method.time, {}, options),

    /** Its time, beside that of `server`. */
    timeCheck: (server: string, options?: CallOptions) =>
      askOne(caller, TimeService.method.timeCheck, { server }, options),
  }
}

const wipeMethods = {
  fast: BlockDeviceWipeDescriptor_Method.FAST,
  zeroes: BlockDeviceWipeDescriptor_Method.ZEROES,
} as const

export interface WipedDevice {
  /** `sdb`, without `/dev`. */
  readonly device: string
  /** `fast` takes what names a filesystem; `zeroes` takes every byte. */
  readonly method: keyof typeof wipeMethods
  /** Whether a volume of Talos on it does not keep it from being wiped. */
  readonly skipVolumeCheck?: boolean
  /** Whether one that it is a part of does not. */
  readonly skipSecondaryCheck?: boolean
  /** Whether the partition goes with what is in it. */
  readonly dropPartition?: boolean
}

/** The disks of a node. */
export function storageMethods(caller: TalosCaller) {
  return {
    /** Every one; sizes in bytes. For os:reader. */
    disks: (options?: CallOptions) => askOne(caller, StorageService.method.disks, {}, options),

    /** Wipes disks or partitions. For os:admin; without credentials too, in maintenance. */
    blockDeviceWipe: (devices: readonly WipedDevice[], options?: CallOptions) =>
      askOne(
        caller,
        StorageService.method.blockDeviceWipe,
        { devices: devices.map((device) => ({ ...device, method: wipeMethods[device.method] })) },
        options,
      ),
  }
}

/** How a node's controllers hang together. For os:reader. */
export function inspectMethods(caller: TalosCaller) {
  return {
    controllerRuntimeDependencies: (options?: CallOptions) =>
      askOne(caller, InspectService.method.controllerRuntimeDependencies, {}, options),
  }
}

export interface HealthQuery {
  /** Private addresses: the control plane that is asked reaches the others by them. */
  readonly controlPlanes: readonly string[]
  readonly workers: readonly string[]
  /** How long it waits for all to be well, in milliseconds. */
  readonly waitMs: number
  /** Another Kubernetes endpoint than that of the config. */
  readonly endpoint?: string
}

/** The cluster, as one of its control planes judges it. For os:reader. */
export function clusterMethods(caller: TalosCaller) {
  return {
    /** One sentence after the other while it waits; ends when all is well, else with what is not. */
    healthCheck: (
      { controlPlanes, workers, waitMs, endpoint = '' }: HealthQuery,
      options?: CallOptions,
    ) =>
      followOne(
        caller,
        ClusterService.method.healthCheck,
        {
          waitTimeout: { seconds: BigInt(Math.ceil(waitMs / 1_000)) },
          clusterInfo: {
            controlPlaneNodes: [...controlPlanes],
            workerNodes: [...workers],
            forceEndpoint: endpoint,
          },
        },
        options,
      ),
  }
}
