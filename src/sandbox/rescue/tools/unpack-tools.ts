import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Packing, unpackDisk } from '../../factory/disk-image.ts'
import { type Tool, type ToolRun, unknownOption } from './tool.ts'

const known: Readonly<Record<Packing, RegExp>> = {
  xz: /^(-[dckfqvT0-9]+|--(decompress|uncompress|stdout|to-stdout|keep|force|quiet|verbose|threads=\d+))$/,
  zst: /^(-[dckfqvT0-9]+|--(decompress|uncompress|stdout|keep|force|quiet|no-progress|long(=\d+)?))$/,
}

/** Unpacks an image of the sandbox's factory to standard output; a byte that is missing is an error. */
export function unpackTool(name: string, packing: Packing, unpacksAnyway: boolean): Tool {
  return async (run) => {
    const { options, files } = sort(run.args)
    const unknown = options.find((option) => !known[packing].test(option))
    if (unknown !== undefined) return unknownOption(run, name, unknown)
    const decompresses = options.some((option) => /^-[a-z]*d|compress$/.test(option))
    if (!decompresses && !unpacksAnyway) return unknownOption(run, name, 'compression')
    const bytes = await readSource(run, files[0])
    const disk = bytes === undefined ? undefined : unpackDisk(bytes, packing)
    if (disk === undefined) {
      run.err(`${name}: ${files[0] ?? '(stdin)'}: Unexpected end of input\n`)
      return 1
    }
    run.out(disk)
    return 0
  }
}

function sort(args: readonly string[]): { options: string[]; files: string[] } {
  const isFile = (arg: string) => arg === '-' || !arg.startsWith('-')
  return {
    options: args.filter((arg) => !isFile(arg)),
    files: args.filter((arg) => isFile(arg) && arg !== '-'),
  }
}

async function readSource(run: ToolRun, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return await run.readInput()
  try {
    return await readFile(resolve(run.cwd, file))
  } catch {
    return undefined
  }
}
