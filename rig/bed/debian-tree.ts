import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RigError } from '../rig-error.ts'
import { runTethered } from './run-tethered.ts'
import { program, type TreeEntry } from './tree-entry.ts'
import type { Workshop } from './workshop.ts'

const libraryFolders = ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu']
const loader = 'ld-linux-x86-64.so.2'

/**
 * The first of `places` that is in the tree: distributions that merged /bin into /usr/bin have a file
 * in another place than those that have not. Absolute.
 */
export async function findInTree(tree: string, ...places: readonly string[]): Promise<string> {
  for (const place of places) {
    const path = join(tree, place)
    const found = await access(path).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  throw new RigError(
    `the packages unpacked in ${tree} lack ${places.join(' or ')}`,
    'Use a Debian 12 or newer, or an Ubuntu of its age.',
  )
}

/** A program of the tree, with the loader and libraries that it needs in the places where those look for them. */
export async function dynamicProgram(
  workshop: Workshop,
  tree: string,
  path: string,
  from: string,
): Promise<readonly TreeEntry[]> {
  const load = await findInTree(tree, ...libraryFolders.map((folder) => join(folder, loader)))
  const listed = await runTethered({
    command: [
      load,
      '--library-path',
      libraryFolders.map((folder) => join(tree, folder)).join(':'),
      '--list',
      from,
    ],
    path: workshop.path,
    signal: workshop.signal,
  })
  const libraries = [...listed.matchAll(/=> (\/\S+)/g)].map(([, library = '']) => library)
  return [
    program(path, from),
    program(`usr/lib64/${loader}`, load),
    ...libraries
      .filter((library) => !library.endsWith(`/${loader}`))
      .map((library) => program(`usr/lib/x86_64-linux-gnu/${library.split('/').at(-1)}`, library)),
  ]
}

/** The certificates that the packages trust, as one file. */
export async function certificateBundle(tree: string): Promise<string> {
  const folder = join(tree, 'usr/share/ca-certificates/mozilla')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.crt')).sort()
  const certificates = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return certificates.join('')
}
