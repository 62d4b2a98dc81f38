import {
  ApplyConfigurationRequest_Mode,
  MachineService,
  RebootRequest_Mode,
  type ServiceInfo,
} from './gen/machine/machine_pb.js'
import { onlyMessage } from './node-answers.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

const { method } = MachineService

/** How a new config takes effect. */
export type ApplyMode = 'auto' | 'no-reboot' | 'reboot' | 'staged'

const applyModes = {
  auto: ApplyConfigurationRequest_Mode.AUTO,
  'no-reboot': ApplyConfigurationRequest_Mode.NO_REBOOT,
  reboot: ApplyConfigurationRequest_Mode.REBOOT,
  staged: ApplyConfigurationRequest_Mode.STAGED,
} as const

/** What a node says of the software that it runs. */
export interface NodeVersion {
  /** `v1.13.0`. */
  readonly tag: string
  readonly arch: string
  /** `hcloud`. */
  readonly platform: string
}

/** The running version. Before 1.13, a node in maintenance refuses this (unimplemented). */
export async function getVersion(client: TalosCaller, options?: CallOptions): Promise<NodeVersion> {
  const { messages } = await client.unary(method.version, {}, options)
  const { version, platform } = onlyMessage(messages, named('Version', client))
  return {
    tag: version?.tag ?? '',
    arch: version?.arch ?? '',
    platform: platform?.name ?? '',
  }
}

export interface AppliedConfiguration {
  readonly warnings: readonly string[]
  /** Whether the node reboots for it. */
  readonly reboots: boolean
  /** In the node's own words. */
  readonly details: string
}

/**
 * Hands a node its machine config (YAML). The node validates it; what it does not like is
 * `talos-refused` with its reason. `dryRun` validates and changes nothing.
 */
export async function applyConfiguration(
  client: TalosCaller,
  config: string,
  { mode = 'auto', dryRun = false }: { mode?: ApplyMode; dryRun?: boolean } = {},
  options?: CallOptions,
): Promise<AppliedConfiguration> {
  const { messages } = await client.unary(
    method.applyConfiguration,
    { data: new TextEncoder().encode(config), mode: applyModes[mode], dryRun },
    { timeoutMs: 60_000, ...options },
  )
  const applied = onlyMessage(messages, named('ApplyConfiguration', client))
  return {
    warnings: applied.warnings,
    reboots: applied.mode === ApplyConfigurationRequest_Mode.REBOOT,
    details: applied.modeDetails,
  }
}

/** Creates the etcd cluster on this node. To be called once in a cluster's life: see bootstrapEtcd. */
export async function bootstrap(client: TalosCaller, options?: CallOptions): Promise<void> {
  const { messages } = await client.unary(method.bootstrap, {}, options)
  onlyMessage(messages, named('Bootstrap', client))
}

/** The services of the node (etcd, kubelet, apid, ...), with state and health. */
export async function listServices(
  client: TalosCaller,
  options?: CallOptions,
): Promise<readonly ServiceInfo[]> {
  const { messages } = await client.unary(method.serviceList, {}, options)
  return onlyMessage(messages, named('ServiceList', client)).services
}

/** Reboots the node; the answer comes before it goes down. */
export async function reboot(client: TalosCaller, options?: CallOptions): Promise<void> {
  const { messages } = await client.unary(
    method.reboot,
    { mode: RebootRequest_Mode.DEFAULT },
    options,
  )
  onlyMessage(messages, named('Reboot', client))
}

/**
 * Wipes the node's state and data and reboots it into maintenance. The partitions are named because a
 * reset without names wipes the boot disk, and a Hetzner server does not boot again after that.
 * `graceful` makes it leave etcd and drain first.
 */
export async function reset(
  client: TalosCaller,
  { graceful }: { readonly graceful: boolean },
  options?: CallOptions,
): Promise<void> {
  const { messages } = await client.unary(
    method.reset,
    {
      graceful,
      reboot: true,
      systemPartitionsToWipe: [
        { label: 'STATE', wipe: true },
        { label: 'EPHEMERAL', wipe: true },
      ],
    },
    { timeoutMs: 300_000, ...options },
  )
  onlyMessage(messages, named('Reset', client))
}

/** The text of a file on the node. */
export async function readNodeFile(
  client: TalosCaller,
  path: string,
  options?: CallOptions,
): Promise<string> {
  return new TextDecoder().decode(await collect(client.stream(method.read, { path }, options)))
}

/** The id of this boot: the kernel makes a new one at each start. */
export async function readBootId(client: TalosCaller, options?: CallOptions): Promise<string> {
  return (await readNodeFile(client, '/proc/sys/kernel/random/boot_id', options)).trim()
}

/** The kubeconfig that a control plane makes: a tar.gz with one file `kubeconfig`. */
export function fetchKubeconfigArchive(
  client: TalosCaller,
  options?: CallOptions,
): Promise<Uint8Array> {
  return collect(client.stream(method.kubeconfig, {}, options))
}

async function collect(chunks: AsyncIterable<{ bytes: Uint8Array }>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const { bytes } of chunks) parts.push(bytes)
  return new Uint8Array(Buffer.concat(parts))
}

function named(name: string, { address }: TalosCaller): { method: string; address: string } {
  return { method: name, address }
}
