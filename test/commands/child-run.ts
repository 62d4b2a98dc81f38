import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import type { Bench } from './harness.ts'

const script = resolve(import.meta.dirname, '../../scripts/hcloud-talos.ts')

/** The command in a process of its own, as somebody runs it at a terminal. */
export interface ChildRun {
  readonly process: ChildProcess
  /** Resolves with how it ended, and with all that it said. */
  readonly ended: Promise<{
    readonly exitCode: number | null
    readonly signal: NodeJS.Signals | null
    readonly output: string
  }>
  /** What it left in its temporary folder. */
  remains(): Promise<string[]>
}

let runs = 0

export async function startChild(
  bench: Bench,
  file: ClusterFile,
  ...args: readonly string[]
): Promise<ChildRun> {
  const { endpoints } = bench.sandbox
  const folder = join(dirname(endpoints.git.folder), `child-${++runs}`)
  const temporary = join(folder, 'tmp')
  await mkdir(temporary, { recursive: true })
  const config = join(folder, 'cluster.yaml')
  await writeFile(config, file.text)
  const child = spawn(process.execPath, [script, ...args, '--config', config], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TMPDIR: temporary,
      HCLOUD_TOKEN: endpoints.hcloud.token,
      HCLOUD_ENDPOINT: endpoints.hcloud.endpoint,
      HCLOUD_TALOS_FACTORY: endpoints.factory,
      HCLOUD_TALOS_IP_LOOKUP: endpoints.ipLookup,
      HCLOUD_TALOS_SSH_PORT: String(endpoints.sshPort),
      HCLOUD_TALOS_REMOTE: endpoints.git.folder,
      HCLOUD_TALOS_AGE_IDENTITY: bench.identity,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += String(chunk)
    })
  }
  const ended = new Promise<Awaited<ChildRun['ended']>>((done, fail) => {
    child.once('error', fail)
    child.once('close', (exitCode, signal) => done({ exitCode, signal, output }))
  })
  return { process: child, ended, remains: () => readdir(temporary) }
}
