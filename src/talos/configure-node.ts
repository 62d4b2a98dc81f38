import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { Checked } from '../lib/wait-for.ts'
import { applyConfiguration } from './api/apply-configuration.ts'
import { getMachineStatus } from './api/machine-status.ts'
import { readBootId } from './api/node-file.ts'
import { getVersion, type NodeVersion } from './api/node-version.ts'
import { TalosClient } from './api/talos-client.ts'
import { type AppliedConfig, type ApplyLeave, applyToConfigured } from './apply-to-configured.ts'
import type { TalosCredentials } from './config/talosconfig.ts'
import { probeNode } from './probe-node.ts'
import { type TalosWaitOptions, waitForTalos } from './wait-for-talos.ts'

export interface ConfigureNodeOptions extends TalosWaitOptions {
  /** For messages. */
  readonly name: string
  /** The address that Hetzner gave to the server; never a load balancer's. */
  readonly address: string
  readonly port?: number | undefined
  /** The machine config, YAML. */
  readonly config: string
  readonly credentials: TalosCredentials
  /** For a node that is configured already: `auto` lets it reboot when it must. */
  readonly mode?: ApplyLeave | undefined
  /** Done before an empty node gets its config: only then is it known to be empty. May be repeated. */
  readonly beforeHandOver?: (() => Promise<unknown>) | undefined
}

export interface ConfiguredNode {
  /** Whether it was in maintenance, and so is new. */
  readonly fresh: boolean
  readonly rebooted: boolean
  readonly warnings: readonly string[]
  /** Of the public key that it showed in maintenance. */
  readonly fingerprint: string | undefined
}

/** How long a node may stay in maintenance with a config that it took, before it is handed over again. */
const patienceMs = 60_000

/**
 * Brings a machine config to a node, in whichever state it is, and returns when the node answers with
 * a certificate of this cluster. In maintenance the config is handed over once; a configured node gets
 * it over mutual TLS. Killed at any point and called again, it continues from what it finds.
 *
 * A worker gets its certificate from a control plane, so this ends for workers only after it did for
 * one control plane: call it for all of them at once.
 *
 * Throws `talos-identity` at once when a configured node is not of this cluster; `talos-refused` when
 * the node does not like the config; `wait-timeout` when it does not come.
 */
export function configureNode(options: ConfigureNodeOptions): Promise<ConfiguredNode> {
  const progress: HandOver = {
    handedOverAt: undefined,
    bootId: undefined,
    applied: undefined,
    fingerprint: undefined,
  }
  return waitForTalos(
    `${options.name} (${options.address}) to run with its config`,
    () => step(options, progress),
    options,
    {
      // A worker waits for the first control plane, whose server may be reset and replaced before it boots.
      defaultMs: 20 * 60_000,
      hint: 'Look at the console of the server; a firewall may also keep this machine from port 50000.',
    },
  )
}

/** What this call did so far. */
interface HandOver {
  /** When the config was given to a node in maintenance. */
  handedOverAt: number | undefined
  /** The boot in which a configured node was found. */
  bootId: string | undefined
  /** What it answered to the config. */
  applied: AppliedConfig | undefined
  fingerprint: string | undefined
}

async function step(
  options: ConfigureNodeOptions,
  progress: HandOver,
): Promise<Checked<ConfiguredNode>> {
  const { address, port, signal } = options
  const probe = await probeNode(address, { port, signal })
  switch (probe.state) {
    case 'unreachable':
      return { pending: `it does not answer yet (${probe.reason})` }
    case 'maintenance':
      return handOver(options, progress, probe.fingerprint)
    case 'configured':
      return converge(options, progress)
  }
}

async function handOver(
  { address, port, config, clock, signal, beforeHandOver }: ConfigureNodeOptions,
  progress: HandOver,
  fingerprint: string,
): Promise<Checked<ConfiguredNode>> {
  if (progress.handedOverAt !== undefined && clock.now() < progress.handedOverAt + patienceMs) {
    return { pending: 'it took its config and leaves maintenance' }
  }
  // What is handed over holds secrets: to the holder of the key that was just seen, and nobody else.
  using client = new TalosClient({ address, port, fingerprint, signal })
  const machine = await unlessChanged(getMachineStatus(client))
  if (machine === changedKey) return { pending: changedKey }
  // A node that boots with a config answers for a moment as if it were in maintenance.
  if (machine !== undefined && machine.stage !== 'maintenance') {
    return { pending: `it is ${machine.stage}, not in maintenance` }
  }
  await beforeHandOver?.()
  const applied = await unlessChanged(applyConfiguration(client, config))
  if (applied === changedKey) return { pending: changedKey }
  progress.handedOverAt = clock.now()
  progress.fingerprint = fingerprint
  return { pending: `it took its config; the key that it showed is ${fingerprint}` }
}

const changedKey = 'it shows another key than a moment ago'

/** A node makes a new key with each start, and has another one when it leaves maintenance. */
async function unlessChanged<T>(answer: Promise<T>): Promise<T | typeof changedKey> {
  try {
    return await answer
  } catch (error) {
    if (isClusterError(error, 'talos-identity')) return changedKey
    throw error
  }
}

async function converge(
  options: ConfigureNodeOptions,
  progress: HandOver,
): Promise<Checked<ConfiguredNode>> {
  const { address, port, credentials, signal } = options
  using client = new TalosClient({ address, port, credentials, signal })
  if (progress.handedOverAt !== undefined) {
    refuseOtherPlatform(options.name, await getVersion(client))
    return { done: outcome(progress, false) }
  }
  const bootId = await readBootId(client)
  progress.bootId ??= bootId
  const rebooted = bootId !== progress.bootId
  if (progress.applied === undefined) {
    progress.applied = await applyToConfigured(client, options)
    if (progress.applied.reboots) return { pending: 'it reboots for its config' }
  }
  // When an answer is lost, all that is seen of the reboot is that it was.
  return rebooted || !progress.applied.reboots
    ? { done: outcome(progress, rebooted) }
    : { pending: 'it reboots for its config' }
}

/** On any other platform a node has no provider id, and Hetzner's controllers never know it for theirs. */
function refuseOtherPlatform(name: string, { platform }: NodeVersion): void {
  if (platform === 'hcloud') return
  throw new ClusterError('talos-refused', `${name} runs Talos for ${platform}, not for hcloud`, {
    operation: 'configure a node',
    target: name,
    hint: 'Delete the snapshot that it was made from, and the server, and run again: both are recreated.',
  })
}

function outcome(progress: HandOver, rebooted: boolean): ConfiguredNode {
  return {
    fresh: progress.handedOverAt !== undefined,
    rebooted,
    warnings: progress.applied?.warnings ?? [],
    fingerprint: progress.fingerprint,
  }
}
