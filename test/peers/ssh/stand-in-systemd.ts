import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  systemdFile,
  systemdPrograms,
} from '../../../src/sandbox/hosts/programs/systemd-programs.ts'

/** Writes the stand-ins for systemd; returns their folder. Real ones need a machine that systemd has started. */
export async function installSystemd(folder: string): Promise<string> {
  const bin = join(folder, 'bin')
  for (const each of ['bin', 'units', 'started']) await mkdir(join(folder, each))
  for (const [name, text] of Object.entries(systemdPrograms)) {
    await writeFile(join(bin, name), systemdFile(text, '$(dirname -- "$0")/..'), { mode: 0o755 })
  }
  return bin
}
