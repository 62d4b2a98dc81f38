import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { device, type Tool, type ToolRun, unknownOption } from './tool.ts'

/** Empties the disk. */
export const blkdiscard: Tool = async (run) => {
  const target = run.args.find((arg) => !arg.startsWith('-'))
  const unknown = run.args.find(
    (arg) => arg.startsWith('-') && !['-f', '--force', '-v', '--verbose'].includes(arg),
  )
  if (unknown !== undefined) return unknownOption(run, 'blkdiscard', unknown)
  if (target !== device) {
    run.err(`blkdiscard: cannot open ${target}: No such file or directory\n`)
    return 1
  }
  run.host.disk.discard()
  return 0
}

const ddOperands = new Set([
  'if',
  'of',
  'bs',
  'ibs',
  'obs',
  'conv',
  'iflag',
  'oflag',
  'status',
  'count',
])

/** Copies standard input or a file onto the disk or into a file; knows no offsets. */
export const dd: Tool = async (run) => {
  const operands = new Map(run.args.map((arg) => splitOperand(arg)))
  const unknown = [...operands.keys()].find((name) => !ddOperands.has(name))
  if (unknown !== undefined) return unknownOption(run, 'dd', unknown)
  const [from, to] = [operands.get('if'), operands.get('of')]
  const bytes = await readSource(run, from)
  if (bytes === undefined) {
    run.err(`dd: failed to open '${from}': No such file or directory\n`)
    return 1
  }
  if (to === device) run.host.disk.write(bytes)
  else if (to?.startsWith('/dev/')) return unknownOption(run, 'dd', to)
  else if (to === undefined) run.out(bytes)
  else await writeFile(resolve(run.cwd, to), bytes)
  if (operands.get('status') !== 'none') run.err(`${bytes.length} bytes copied\n`)
  return 0
}

/** Lists the one disk of the machine. */
export const lsblk: Tool = async (run) => {
  const sizes: Record<string, string> = {
    NAME: 'sda',
    SIZE: '38.1G',
    TYPE: 'disk',
    MOUNTPOINTS: '',
  }
  const flags = run.args.filter((arg) => arg.startsWith('-'))
  const outputAt = run.args.findIndex(
    (arg) => ['-o', '--output'].includes(arg) || /^-[a-z]*o$/.test(arg),
  )
  const columns = outputAt < 0 ? Object.keys(sizes) : (run.args[outputAt + 1] ?? '').split(',')
  const has = (short: string, long: string) =>
    flags.some((flag) => flag === long || new RegExp(`^-[a-z]*${short}`, 'i').test(flag))
  if (has('b', '--bytes')) sizes['SIZE'] = String(40_961_572_864)
  const rows = columns.map((column) => sizes[column.toUpperCase()] ?? '')
  if (flags.some((flag) => flag === '-J' || flag === '--json')) {
    const device = Object.fromEntries(columns.map((name, at) => [name.toLowerCase(), rows[at]]))
    run.out(`${JSON.stringify({ blockdevices: [device] })}\n`)
    return 0
  }
  if (!has('n', '--noheadings')) run.out(`${columns.join(' ')}\n`)
  run.out(`${rows.join(' ').trimEnd()}\n`)
  return 0
}

function splitOperand(arg: string): [string, string] {
  const at = arg.indexOf('=')
  return at < 0 ? [arg, ''] : [arg.slice(0, at), arg.slice(at + 1)]
}

async function readSource(run: ToolRun, from: string | undefined): Promise<Buffer | undefined> {
  if (from === undefined) return await run.readInput()
  if (from === device) return run.host.disk.read()
  if (from === '/dev/zero') return Buffer.alloc(1024)
  try {
    return await readFile(resolve(run.cwd, from))
  } catch {
    return undefined
  }
}
