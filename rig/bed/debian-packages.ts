import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeArtefact } from './make-artefact.ts'
import { runTethered } from './run-tethered.ts'
import type { Workshop } from './workshop.ts'

/** What is taken from the host's distribution: with what it depends on, but never installed. */
const packages = ['busybox-static', 'ca-certificates', 'debootstrap', 'nftables', 'runc', 'tzdata']

/** For debootstrap, where the host is of another family. */
const keyring = 'debian-archive-keyring'

/**
 * The packages unpacked into one tree, `tree`, beside `packages.txt` with their versions. They come by
 * apt from the host's own sources, whose versions move with it: what is pinned is the list, and what
 * was once made is kept. Lists and archives of apt lie in the draft, so the host's are left alone.
 */
export async function makeDebianPackages(workshop: Workshop): Promise<string> {
  return makeArtefact(workshop, {
    name: 'debian-packages',
    inputs: { format: 1, packages, keyring },
    make: (draft) => unpackPackages(workshop, draft),
  })
}

async function unpackPackages(workshop: Workshop, draft: string): Promise<void> {
  const { path, signal } = workshop
  const state = join(draft, 'apt')
  const archives = join(state, 'archives')
  const tree = join(draft, 'tree')
  for (const folder of ['lists/partial', 'archives/partial']) {
    await mkdir(join(state, folder), { recursive: true })
  }
  await mkdir(tree)
  // Nothing counts as installed: whatever a package depends on is fetched with it.
  await writeFile(join(state, 'status'), '')
  const options = Object.entries({
    'Dir::State': state,
    'Dir::State::lists': join(state, 'lists'),
    'Dir::State::status': join(state, 'status'),
    'Dir::Cache': state,
    'Dir::Cache::archives': archives,
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': 'root',
    'Debug::NoLocking': 'true',
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const apt = (...args: readonly string[]) =>
    runTethered({ command: ['apt-get', '--quiet', '--yes', ...options, ...args], path, signal })

  workshop.report('debian packages: reading lists')
  await apt('update')
  workshop.report('debian packages: downloading')
  await apt('--download-only', 'install', ...packages, keyring)
  const files = (await readdir(archives)).filter((name) => name.endsWith('.deb')).sort()
  for (const file of files) {
    await runTethered({
      command: ['dpkg-deb', '--extract', join(archives, file), tree],
      path,
      signal,
    })
  }
  await writeFile(join(draft, 'packages.txt'), `${files.join('\n')}\n`)
  await rm(state, { recursive: true })
}
