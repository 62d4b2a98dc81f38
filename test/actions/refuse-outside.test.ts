import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refuseOutside } from '../../src/actions/refuse-outside.ts'

let folder: string
let workspace: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-workspace-'))
  workspace = join(folder, 'work')
  await mkdir(join(workspace, 'clusters'), { recursive: true })
  await mkdir(join(folder, 'work-of-others'))
  await writeFile(join(workspace, 'clusters', '..cluster.yaml'), 'clusterName: demo')
  await writeFile(join(folder, 'work-of-others', 'cluster.yaml'), 'secret')
  await writeFile(join(folder, 'secret'), 'secret')
  await symlink(join(folder, 'secret'), join(workspace, 'link.yaml'))
  await symlink(folder, join(workspace, 'above'))
  await symlink(join(workspace, 'clusters'), join(workspace, 'inside'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a cluster file for an action', () => {
  test.each([
    'link.yaml',
    'above/secret',
    'clusters/../../secret',
    'above/work-of-others/cluster.yaml',
    '/etc/passwd',
    '/proc/self/environ',
  ])('is not read from outside of the workspace: %s', async (path) => {
    const asked = path.startsWith('/') ? path : join(workspace, path)
    await expect(refuseOutside(asked, workspace)).rejects.toMatchObject({ code: 'usage' })
  })

  test.each(['clusters/..cluster.yaml', 'inside/..cluster.yaml', 'not-there.yaml'])(
    'may be anywhere in it: %s',
    async (path) => {
      expect(await refuseOutside(join(workspace, path), workspace)).toBeUndefined()
    },
  )

  test('may be in a workspace that is reached by a link', async () => {
    const linked = join(folder, 'linked')
    await symlink(workspace, linked)
    const path = join(linked, 'clusters', '..cluster.yaml')
    expect(await refuseOutside(path, linked)).toBeUndefined()
  })
})
