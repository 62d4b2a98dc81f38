import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * The path of a program of Go, built from the module in a folder; once for each state of its sources.
 * `modFile` is another `go.mod` of the folder, for other versions of what the program requires. Fails
 * where Go or the modules cannot be had: a peer that is not there has judged nothing.
 */
export async function buildGo(source: string, modFile = 'go.mod'): Promise<string> {
  const folder =
    process.env['HCLOUD_TALOS_PEERS_CACHE'] ?? join(homedir(), '.cache', 'hcloud-talos-peers')
  const modules = [modFile, modFile.replace(/mod$/, 'sum')]
  const digest = createHash('sha256')
  for (const name of readdirSync(source).sort()) {
    if (name.endsWith('.go') || modules.includes(name))
      digest.update(readFileSync(join(source, name)))
  }
  const binary = join(folder, `${basename(source)}-${digest.digest('hex').slice(0, 16)}`)
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true })
    await promisify(execFile)(
      'go',
      ['build', `-modfile=${modFile}`, '-trimpath', '-o', binary, '.'],
      { cwd: source },
    )
  }
  return binary
}
