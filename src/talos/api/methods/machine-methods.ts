import type { MessageInitShape } from '@bufbuild/protobuf'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import type { TalosRole } from '../../config/talosconfig.ts'
import {
  ApplyConfigurationRequest_Mode,
  MachineService,
  RebootRequest_Mode,
  ResetRequest_WipeMode,
  type ResetRequestSchema,
  UpgradeRequest_RebootMode,
} from '../gen/machine/machine_pb.js'
import type { CallOptions, TalosCaller } from '../talos-caller.ts'
import { askOne } from './ask-one.ts'
import { followOne } from './follow-one.ts'
import { containerdOf, type ImageStore, imageMs } from './image-store.ts'

const { method } = MachineService

// How long calls that take longer than others may take, in milliseconds, where they say nothing else.
const applyMs = 60_000
const resetMs = 60_000
const recoverMs = 120_000

const applyModes = {
  auto: ApplyConfigurationRequest_Mode.AUTO,
  'no-reboot': ApplyConfigurationRequest_Mode.NO_REBOOT,
  reboot: ApplyConfigurationRequest_Mode.REBOOT,
  staged: ApplyConfigurationRequest_Mode.STAGED,
  try: ApplyConfigurationRequest_Mode.TRY,
} as const
const rebootModes = {
  default: RebootRequest_Mode.DEFAULT,
  powercycle: RebootRequest_Mode.POWERCYCLE,
  force: RebootRequest_Mode.FORCE,
} as const
const wipeModes = {
  all: ResetRequest_WipeMode.ALL,
  'system-disk': ResetRequest_WipeMode.SYSTEM_DISK,
  'user-disks': ResetRequest_WipeMode.USER_DISKS,
} as const
const upgradeRebootModes = {
  default: UpgradeRequest_RebootMode.DEFAULT,
  powercycle: UpgradeRequest_RebootMode.POWERCYCLE,
} as const

/** How a machine config takes effect. */
export interface ApplyConfigurationOptions {
  /**
   * `auto` reboots where it must (Talos 1.14 never does); `no-reboot` and `try` are `talos-refused` where
   * a reboot is needed; `staged` waits for the next; `try` is taken back after `tryMs`. `auto`.
   */
  readonly mode?: keyof typeof applyModes
  /** Milliseconds; a minute. */
  readonly tryMs?: number
  /** Validates, says what would happen, and changes nothing. */
  readonly dryRun?: boolean
}

/** What a reset takes away. Without partitions, all of the disk: a cloud server never boots again. */
export interface ResetOptions {
  /** Whether it leaves etcd and is drained before. */
  readonly graceful: boolean
  /** Whether it comes up again afterwards; it stays off otherwise. */
  readonly reboot: boolean
  /** `STATE`, `EPHEMERAL`. */
  readonly partitions: readonly string[]
  readonly userDisks?: readonly string[]
  readonly mode?: keyof typeof wipeModes
}

/** How an upgrade by the node itself goes (Talos before 1.13). */
export interface UpgradeOptions {
  /** Skips the checks of etcd; its name is history. */
  readonly preserve?: boolean
  /** Writes it with the next boot instead of now. */
  readonly stage?: boolean
  readonly force?: boolean
  readonly rebootMode?: keyof typeof upgradeRebootModes
}

/** The methods from before Talos 1.13 know no other containerd. */
export type KubernetesStore = Exclude<ImageStore, 'system'>

