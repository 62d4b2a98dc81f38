import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SandboxEndpoints } from '../../src/sandbox/start-sandbox.ts'

interface Announced extends SandboxEndpoints {
  readonly environment: Readonly<Record<string, string>>
}

interface Running {
  readonly child: ChildProcess
  readonly endpoints: Announced
  /** Every line of standard output so far. */
  readonly lines: readonly string[]
  end(signal: NodeJS.Signals): Promise<number | null>
}

const program = resolve(import.meta.dirname, '../../scripts/hcloud-talos.ts')

async function start(temporaryFolder: string): Promise<Running> {
  const child = spawn(process.execPath, [program, 'sandbox'], {
    env: { PATH: process.env['PATH'], TMPDIR: temporaryFolder },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines: string[] = []
  const ended = new Promise<number | null>((done) => child.once('close', done))
  const first = new Promise<string>((done, fail) => {
    child.once('close', () => fail(new Error('the sandbox ended at once')))
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      done(line)
    })
  })
  const endpoints: Announced = JSON.parse(await first)
  return {
    child,
    endpoints,
    lines,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

let folder: string
let running: readonly Running[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-sandboxes-'))
  running = await Promise.all([start(folder), start(folder)])
})
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

function hetzner({ hcloud }: SandboxEndpoints, path: string, body?: unknown): Promise<Response> {
  return fetch(`${hcloud.endpoint}${path}`, {
    headers: { authorization: `Bearer ${hcloud.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
}

describe('Two sandboxes at once', () => {
  it('each tell their endpoints and an environment in one line', () => {
    for (const { endpoints, lines } of running) {
      expect(lines).toHaveLength(1)
      expect(Object.keys(endpoints)).toEqual(
        expect.arrayContaining(['hcloud', 'github', 'git', 'factory', 'charts', 'environment']),
      )
      expect(endpoints.environment).toMatchObject({
        HCLOUD_TOKEN: endpoints.hcloud.token,
        HCLOUD_ENDPOINT: endpoints.hcloud.endpoint,
      })
    }
    const [first, second] = running.map(({ endpoints }) => endpoints.hcloud.endpoint)
    expect(first).not.toBe(second)
  })

  it('are worlds of their own to any client', async () => {
    const [first, second] = running.map(({ endpoints }) => endpoints)
    if (!first || !second) throw new Error('two sandboxes should run')
    const made = await hetzner(first, '/networks', { name: 'one', ip_range: '10.0.0.0/16' })
    expect(made.status).toBe(201)
    expect(await (await hetzner(first, '/networks')).json()).toMatchObject({
      networks: [{ name: 'one' }],
    })
    expect(await (await hetzner(second, '/networks')).json()).toMatchObject({ networks: [] })
    const refused = await fetch(`${first.hcloud.endpoint}/servers`)
    expect(refused.status).toBe(401)
  })

  it('answer to git, and to a client of GitHub', async () => {
    const [sandbox] = running
    if (!sandbox) throw new Error('a sandbox should run')
    const { git, github } = sandbox.endpoints
    const url = git.url.replace('://', `://${git.username}:${git.password}@`)
    await promisify(execFile)('git', ['ls-remote', url])
    const repository = await fetch(`${github.api}/repos/${github.repository}/issues/1/comments`, {
      headers: { authorization: `Bearer ${github.token}` },
    })
    expect(repository.status).toBe(200)
  })

  it.each([
    [0, 'SIGINT'],
    [1, 'SIGTERM'],
  ] as const)('sandbox %i ends well after %s, and frees its ports', async (index, signal) => {
    const sandbox = running[index]
    if (!sandbox) throw new Error('a sandbox should run')
    expect(await sandbox.end(signal)).toBe(0)
    expect(await listens(Number(new URL(sandbox.endpoints.hcloud.endpoint).port))).toBe(false)
    expect(await listens(Number(new URL(sandbox.endpoints.git.url).port))).toBe(false)
  })

  it('leave nothing behind', async () => {
    expect(await readdir(folder)).toEqual([])
  })
})

function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
