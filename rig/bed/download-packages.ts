import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runTethered } from './run-tethered.ts'
import type { Workshop } from './workshop.ts'

export interface PackageDownload {
  /** A folder for what apt keeps, which goes afterwards. */
  readonly state: string
  /** What counts as installed, as dpkg writes it down. */
  readonly status: string
  readonly packages: readonly string[]
  /** What is made of them, in reports. */
  readonly name: string
}

/**
 * Packages of this machine's own sources, with what they depend on and `status` does not have. Lists and archives of apt
 * lie in `state`, so the machine's are left alone. Returns the folder of the archives, and their names in order.
 */
export async function downloadPackages(
  { path, signal, report }: Workshop,
  { state, status, packages, name }: PackageDownload,
): Promise<{ readonly archives: string; readonly files: readonly string[] }> {
  const archives = join(state, 'archives')
  for (const folder of ['lists/partial', 'archives/partial']) {
    await mkdir(join(state, folder), { recursive: true })
  }
  const options = Object.entries({
    'Dir::State': state,
    'Dir::State::lists': join(state, 'lists'),
    'Dir::State::status': status,
    'Dir::Cache': state,
    'Dir::Cache::archives': archives,
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': 'root',
    'Debug::NoLocking': 'true',
  }).flatMap(([option, value]) => ['-o', `${option}=${value}`])
  const apt = (...args: readonly string[]) =>
    runTethered({ command: ['apt-get', '--quiet', '--yes', ...options, ...args], path, signal })
  report(`${name}: reading lists`)
  await apt('update')
  report(`${name}: downloading`)
  await apt('--download-only', 'install', ...packages)
  const files = (await readdir(archives)).filter((file) => file.endsWith('.deb')).sort()
  return { archives, files }
}
