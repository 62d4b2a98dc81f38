import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageParagraph } from './deb-package.ts'
import { runTethered } from './run-tethered.ts'
import type { Workshop } from './workshop.ts'

/** Where a repository of apt has its lists. */
export interface AptRepository {
  /** The folder that its URL names. */
  readonly base: string
  /** Where its release is, below: empty for a flat one, else `dists/<suite>`. */
  readonly release: string
  /** The list of packages, below the release. */
  readonly list: string
  /** The packages, below the base. */
  readonly files: readonly string[]
  /** What the release says of itself. */
  readonly fields: readonly string[]
  /** Where its public key is, below the base. */
  readonly key: string
}

/** Writes the lists of a repository and signs them with a key that nobody has afterwards. */
export async function writeAptRepository(
  workshop: Workshop,
  { base, release, list, files, fields, key }: AptRepository,
): Promise<void> {
  const paragraphs: string[] = []
  for (const file of files) paragraphs.push(await packageParagraph(workshop, base, file))
  const packages = paragraphs.join('\n')
  const place = join(base, release)
  await mkdir(join(place, list, '..'), { recursive: true })
  await writeFile(join(place, list), packages)
  const digest = createHash('sha256').update(packages).digest('hex')
  const text = [
    ...fields,
    `Date: ${new Date().toUTCString().replace('GMT', 'UTC')}`,
    'SHA256:',
    ` ${digest} ${Buffer.byteLength(packages)} ${list}`,
    '',
  ].join('\n')
  await sign(workshop, join(place, 'InRelease'), text, join(base, key))
}

async function sign(workshop: Workshop, path: string, text: string, key: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'rig-signing-'))
  const gpg = (...args: string[]) =>
    runTethered({
      command: ['gpg', '--homedir', home, '--batch', '--yes', '--passphrase', '', ...args],
      path: workshop.path,
      signal: workshop.signal,
    })
  try {
    await gpg('--quick-generate-key', 'packages', 'rsa3072', 'sign', 'never')
    const draft = join(home, 'release')
    await writeFile(draft, text)
    await gpg('--output', path, '--clearsign', draft)
    await gpg('--armor', '--output', key, '--export')
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
