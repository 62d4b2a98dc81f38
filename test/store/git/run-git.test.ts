import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runGit } from '../../../src/store/git/run-git.ts'
import { makeFolder, makeRemote, makeStore } from '../state-fixture.ts'

/** A PATH on which git is a script. */
async function pathWithGit(script: string): Promise<string> {
  const folder = join(await makeFolder(), 'bin')
  await mkdir(folder)
  await writeFile(join(folder, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return `${folder}:/usr/bin:/bin`
}

describe('running git', () => {
  it('tells how it ended and what it said', async () => {
    const PATH = await pathWithGit('cat; echo oops >&2; exit 3')
    const result = await runGit(['x'], { environment: { PATH }, input: 'hello' })
    expect(result).toMatchObject({ code: 3, stderr: 'oops\n' })
    expect(Buffer.from(result.stdout).toString()).toBe('hello')
  })

  it('ends it with its helpers when it takes too long, politely', async () => {
    const folder = await makeFolder()
    const note = join(folder, 'note')
    const PATH = await pathWithGit(`trap 'echo bye > ${note}; exit 1' TERM; sleep 600 & wait`)
    const result = await runGit(['x'], { environment: { PATH }, timeoutMs: 200 })
    expect(result.code).not.toBe(0)
    expect(await readFile(note, 'utf8')).toBe('bye\n')
  })

  it('ends it when the run is interrupted, with the reason of that', async () => {
    const PATH = await pathWithGit('exec sleep 600')
    const interruption = new AbortController()
    const run = runGit(['x'], { environment: { PATH }, signal: interruption.signal })
    interruption.abort(new Error('interrupted'))
    await expect(run).rejects.toThrow('interrupted')
  })

  it.each(['', ' >&2'])('ends it when it prints without an end%s', async (stream) => {
    const PATH = await pathWithGit(`while :; do echo 0123456789${stream}; done`)
    const limits = { output: 10_000, objects: 10_000 }
    const result = await runGit(['x'], { environment: { PATH }, limits })
    expect(result.code).toBeUndefined()
    expect(result.tooLarge?.message).toBe('it is larger than 10 kB')
  })

  it('ends it when it writes objects without an end, or more than it may at once', async () => {
    const gitDirectory = await makeFolder()
    await mkdir(join(gitDirectory, 'objects', 'pack'), { recursive: true })
    const write = `head -c 20000 /dev/zero >>${gitDirectory}/objects/pack/x`
    const limits = { output: 10_000, objects: 10_000 }
    for (const script of [write, `while :; do ${write}; done`]) {
      const PATH = await pathWithGit(script)
      const result = await runGit(['x'], { environment: { PATH }, gitDirectory, limits })
      expect(result).toMatchObject({ code: undefined, tooLarge: { code: 'EMSGSIZE' } })
    }
  })

  it('says when there is none', async () => {
    const environment = { PATH: await makeFolder() }
    await expect(runGit(['x'], { environment })).rejects.toMatchObject({ code: 'git-missing' })
  })
})

describe('opening a store', () => {
  it('wants a git that takes settings from its environment', async () => {
    const PATH = await pathWithGit('echo git version 2.30.2')
    const open = makeStore({ remote: await makeRemote(), environment: { PATH } })
    await expect(open).rejects.toMatchObject({
      code: 'git-missing',
      message: expect.stringContaining('2.30.2'),
    })
  })

  it('names a temporary folder in which nothing can be made', async () => {
    const temporaryFolder = join(await makeFolder(), 'absent')
    const open = makeStore({ remote: await makeRemote(), temporaryFolder })
    await expect(open).rejects.toMatchObject({ code: 'file-unwritable', target: temporaryFolder })
  })

  it('tells a full disk from a bug', async () => {
    const script =
      'case "$2" in version) echo git version 2.40.0;; *) echo "fatal: write error: No space left on device" >&2; exit 128;; esac'
    const PATH = await pathWithGit(script)
    const open = makeStore({ remote: await makeRemote(), environment: { PATH } })
    await expect(open).rejects.toMatchObject({ code: 'disk-full' })
  })

  it('reads an unreachable remote as unreachable, never as empty', async () => {
    for (const remote of ['/nowhere/at/all.git', 'http://127.0.0.1:1/state.git']) {
      const store = await makeStore({ remote })
      await expect(store.read()).rejects.toMatchObject({ code: 'state-unreachable' })
    }
  })
})
