import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sandboxEnvironment } from '../sandbox/sandbox-environment.ts'
import { startSandbox } from '../sandbox/start-sandbox.ts'

export interface RunSandboxOptions {
  readonly folder: string | undefined
  readonly latencies: 'none' | 'realistic'
  /** The PATH on which git is found. */
  readonly path: string
  readonly signal: AbortSignal
  /** Gets one line of JSON: the endpoints, and the environment that points a client at them. */
  readonly announce: (line: string) => void
}

/** Runs a sandbox until the signal aborts; then takes down everything that it started. */
export async function runSandbox(options: RunSandboxOptions): Promise<void> {
  const { folder, latencies, path, signal, announce } = options
  const base =
    folder === undefined ? await mkdtemp(join(tmpdir(), 'hcloud-talos-sandbox-')) : resolve(folder)
  await mkdir(base, { recursive: true })
  const sandbox = await startSandbox({ folder: base, path, latencies })
  try {
    const { endpoints } = sandbox
    announce(JSON.stringify({ ...endpoints, environment: sandboxEnvironment(endpoints) }))
    await new Promise<void>((done) => {
      if (signal.aborted) done()
      signal.addEventListener('abort', () => done(), { once: true })
    })
  } finally {
    await sandbox.close()
    if (folder === undefined) await rm(base, { recursive: true, force: true })
  }
}
