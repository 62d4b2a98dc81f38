import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOutput } from '../../src/ssh/read-output.ts'
import { writePieces } from '../../src/ssh/write-pieces.ts'
import { hangLimitMs, pollLimitMs } from '../hang-limit.ts'
import { type Course, startPool, startServer } from './ssh-server.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ssh-output-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function reach(course: (command: number) => Course = () => 'run') {
  const server = await startServer({ course })
  return startPool({ connectWithinMs: 1_000 * hangLimitMs }).host(server.host)
}

const script = (text: string, ...args: string[]) => ({
  title: 'print something',
  text,
  args,
  withinMs: 1_000 * hangLimitMs,
})

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('what a script prints arrives byte for byte, and the host waits for who reads it', async () => {
  const bytes = randomBytes(9 * 1024 * 1024)
  await writeFile(join(folder, 'large'), bytes)
  const taken: Uint8Array[] = []
  for await (const chunk of readOutput(
    await reach(),
    script('cat -- "$1"', join(folder, 'large')),
  )) {
    taken.push(chunk)
    if (taken.length % 50 === 1) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(digest(Buffer.concat(taken))).toBe(digest(bytes))
})

test('a script that fails after it has printed something is a failure, and so is a connection that breaks', async () => {
  const readAll = async (course?: (command: number) => Course) => {
    const seen: string[] = []
    const printed = readOutput(
      await reach(course),
      script('echo begun; echo "no more" >&2; exit 3'),
    )
    for await (const chunk of printed) seen.push(Buffer.from(chunk).toString('utf8'))
  }
  await expect(readAll()).rejects.toMatchObject({
    code: 'script-failed',
    evidence: ['exit code 3', 'no more'],
  })
  await expect(readAll(() => 'cut at first output')).rejects.toMatchObject({
    code: 'ssh-interrupted',
  })
})

test('a script that nobody reads any more is ended', async () => {
  const mark = join(folder, 'ended')
  const endless = 'trap \'echo ended >"$1"\' EXIT; while true; do echo more; sleep 0.05; done'
  for await (const _ of readOutput(await reach(), script(endless, mark))) break
  await expect.poll(() => existsSync(mark), { timeout: pollLimitMs }).toBe(true)
})

test('a file that is written in pieces is there to the last byte, also where a connection broke', async () => {
  const bytes = randomBytes(9 * 1024 * 1024 + 5)
  const path = join(folder, 'new', 'pieces')
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
  }
  const remote = await reach((command) => (command === 2 ? 'cut before the script' : 'run'))
  await writePieces(remote, path, chunks())
  expect(digest(await readFile(path))).toBe(digest(bytes))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})
