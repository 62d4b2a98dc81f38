import { access, mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mustRun } from './run-tool.ts'

const pythonClient = 'hcloud==2.27.0'

function cacheFolder(): string {
  return process.env['HCLOUD_TALOS_PEERS_CACHE'] ?? join(homedir(), '.cache', 'hcloud-talos-peers')
}

/** A Python with Hetzner's own client, made once and kept; its path. */
export async function setupPython(): Promise<string> {
  const venv = join(cacheFolder(), pythonClient.replace('==', '-'))
  const python = join(venv, 'bin', 'python')
  if (await exists(join(venv, 'installed'))) return python
  await mkdir(cacheFolder(), { recursive: true })
  await mustRun('python3', ['-m', 'venv', '--clear', venv])
  await mustRun(python, ['-m', 'pip', 'install', '--quiet', pythonClient])
  await mustRun('touch', [join(venv, 'installed')])
  return python
}

/** Our small program on Hetzner's Go SDK, built; its path. */
export async function setupGo(): Promise<string> {
  const binary = join(cacheFolder(), 'hcloud-go-peer')
  const cwd = fileURLToPath(new URL('./go/', import.meta.url))
  await mkdir(cacheFolder(), { recursive: true })
  await mustRun('go', ['build', '-o', binary, '.'], { cwd })
  return binary
}

/** Debian's hcloud, installed where it is missing; its name. */
export async function setupCli(): Promise<string> {
  if (await exists('/usr/bin/hcloud')) return '/usr/bin/hcloud'
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  try {
    await mustRun('apt-get', ['install', '--yes', '--quiet', 'hcloud-cli'], { env })
  } catch {
    await mustRun('apt-get', ['update', '--quiet'], { env })
    await mustRun('apt-get', ['install', '--yes', '--quiet', 'hcloud-cli'], { env })
  }
  return '/usr/bin/hcloud'
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
