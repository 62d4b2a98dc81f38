import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { downloadPackages } from './download-packages.ts'
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
 * was once made is kept.
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
  const tree = join(draft, 'tree')
  await mkdir(state)
  await mkdir(tree)
  // Nothing counts as installed: whatever a package depends on is fetched with it.
  const status = join(state, 'status')
  await writeFile(status, '')
  const { archives, files } = await downloadPackages(workshop, {
    state,
    status,
    packages: [...packages, keyring],
    name: 'debian packages',
  })
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
