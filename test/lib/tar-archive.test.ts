import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  fileInArchive,
  packEach,
  packFiles,
  TarBroken,
  tarMembers,
  unpackFiles,
} from '../../src/lib/tar-archive.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tar-archive-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const files = fc.uniqueArray(
  fc.record({
    path: fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,30}(\/[a-z0-9][a-z0-9.-]{0,80}){0,4}$/),
    content: fc.uint8Array({ maxLength: 1500 }),
  }),
  { minLength: 1, maxLength: 5, selector: ({ path }) => path },
)

async function* inPieces(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function readMembers(bytes: Uint8Array, length: number): Promise<[string, number[]][]> {
  const found: [string, number[]][] = []
  for await (const { path, content } of tarMembers(inPieces(bytes, length))) {
    const pieces: Uint8Array[] = []
    for await (const piece of content) pieces.push(piece)
    found.push([path, [...Buffer.concat(pieces)]])
  }
  return found
}

describe('an archive', () => {
  it('gives back what was put in, at once or in pieces of any length', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 1, max: 2000 }), async (entries, length) => {
        const wanted = entries.map(({ path, content }) => [path, [...content]])
        const archive = await packFiles(entries)
        const unpacked = await unpackFiles(archive)
        expect([...(unpacked ?? [])].map(([path, bytes]) => [path, [...bytes]])).toEqual(wanted)
        expect(await readMembers(archive, length)).toEqual(wanted)
      }),
      { numRuns: 30 },
    )
  })

  it('is the same whether its files are there at once or come one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (entries) => {
        const pieces: Uint8Array[] = []
        for await (const piece of packEach(ReadableStream.from(entries))) pieces.push(piece)
        expect(Buffer.concat(pieces).equals(await packFiles(entries))).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  it('that was cut off anywhere before its end is none', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.nat(), async (entries, at) => {
        const archive = await packFiles(entries)
        const cut = archive.subarray(0, at % (archive.length - 1023))
        // What ends in blocks of zeros may be taken for complete: there age vouches for the length.
        fc.pre(cut.subarray(-1024).some((byte) => byte !== 0) || cut.length < 1024)
        expect(await unpackFiles(cut)).toBeUndefined()
      }),
      { numRuns: 60 },
    )
  })

  it('is unpacked by the tar of this machine, for its owner alone and dated as it was said', async () => {
    const path = `${'deep/'.repeat(30)}${'n'.repeat(90)}`
    const content = Buffer.from('as it was')
    await writeFile(
      join(folder, 'a.tar'),
      await packFiles([{ path, content, modified: 86_400_000 }]),
    )
    const listed = execFileSync('tar', ['--utc', '-tvf', 'a.tar'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(listed).toMatch(/^-rw------- 0\/0 +9 1970-01-02 00:00 deep/)
    execFileSync('tar', ['-xf', 'a.tar'], { cwd: folder })
    expect(await readFile(join(folder, path), 'utf8')).toBe('as it was')
  })

  it('with a folder or a link in it is none of ours, and one file of it is still found', async () => {
    await writeFile(join(folder, 'plain'), 'plain')
    execFileSync('ln', ['-sf', 'plain', 'link'], { cwd: folder })
    const packed = execFileSync('tar', ['-c', '-C', folder, 'plain', 'link'])
    expect(await unpackFiles(packed)).toBeUndefined()
    expect(Buffer.from((await fileInArchive(packed, 'plain')) ?? []).toString()).toBe('plain')
    expect(await fileInArchive(packed, 'link')).toBeUndefined()
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['a text', Buffer.from('no archive')],
    ['a long text', Buffer.alloc(4096, 'no archive ')],
  ])('is not %s', async (_, bytes) => {
    await expect(readMembers(bytes, 100)).rejects.toThrow(TarBroken)
    expect(await unpackFiles(bytes)).toBeUndefined()
    expect(await fileInArchive(bytes, 'x')).toBeUndefined()
  })

  it('that ends within a file says so to who reads it in pieces', async () => {
    const archive = await packFiles([{ path: 'a', content: new Uint8Array(3000) }])
    await expect(readMembers(archive.subarray(0, 2000), 100)).rejects.toThrow(TarBroken)
  })

  it('whose source fails fails as the source does', async () => {
    async function* broken() {
      yield new Uint8Array(100)
      throw Object.assign(new Error('the connection broke'), { code: 'talos-unreachable' })
    }
    const read = async () => {
      for await (const { content } of tarMembers(broken())) for await (const _ of content);
    }
    await expect(read()).rejects.toThrow('the connection broke')
  })
})
