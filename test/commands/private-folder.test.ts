import { access, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makePrivateFolder, removePrivateFolder } from '../../src/run/private-folder.ts'

const owner = { id: 'gh-1-apply', attempt: 1 }
let parent: string
let victim: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hcloud-talos-temp-'))
  victim = join(parent, 'work')
  await mkdir(victim)
  await writeFile(join(victim, 'file'), 'not ours')
})

afterEach(() => rm(parent, { recursive: true, force: true }))

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

describe('a folder by a saved path', () => {
  test('goes with what is in it when this run made it', async () => {
    const folder = await makePrivateFolder(parent, owner, 'access-')
    await writeFile(join(folder, 'kubeconfig'), 'secret')
    expect(await removePrivateFolder(folder, { parent, owner })).toBe('gone')
    expect(await isThere(folder)).toBe(false)
    expect(await removePrivateFolder(folder, { parent, owner })).toBe('gone')
  })

  test('is left alone when it is anything else', async () => {
    const temp = join(parent, 'temp')
    await mkdir(temp)
    const folder = await makePrivateFolder(temp, owner)
    const linked = join(temp, 'hcloud-talos-link01')
    await symlink(victim, linked)
    const unmarked = join(temp, 'hcloud-talos-abc123')
    await mkdir(unmarked)
    const renamed = join(temp, 'other-name')
    const paths = [
      victim,
      join(folder, '..', '..', 'work'),
      `${folder}/../../work`,
      relative(process.cwd(), victim),
      linked,
      unmarked,
      temp,
      parent,
      '/',
      '.',
    ]
    for (const path of paths) {
      expect(await removePrivateFolder(path, { parent: temp, owner }), path).toBe('not-ours')
    }
    await rename(folder, renamed)
    expect(await removePrivateFolder(renamed, { parent: temp, owner })).toBe('not-ours')
    expect(await isThere(join(victim, 'file'))).toBe(true)
    expect(await isThere(unmarked)).toBe(true)
  })

  test('is left alone elsewhere, and behind a link, even with a mark of this run in it', async () => {
    const temp = join(parent, 'temp')
    await mkdir(temp)
    const elsewhere = await makePrivateFolder(parent, owner)
    const link = join(temp, 'hcloud-talos-link02')
    await symlink(elsewhere, link)
    for (const path of [elsewhere, link]) {
      expect(await removePrivateFolder(path, { parent: temp, owner })).toBe('not-ours')
    }
    expect(await isThere(link)).toBe(true)
  })

  test('is left alone when another run or attempt made it', async () => {
    const folder = await makePrivateFolder(parent, owner)
    for (const other of [
      { ...owner, attempt: 2 },
      { ...owner, id: 'gh-2-apply' },
    ]) {
      expect(await removePrivateFolder(folder, { parent, owner: other })).toBe('not-ours')
    }
    expect(await isThere(folder)).toBe(true)
  })
})
