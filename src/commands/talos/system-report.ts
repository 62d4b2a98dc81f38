import { formatBytes } from '../../lib/format-bytes.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import { type TalosReport, tableOf } from './report.ts'

/** The processes of a node, those that hold most memory first. */
export async function processesReport({ machine }: TalosApi): Promise<TalosReport> {
  const { processes } = await machine.processes()
  const facts = processes.map((each) => ({
    pid: each.pid,
    state: each.state,
    threads: each.threads,
    cpuSeconds: each.cpuTime,
    memory: Number(each.residentMemory),
    command: each.args || each.command,
  }))
  return tableOf(
    facts.toSorted((a, b) => b.memory - a.memory || a.pid - b.pid),
    [
      ['PID', (each) => each.pid],
      ['STATE', (each) => each.state],
      ['THREADS', (each) => each.threads],
      ['CPU', (each) => `${each.cpuSeconds.toFixed(2)} s`],
      ['MEMORY', (each) => formatBytes(each.memory)],
      ['COMMAND', (each) => each.command],
    ],
    (each) => each,
  )
}

/** The memory of a node, in bytes. */
export async function memoryReport({ machine }: TalosApi): Promise<TalosReport> {
  const { meminfo } = await machine.memory()
  // The kernel counts in KiB.
  const bytes = (kibibytes: bigint | undefined) => Number(kibibytes ?? 0n) * 1_024
  const facts = {
    total: bytes(meminfo?.memtotal),
    free: bytes(meminfo?.memfree),
    available: bytes(meminfo?.memavailable),
    buffers: bytes(meminfo?.buffers),
    cached: bytes(meminfo?.cached),
    shared: bytes(meminfo?.shmem),
  }
  return tableOf(
    [facts],
    [
      ['TOTAL', (each) => formatBytes(each.total)],
      ['USED', (each) => formatBytes(each.total - each.free - each.cached - each.buffers)],
      ['FREE', (each) => formatBytes(each.free)],
      ['SHARED', (each) => formatBytes(each.shared)],
      ['BUFFERS', (each) => formatBytes(each.buffers)],
      ['CACHE', (each) => formatBytes(each.cached)],
      ['AVAILABLE', (each) => formatBytes(each.available)],
    ],
    (each) => each,
  )
}

/** What is mounted on a node, and how full it is. */
export async function mountsReport({ machine }: TalosApi): Promise<TalosReport> {
  const { stats } = await machine.mounts()
  return tableOf(
    stats.map(({ filesystem, size, available, mountedOn }) => ({
      filesystem,
      size: Number(size),
      available: Number(available),
      mountedOn,
    })),
    [
      ['FILESYSTEM', (each) => each.filesystem],
      ['SIZE', (each) => formatBytes(each.size)],
      ['USED', (each) => formatBytes(each.size - each.available)],
      ['AVAILABLE', (each) => formatBytes(each.available)],
      ['USED %', (each) => (each.size > 0 ? usedPercent(each).toFixed(1) : '')],
      ['MOUNTED ON', (each) => each.mountedOn],
    ],
    (each) => each,
  )
}

function usedPercent({ size, available }: { size: number; available: number }): number {
  return ((size - available) / size) * 100
}
