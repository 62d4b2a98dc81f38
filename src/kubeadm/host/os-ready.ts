import { clock, cloudNetworkSetup, distribution, selinux } from './checks/distribution.ts'
import { firewall } from './checks/firewall.ts'
import { containerTools, firstBoot, machineId } from './checks/host-basics.ts'
import { cgroups, kernelModules, runningKernel, sysctls } from './checks/kernel.ts'
import { swap } from './checks/swap.ts'
import type { HostCheck, HostStep } from './host-check.ts'

/** Who reaches a host through its firewall. */
export interface OsReadyOptions {
  readonly podRange: string
  /** Addresses of the other nodes, as they reach it. */
  readonly nodes: readonly string[]
}

/**
 * The operating system of a host is fit for a node. Whether the ports of the nodes reach one another is not among it: that
 * takes two hosts.
 */
export function osReady(options: OsReadyOptions): HostStep {
  return { ...firewallStep(options), checks: osChecks }
}

/** The part of it that changes for the nodes of a cluster when another one joins. */
export function firewallStep({ podRange, nodes }: OsReadyOptions): HostStep {
  return { id: 'os_ready', parameters: ['pods'], args: [podRange, ...nodes], checks: [firewall] }
}

export const osChecks: readonly HostCheck[] = [
  distribution,
  cgroups,
  runningKernel,
  machineId,
  firstBoot,
  containerTools,
  swap,
  kernelModules,
  sysctls,
  selinux,
  firewall,
  cloudNetworkSetup,
  clock,
]
