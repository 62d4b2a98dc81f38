import { basename } from 'node:path'
import { bytesOf } from '../../lib/bytes-of.ts'
import { formatBytes } from '../../lib/format-bytes.ts'
import type { Json } from '../../lib/json.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import {
  type Figure,
  figureIn,
  figureOfKey,
  figureOfPair,
  linesOf,
  pairsOf,
  wordsIn,
} from './cgroup-values.ts'
import { type Cgroup, cgroupsIn } from './cgroups.ts'
import type { TalosReport } from './report.ts'

/** What of the control groups is shown, by the names that talosctl has for it. */
export type CgroupPreset = 'cpu' | 'cpuset' | 'io' | 'memory' | 'process' | 'psi' | 'swap'

type Files = Cgroup['files']

/** A column, by its key in data. */
type Field = readonly [
  key: string,
  title: string,
  read: (files: Files, processes: ReadonlyMap<string, string>) => Json,
  show?: (value: Json) => string,
]

const bytes = (value: Json) => (typeof value === 'number' ? formatBytes(value) : shown(value))
const seconds = (value: Json) =>
  typeof value === 'number' ? `${value.toFixed(2)} s` : shown(value)
const percent = (value: Json) =>
  typeof value === 'number' ? `${value.toFixed(2)} %` : shown(value)

function amount(key: string, title: string, file: string, show = bytes): Field {
  return [key, title, (files) => figureIn(files.get(file)), show]
}

function pressure(key: string, title: string, file: string, of: 'some' | 'full', window = 'avg10') {
  const read = (files: Files) => figureOfPair(files.get(file), of, window)
  return [key, title, read, percent] as const satisfies Field
}

/** The kernel counts microseconds. */
function time(key: string, title: string, read: (files: Files) => Figure): Field {
  const inSeconds = (value: Figure) => (typeof value === 'number' ? value / 1e6 : value)
  return [key, title, (files) => inSeconds(read(files)), seconds]
}

const cpuTime = (key: string, title: string, name: string) =>
  time(key, title, (files) => figureOfKey(files.get('cpu.stat'), name))
const words = (key: string, title: string, file: string): Field => [
  key,
  title,
  (files) => wordsIn(files.get(file)),
]

const fields: Readonly<Record<CgroupPreset, readonly Field[]>> = {
  cpu: [
    amount('weight', 'WEIGHT', 'cpu.weight', shown),
    amount('nice', 'NICE', 'cpu.weight.nice', shown),
    words('max', 'MAX', 'cpu.max'),
    cpuTime('userSeconds', 'USER', 'user_usec'),
    cpuTime('systemSeconds', 'SYSTEM', 'system_usec'),
    cpuTime('throttledSeconds', 'THROTTLED', 'throttled_usec'),
  ],
  cpuset: [
    words('cpus', 'CPUS', 'cpuset.cpus'),
    words('effectiveCpus', 'EFFECTIVE', 'cpuset.cpus.effective'),
    words('memoryNodes', 'MEMORY NODES', 'cpuset.mems'),
    words('effectiveMemoryNodes', 'EFFECTIVE', 'cpuset.mems.effective'),
  ],
  io: [
    ['devices', 'READ/WRITTEN', (files) => devicesOf(files), showDevices],
    pressure('some10', 'PRESSURE 10 s', 'io.pressure', 'some'),
    pressure('some60', '60 s', 'io.pressure', 'some', 'avg60'),
    time('pressureSeconds', 'TOTAL', (files) =>
      figureOfPair(files.get('io.pressure'), 'some', 'total'),
    ),
  ],
  memory: [
    amount('current', 'CURRENT', 'memory.current'),
    amount('peak', 'PEAK', 'memory.peak'),
    amount('min', 'MIN', 'memory.min'),
    amount('low', 'LOW', 'memory.low'),
    amount('high', 'HIGH', 'memory.high'),
    amount('max', 'MAX', 'memory.max'),
  ],
  process: [
    amount('current', 'TASKS', 'pids.current', shown),
    amount('peak', 'PEAK', 'pids.peak', shown),
    amount('max', 'MAX', 'pids.max', shown),
    ['threads', 'THREADS', (files) => linesOf(files.get('cgroup.threads')).length],
    [
      'processes',
      'PROCESSES',
      (files, names) =>
        linesOf(files.get('cgroup.procs')).map((pid) => ({
          pid: Number(pid),
          name: names.get(pid) ?? '',
        })),
      showProcesses,
    ],
  ],
  psi: [
    amount('memory', 'MEMORY', 'memory.current'),
    pressure('memorySome', 'MEMORY SOME', 'memory.pressure', 'some'),
    pressure('memoryFull', 'MEMORY FULL', 'memory.pressure', 'full'),
    pressure('cpuFull', 'CPU FULL', 'cpu.pressure', 'full'),
    pressure('ioFull', 'IO FULL', 'io.pressure', 'full'),
  ],
  swap: [
    amount('current', 'CURRENT', 'memory.swap.current'),
    amount('peak', 'PEAK', 'memory.swap.peak'),
    amount('high', 'HIGH', 'memory.swap.high'),
    amount('max', 'MAX', 'memory.swap.max'),
    amount('zswap', 'ZSWAP', 'memory.zswap.current'),
    amount('zswapMax', 'ZSWAP MAX', 'memory.zswap.max'),
    amount('zswapWriteback', 'WRITEBACK', 'memory.zswap.writeback', shown),
  ],
}

