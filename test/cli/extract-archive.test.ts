import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { extractArchive } from '../../src/cli/commands/talos/extract-archive.ts'

const long = `${'deep/'.repeat(30)}${'n'.repeat(120)}`
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'extract-'))
  await mkdir(join(folder, 'in', 'deep/'.repeat(30)), { recursive: true })
  await writeFile(join(folder, 'in', long), 'long')
  await writeFile(join(folder, 'in', 'large'), Buffer.alloc(200_001, 'x'))
  await writeFile(join(folder, 'outside'), 'as it was')
  await symlink('../outside', join(folder, 'in', 'link'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What the tar of this machine makes, in the format that Go writes. */
const packed = (...words: string[]): Buffer =>
  execFileSync('tar', ['--format=pax', '-cz', '-C', join(folder, 'in'), ...words])

/** In pieces that end anywhere. */
async function* inPieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 77) yield bytes.subarray(at, at + 77)
}

const extract = (bytes: Buffer, name: string) => extractArchive(inPieces(bytes), join(folder, name))

it('files of any name and size are as they were, for their owner alone, and links are left out', async () => {
  const { files, bytes, leftOut } = await extract(packed('.'), 'out')
  expect([files, bytes, leftOut]).toEqual([2, 200_005, ['link']])
  expect(await readFile(join(folder, 'out', long), 'utf8')).toBe('long')
  const { size, mode } = await stat(join(folder, 'out', 'large'))
  expect([size, mode & 0o777]).toEqual([200_001, 0o600])
  expect((await readdir(join(folder, 'out'))).sort()).toEqual(['deep', 'large'])
})

it.each([
  ['leads out of the folder', ['-P', '../outside']],
  ['is absolute', ['-P', '--transform=s,^,/tmp/,', 'large']],
  ['leads out halfway', ['-P', '--transform=s,^large,a/../../outside,', 'large']],
])('a name that %s is refused', async (name, words) => {
  await expect(extract(packed(...words), name)).rejects.toMatchObject({
    code: 'talos-refused',
    message: expect.stringContaining('outside of it'),
  })
  expect(await readFile(join(folder, 'outside'), 'utf8')).toBe('as it was')
})

it('a file goes through no link that was in the archive before it', async () => {
  const linked = packed('--transform=flags=r;s,^large,link/large,', 'link', 'large')
  await extract(linked, 'linked')
  expect((await stat(join(folder, 'linked', 'link'))).isDirectory()).toBe(true)
})

it.each([
  ['ends too early', () => packed('large').subarray(0, -40)],
  ['is none', () => Buffer.from('no archive')],
])('an archive that %s is told', async (name, bytes) => {
  await expect(extract(bytes(), name)).rejects.toMatchObject({ code: 'talos-refused' })
})
