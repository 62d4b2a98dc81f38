import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePrivateFolder } from '../../src/run/private-folder.ts'
import { sweepPrivateFolders } from '../../src/run/sweep-private-folders.ts'

const killed = { id: 'terminal-1-2-3', attempt: 1 }
const owner = { id: 'terminal-4-5-6', attempt: 1 }
const mark = '.hcloud-talos-run'
let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sweep-test-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

/** A number that no process has any more. */
async function freePid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(child, 'exit')
  return child.pid ?? 0
}

/** A folder as a run leaves it; `change` is made to its mark. */
async function leave(
  change: (text: string) => string = (text) => text,
  { use = '', by = killed }: { use?: '' | 'access-'; by?: typeof killed } = {},
): Promise<string> {
  const folder = await makePrivateFolder(parent, by, use)
  await writeFile(join(folder, 'kubeconfig'), 'secret')
  const path = join(folder, mark)
  await writeFile(path, change(await readFile(path, 'utf8')))
  return basename(folder)
}

const swept = async (isOfOneJob = false) => {
  const removed = await sweepPrivateFolders(parent, { owner, isOfOneJob })
  return removed.map((path) => basename(path)).sort()
}

test('what a killed process left goes, and what one that lives has stays', async () => {
  const pid = await freePid()
  const alive = await leave()
  const dead = await leave((text) => text.replace(/ \d+\n$/, ` ${pid}\n`))
  const formerBoot = await leave((text) => text.replace(/\n(\w+) \w+ /, '\n$1 00000000 '))
  expect(await swept()).toEqual([dead, formerBoot].sort())
  expect(await readdir(parent)).toEqual([alive])
})

test('nothing goes that is not proven to be ours and left', async () => {
  const pid = await freePid()
  const dead = (text: string) => text.replace(/ \d+\n$/, ` ${pid}\n`)
  const kept = [
    await leave((text) => dead(text).replace(/\n\w{8} /, '\n00000000 ')),
    await leave((text) => dead(text).replace(/(\w{8}) (\d+)\n$/, '00000000 $2\n')),
    await leave((text) => text.split('\n')[0] ?? ''),
    await leave(() => ''),
    await leave((text) => `${dead(text)}more\n`),
    await leave((text) => `${'x'.repeat(600)}${dead(text)}`),
    await leave(dead, { by: owner }),
  ]
  const open = await leave(dead)
  await chmod(join(parent, open), 0o755)
  const elsewhere = join(parent, 'work')
  await mkdir(elsewhere)
  await symlink(elsewhere, join(parent, 'hcloud-talos-link01'))
  const marked = await leave(dead)
  await rm(join(parent, marked, mark))
  await symlink(join(parent, open, mark), join(parent, marked, mark))
  expect(await swept(true)).toEqual([])
  expect((await readdir(parent)).sort()).toEqual(
    [...kept, open, marked, 'work', 'hcloud-talos-link01'].sort(),
  )
})

test('credentials for later steps go only where a former job left them', async () => {
  const pid = await freePid()
  const access = await leave((text) => text.replace(/ \d+\n$/, ` ${pid}\n`), { use: 'access-' })
  const own = await leave((text) => text.replace(/ \d+\n$/, ` ${pid}\n`), {
    use: 'access-',
    by: owner,
  })
  expect(await swept(false)).toEqual([])
  expect(await swept(true)).toEqual([access])
  expect(await readdir(parent)).toEqual([own])
})

test('a place that cannot be read is no reason not to run', async () => {
  expect(await sweepPrivateFolders(join(parent, 'none'), { owner, isOfOneJob: true })).toEqual([])
})
