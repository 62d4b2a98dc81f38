import { existsSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sweepAfter } from '../../rig/sweep-after.ts'

const setting = '/proc/sys/fs/inotify/max_user_instances'

const newFolder = () => mkdtemp(join(tmpdir(), 'hcloud-talos-real-'))

test.skipIf(userInfo().uid !== 0)(
  'what nodes set of the kernel is put back by the last of the worlds that overlap, to what the first one found',
  async () => {
    const former = (await readFile(setting, 'utf8')).trim()
    const raised = String(Number(former) + 1)
    const [first, second] = [await newFolder(), await newFolder()]
    const one = await sweepAfter(first)
    await writeFile(setting, raised)
    const other = await sweepAfter(second)
    await one.sweep()
    const between = (await readFile(setting, 'utf8')).trim()
    await other.sweep()
    const after = (await readFile(setting, 'utf8')).trim()
    await writeFile(setting, former)
    expect([between, after]).toEqual([raised, former])
    expect([existsSync(first), existsSync(second)]).toEqual([false, false])
  },
)