/** A node's config and life. Where nothing else is said, for os:admin. */
export function machineMethods(caller: TalosCaller) {
  return {
    /** Hands over a machine config, YAML. Without credentials too, in maintenance. */
    applyConfiguration: (
      config: string,
      { mode = 'auto', tryMs, dryRun = false }: ApplyConfigurationOptions = {},
      options?: CallOptions,
    ) =>
      askOne(
        caller,
        method.applyConfiguration,
        {
          data: new TextEncoder().encode(config),
          mode: applyModes[mode],
          dryRun,
          ...(tryMs !== undefined && { tryModeTimeout: durationFromMs(tryMs) }),
        },
        { timeoutMs: applyMs, ...options },
      ),

    /** Creates etcd's cluster, or recovers it from the snapshot of `etcdRecover`. Once in a cluster's life. */
    bootstrap: (
      {
        recoverEtcd = false,
        skipHashCheck = false,
      }: { recoverEtcd?: boolean; skipHashCheck?: boolean } = {},
      options?: CallOptions,
    ) =>
      askOne(
        caller,
        method.bootstrap,
        { recoverEtcd, recoverSkipHashCheck: skipHashCheck },
        { ...(recoverEtcd && { timeoutMs: recoverMs }), ...options },
      ),

    /** Reboots; the answer, with the id of what it causes, comes before it goes down. For os:operator. */
    reboot: (mode: keyof typeof rebootModes = 'default', options?: CallOptions) =>
      askOne(caller, method.reboot, { mode: rebootModes[mode] }, options),

    /** Turns it off. `force` does not drain it. For os:operator. */
    shutdown: ({ force = false }: { force?: boolean } = {}, options?: CallOptions) =>
      askOne(caller, method.shutdown, { force }, options),

    /** Boots the Talos that ran before the last upgrade. */
    rollback: (options?: CallOptions) => askOne(caller, method.rollback, {}, options),

    /** Wipes it; the answer comes before it does. */
    reset: (
      { graceful, reboot, partitions, userDisks = [], mode = 'all' }: ResetOptions,
      options?: CallOptions,
    ) => {
      const request: MessageInitShape<typeof ResetRequestSchema> = {
        graceful,
        reboot,
        systemPartitionsToWipe: partitions.map((label) => ({ label, wipe: true })),
        userDisksToWipe: [...userDisks],
        mode: wipeModes[mode],
      }
      return askOne(caller, method.reset, request, { timeoutMs: resetMs, ...options })
    },

    /** Upgrades to an installer image, by itself, up to Talos 1.17; deprecated since 1.13. */
    upgrade: (
      image: string,
      {
        preserve = false,
        stage = false,
        force = false,
        rebootMode = 'default',
      }: UpgradeOptions = {},
      options?: CallOptions,
    ) =>
      askOne(
        caller,
        method.upgrade,
        { image, preserve, stage, force, rebootMode: upgradeRebootModes[rebootMode] },
        { timeoutMs: imageMs, ...options },
      ),

    /** An administrator's kubeconfig, as pieces of a tar.gz with one file `kubeconfig`. Control planes only. */
    kubeconfig: (options?: CallOptions) => followOne(caller, method.kubeconfig, {}, options),

    /** A client's certificate and key of these roles, good for so many milliseconds. Control planes only. */
    generateClientConfiguration: (
      { roles, lifeMs }: { roles: readonly TalosRole[]; lifeMs: number },
      options?: CallOptions,
    ) =>
      askOne(
        caller,
        method.generateClientConfiguration,
        { roles: [...roles], crtTtl: durationFromMs(lifeMs) },
        options,
      ),

    /** Writes a value into the META partition, under a key of one byte. */
    metaWrite: (key: number, value: Uint8Array, options?: CallOptions) =>
      askOne(caller, method.metaWrite, { key, value }, options),

    /** Takes it out. */
    metaDelete: (key: number, options?: CallOptions) =>
      askOne(caller, method.metaDelete, { key }, options),

    /** Images in Kubernetes's containerd; sizes in bytes. Deprecated since 1.13, until 1.17. For os:reader. */
    imageList: (store: KubernetesStore, options?: CallOptions) =>
      followOne(caller, method.imageList, { namespace: containerdOf(store).namespace }, options),

    /** Pulls one, deprecated likewise. For os:operator. */
    imagePull: (reference: string, store: KubernetesStore, options?: CallOptions) =>
      askOne(
        caller,
        method.imagePull,
        { reference, namespace: containerdOf(store).namespace },
        { timeoutMs: imageMs, ...options },
      ),
  }
}
