import { MachineService } from '../gen/machine/machine_pb.js'
import type { CallOptions, TalosCaller } from '../talos-caller.ts'
import { askOne } from './ask-one.ts'

const { method } = MachineService

/** What a node is, and how it does. All of it is for os:reader. */
export function systemMethods(caller: TalosCaller) {
  return {
    /** The running Talos, and its platform. In maintenance from 1.13; before, `talos-refused`. */
    version: (options?: CallOptions) => askOne(caller, method.version, {}, options),

    /** Its host name. */
    hostname: (options?: CallOptions) => askOne(caller, method.hostname, {}, options),

    /** Runnable processes on average over 1, 5 and 15 minutes. */
    loadAvg: (options?: CallOptions) => askOne(caller, method.loadAvg, {}, options),

    /** The kernel's `/proc/meminfo`; each figure in KiB, but for the counts of huge pages. */
    memory: (options?: CallOptions) => askOne(caller, method.memory, {}, options),

    /** One entry per processor; frequency in MHz, cache as the kernel words it. */
    cpuInfo: (options?: CallOptions) => askOne(caller, method.cPUInfo, {}, options),

    /** One entry per processor; frequencies in kHz. All 0 where the hypervisor hides them. */
    cpuFreqStats: (options?: CallOptions) => askOne(caller, method.cPUFreqStats, {}, options),

    /** The kernel's `/proc/stat`; boot time in seconds since 1970, processor times in seconds. */
    systemStat: (options?: CallOptions) => askOne(caller, method.systemStat, {}, options),

    /** Per block device and in total; sectors of 512 bytes, times in milliseconds. */
    diskStats: (options?: CallOptions) => askOne(caller, method.diskStats, {}, options),

    /** Per network device and in total, since boot. */
    networkDeviceStats: (options?: CallOptions) =>
      askOne(caller, method.networkDeviceStats, {}, options),

    /** Every mounted filesystem; sizes in bytes. */
    mounts: (options?: CallOptions) => askOne(caller, method.mounts, {}, options),

    /** Every process; memory in bytes, processor time in seconds. */
    processes: (options?: CallOptions) => askOne(caller, method.processes, {}, options),
  }
}