/** The control groups of a node as a tree, with what they take; those of pods by the names of pods and containers. */
export async function cgroupsReport(api: TalosApi, preset: CgroupPreset): Promise<TalosReport> {
  const pieces = api.machine.copy('/sys/fs/cgroup', { timeoutMs: 60_000 })
  const [groups, names, processes] = await Promise.all([
    cgroupsIn(bytesOf(pieces)),
    // Without Kubernetes's containerd its groups keep the names that they have.
    podNames(api).catch(() => new Map<string, string>()),
    preset === 'process' ? processNames(api) : new Map<string, string>(),
  ])
  return cgroupTable(groups, preset, { names, processes })
}

/** Names by the last part of a group's path, and those of processes by their numbers. */
interface KnownNames {
  readonly names: ReadonlyMap<string, string>
  readonly processes: ReadonlyMap<string, string>
}

export function cgroupTable(
  groups: readonly Cgroup[],
  preset: CgroupPreset,
  { names, processes }: KnownNames,
): TalosReport {
  const columns = fields[preset]
  const rows = groups.map(({ path, files }) => ({
    path,
    values: columns.map(([, , read]) => read(files, processes)),
  }))
  return {
    columns: ['GROUP', ...columns.map(([, title]) => title)],
    rows: rows.map(({ path, values }) => [
      treeName(path, names),
      ...values.map((value, index) => (columns[index]?.[3] ?? shown)(value)),
    ]),
    data: rows.map(({ path, values }) => {
      const name = names.get(path.at(-1) ?? '')
      return {
        group: `/${path.join('/')}`,
        ...(name !== undefined && { name }),
        ...Object.fromEntries(columns.map(([key], index) => [key, values[index] ?? null])),
      }
    }),
  }
}

/** Groups are named by the uids of pods and the ids of containers. */
async function podNames({ machine }: TalosApi): Promise<Map<string, string>> {
  const { containers } = await machine.containers('k8s.io')
  const names = new Map<string, string>()
  for (const { uid, podId, internalId, name } of containers) {
    if (uid !== '' && podId !== '') names.set(`pod${uid}`, podId)
    if (internalId !== '') names.set(internalId, name === podId ? 'sandbox' : name)
  }
  return names
}

async function processNames({ machine }: TalosApi): Promise<Map<string, string>> {
  const { processes } = await machine.processes()
  return new Map(
    processes.map(({ pid, executable, command, args }) => [
      String(pid),
      basename(executable || command || (args.split(' ')[0] ?? '')),
    ]),
  )
}

function treeName(path: readonly string[], names: ReadonlyMap<string, string>): string {
  const own = path.at(-1)
  if (own === undefined) return '/'
  return `${'  '.repeat(path.length - 1)}${names.get(own) ?? own}`
}

/** Devices by the numbers that the kernel has for them; those that nothing was read from or written to have no figures. */
function devicesOf(files: Files): Json {
  const devices = [...pairsOf(files.get('io.stat'))].filter(([, pairs]) => pairs.size > 0)
  return Object.fromEntries(
    devices.map(([device, pairs]) => {
      const figure = (key: string) => Number(pairs.get(key) ?? 0)
      return [
        device,
        {
          readBytes: figure('rbytes'),
          writtenBytes: figure('wbytes'),
          reads: figure('rios'),
          writes: figure('wios'),
        },
      ]
    }),
  )
}

function showDevices(value: Json): string {
  const devices = Object.entries(value ?? {})
  return devices
    .map(([name, { readBytes, writtenBytes }]) => {
      return `${name}: ${formatBytes(readBytes)}/${formatBytes(writtenBytes)}`
    })
    .join(', ')
}

function showProcesses(value: Json): string {
  if (!Array.isArray(value)) return ''
  const all = value.map(({ pid, name }) => name || String(pid))
  const some = all.slice(0, 4).join(', ')
  return all.length > 4 ? `${some}, and ${all.length - 4} more` : some
}

function shown(value: Json): string {
  return value === null ? '' : String(value)
}
