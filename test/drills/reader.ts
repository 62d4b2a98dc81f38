import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { CommandBench } from '../cli/command-bench.ts'

/** The machine of somebody who reads the pages. */
export interface Reader {
  readonly home: string
  /** The command is on the PATH, the sandbox is the outside, and nothing of the test's is in it. */
  readonly environment: Readonly<Record<string, string>>
}

const program = resolve(import.meta.dirname, '../../scripts/hcloud-talos.ts')

/** Gives somebody a home with an age identity in it, and the command. */
export async function makeReader(bench: CommandBench): Promise<Reader> {
  const home = join(bench.folder, '..', 'home')
  const bin = join(home, 'bin')
  await mkdir(bin, { recursive: true })
  const identity = join(home, 'age-identity.txt')
  await writeFile(identity, `${bench.identity}\n`, { mode: 0o600 })
  const command = join(bin, 'hcloud-talos')
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  await chmod(command, 0o755)
  const { HCLOUD_TALOS_AGE_IDENTITY: _, ...outside } = bench.environment
  return {
    home,
    environment: {
      ...outside,
      HOME: home,
      PATH: `${bin}:${bench.environment['PATH']}`,
      HCLOUD_TALOS_AGE_IDENTITY_FILE: identity,
    },
  }
}
