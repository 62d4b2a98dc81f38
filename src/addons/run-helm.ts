import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BoundedOutput } from '../lib/bounded-output.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { fileFailure } from '../lib/file-failure.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Redactor } from '../lib/redactor.ts'

export interface HelmRun {
  readonly helm: string
  readonly args: readonly string[]
  /** Written to a file that only this user may read, whose path follows `--values`. */
  readonly values: JsonObject
  readonly redactor: Redactor
  readonly signal?: AbortSignal | undefined
}

/** How long helm may take, in milliseconds: it renders, it never waits for anything. */
const timeoutMs = 120_000
/** The largest chart renders to some megabytes. */
const mostBytes = 64 << 20

/**
 * What helm prints. It runs in a folder of its own that is removed afterwards, and sees nothing of the
 * user's: no configuration, plugins, repositories, kubeconfig or environment. Throws `helm-failed`
 * with what it said, `disk-full` and `file-unwritable`.
 */
export async function runHelm({ helm, args, values, redactor, signal }: HelmRun): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'hcloud-talos-helm-')).catch(unwritable)
  try {
    const file = join(home, 'values.json')
    await writeFile(file, JSON.stringify(values), { mode: 0o600 }).catch(unwritable)
    return await execute({ helm, args: [...args, '--values', file], redactor, signal }, home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function unwritable(error: unknown): never {
  throw fileFailure(error, tmpdir(), { hint: 'Point TMPDIR at another folder.' })
}

function execute(
  { helm, args, redactor, signal }: Omit<HelmRun, 'values'>,
  home: string,
): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const child = spawn(helm, args, {
    cwd: home,
    env: {
      HOME: home,
      HELM_CACHE_HOME: join(home, 'cache'),
      HELM_CONFIG_HOME: join(home, 'config'),
      HELM_DATA_HOME: join(home, 'data'),
      HELM_PLUGINS: join(home, 'plugins'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  })
  const out = new BoundedOutput(mostBytes, () => child.kill('SIGKILL'))
  const err = new BoundedOutput(mostBytes, () => child.kill('SIGKILL'))
  child.stdout.on('data', (chunk: Buffer) => out.add(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.add(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(signal?.aborted ? signal.reason : failed(helm, error.message, error)),
    )
    child.on('close', (code) => {
      const tooLarge = out.tooLarge ?? err.tooLarge
      if (tooLarge) reject(failed(helm, `its output is not a chart: ${tooLarge.message}`, tooLarge))
      else if (code === 0) resolve(out.text())
      // It quotes values, and of a secret that is cut the rest would be shown.
      else reject(failed(helm, redactor.redact(err.text()).trim().slice(0, 2_000)))
    })
  })
}

function failed(helm: string, message: string, cause?: unknown): ClusterError {
  return new ClusterError('helm-failed', `helm failed: ${message}`, {
    operation: 'run helm',
    target: helm,
    hint: 'Look at `values` of the addon in the cluster file: one of them may be wrong.',
    ...(cause === undefined ? {} : { cause }),
  })
}
