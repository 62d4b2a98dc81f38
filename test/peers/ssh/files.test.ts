import { randomFillSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, stat, symlink, writeFile as writeHere } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { readFile as readRemote } from '../../../src/ssh/read-file.ts'
import { writeFile } from '../../../src/ssh/write-file.ts'
import { hangLimitMs } from '../../hang-limit.ts'
import { makeFolder, startPool, startSshd } from './openssh.ts'

const withinMs = hangLimitMs
const limits = { mostBytes: 20_000_000, withinMs }

/** What runs on this machine, which is the host too. */
function commandLines(): string {
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        // It has ended meanwhile.
        return ''
      }
    })
  return lines.join('\n')
}

async function reach() {
  const sshd = await startSshd()
  return { ...sshd, remote: startPool().host(sshd.host), folder: await makeFolder() }
}

describe('a file on a host', () => {
  test('of 10 MB comes back byte for byte, with its mode, and is written once', async () => {
    const { remote, folder } = await reach()
    const content = randomFillSync(Buffer.alloc(10_000_000))
    const file = { path: join(folder, 'a name: $(id) "\'.bin'), content, mode: 0o640, withinMs }
    expect(await writeFile(remote, file)).toBe(true)
    expect((await readRemote(remote, file.path, limits))?.equals(content)).toBe(true)
    expect((await stat(file.path)).mode & 0o7777).toBe(0o640)
    expect(await writeFile(remote, file)).toBe(false)
    expect(await writeFile(remote, { ...file, mode: 0o600 })).toBe(true)
    expect((await stat(file.path)).mode & 0o7777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['a name: $(id) "\'.bin'])
  })

  test('stays as it was where the connection is cut while another is written', async () => {
    const { remote, folder, cut, stop } = await reach()
    const path = join(folder, 'config')
    await writeHere(path, 'former')
    const content = randomFillSync(Buffer.alloc(30_000_001))
    const receives = () => commandLines().includes(`head -c ${content.length} `)
    const failure = writeFile(remote, { path, content, mode: 0o600, withinMs }).catch(
      (error: unknown) => error,
    )
    while (!receives()) await sleep(1)
    // Nothing listens any more, so that it is not written a second time.
    await stop()
    cut()
    expect(await failure).toMatchObject({
      code: expect.stringMatching(/^ssh-(interrupted|failed)$/),
    })
    expect(readFileSync(path, 'utf8')).toBe('former')
    while (receives()) await sleep(20)
    expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['config'], 'former'])
  })

  test('replaces a link and not what it names, and is no folder', async () => {
    const { remote, folder } = await reach()
    const [target, link] = [join(folder, 'target'), join(folder, 'link')]
    await writeHere(target, 'of somebody else')
    await symlink(target, link)
    await writeFile(remote, { path: link, content: 'ours', mode: 0o644, withinMs })
    expect([await readFile(target, 'utf8'), await readFile(link, 'utf8')]).toEqual([
      'of somebody else',
      'ours',
    ])
    await mkdir(join(folder, 'folder'))
    const file = { path: join(folder, 'folder'), content: 'ours', mode: 0o644, withinMs }
    await expect(writeFile(remote, file)).rejects.toMatchObject({
      code: 'script-failed',
      message: `cannot write ${file.path}`,
      evidence: [expect.stringContaining('directory')],
    })
    expect(readdirSync(folder).toSorted()).toEqual(['folder', 'link', 'target'])
  })

  test('that is not there is absent; one that cannot be read is a failure', async () => {
    const { remote, folder } = await reach()
    expect(await readRemote(remote, join(folder, 'none'), limits)).toBeUndefined()
    expect(await readRemote(remote, join(folder, 'none', 'below'), limits)).toBeUndefined()
    await expect(readRemote(remote, folder, limits)).rejects.toMatchObject({
      code: 'script-failed',
      evidence: ['it is no file'],
    })
    const path = join(folder, 'large')
    await writeHere(path, 'x'.repeat(101))
    expect(existsSync(path)).toBe(true)
    await expect(readRemote(remote, path, { mostBytes: 100, withinMs })).rejects.toMatchObject({
      message: expect.stringContaining('larger than 100 B'),
    })
  })
})
