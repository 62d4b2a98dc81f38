import { clock, cloudNetworkSetup, distribution, selinux } from './checks/distribution.ts'
import { containerTools, firstBoot, machineId } from './checks/host-basics.ts'
import { cgroups, kernelModules, runningKernel, sysctls } from './checks/kernel.ts'
import { swap } from './checks/swap.ts'
import type { HostStep } from './host-check.ts'

/**
 * The operating system of a host is fit for a node. Whether the ports of the nodes reach one another is not among it: that
 * takes two hosts.
 */
export function osReady(): HostStep {
  return {
    id: 'os_ready',
    parameters: [],
    args: [],
    checks: [
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
      cloudNetworkSetup,
      clock,
    ],
  }
}
