import type { NodeKind } from '../../../sandbox/node-kind.ts'
import { sandboxEnvironment } from '../../../sandbox/sandbox-environment.ts'
import { startSandbox } from '../../../sandbox/start-sandbox.ts'
import { openSandboxFolder } from './sandbox-folder.ts'

export interface RunSandboxOptions {
  readonly folder: string | undefined
  readonly latencies: 'none' | 'realistic'
  /** What its machines run; the sandbox's own simulation where absent. */
  readonly nodes?: NodeKind
  /** The PATH on which git is found. */
  readonly path: string
  readonly signal: AbortSignal
  /** Gets one line of JSON: the endpoints, and the environment that points a client at them. */
  readonly announce: (line: string) => void
}

/**
 * Runs a sandbox until the signal aborts; then takes down everything that it started. Throws `git-missing`,
 * and `disk-full` or `file-unwritable` for its folder.
 */
export async function runSandbox(options: RunSandboxOptions): Promise<void> {
  const { folder, latencies, nodes, path, signal, announce } = options
  await using base = await openSandboxFolder(folder)
  const sandbox = await startSandbox({
    folder: base.path,
    path,
    latencies,
    ...(nodes && { nodes }),
  })
  try {
    const { endpoints } = sandbox
    announce(JSON.stringify({ ...endpoints, environment: sandboxEnvironment(endpoints) }))
    await new Promise<void>((done) => {
      if (signal.aborted) done()
      signal.addEventListener('abort', () => done(), { once: true })
    })
  } finally {
    await sandbox.close()
  }
}
