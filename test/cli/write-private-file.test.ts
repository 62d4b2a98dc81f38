import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writePrivateFile } from '../../src/cli/terminal/write-private-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'private-file-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('A file that is written', () => {
  it('is readable by its owner alone, also in place of one that was not, and nothing is left beside it', async () => {
    const path = join(folder, 'deep', 'er', 'kubeconfig')
    await mkdir(join(folder, 'deep', 'er'), { recursive: true })
    await writeFile(path, 'old', { mode: 0o644 })
    await writePrivateFile(path, 'new')
    expect(await readFile(path, 'utf8')).toBe('new')
    expect(await modeOf(path)).toBe(0o600)
    expect(await readdir(join(folder, 'deep', 'er'))).toEqual(['kubeconfig'])
  })

  it('goes through a link, which stays', async () => {
    const [link, target] = [join(folder, 'link'), join(folder, 'target')]
    await writeFile(target, 'old')
    await symlink(target, link)
    await writePrivateFile(link, 'new')
    expect(await readFile(target, 'utf8')).toBe('new')
    expect(
      (await readdir(folder, { withFileTypes: true }))
        .find(({ name }) => name === 'link')
        ?.isSymbolicLink(),
    ).toBe(true)
  })

  it('never takes the place of a device', async () => {
    await expect(writePrivateFile('/dev/full', 'text')).rejects.toMatchObject({ code: 'disk-full' })
    await writePrivateFile('/dev/null', 'text')
    expect((await stat('/dev/full')).isCharacterDevice()).toBe(true)
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
  })

  it.each([
    ['a folder', async (path: string) => void (await mkdir(path)), ''],
    ['a folder in which nothing can be made', async () => undefined, '/proc/self'],
    ['a file that is taken for a folder', async (path: string) => writeFile(path, 'old'), 'below'],
  ])('is refused by %s', async (name, prepare, below) => {
    const path = join(folder, name.replaceAll(' ', '-'))
    await prepare(path)
    const target = below.startsWith('/') ? join(below, 'file') : join(path, below)
    await expect(writePrivateFile(target, 'new')).rejects.toMatchObject({
      code: 'file-unwritable',
      target,
    })
  })
})
