import { ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { waitFor } from '../lib/wait-for.ts'
import { AllOutput } from './all-output.ts'
import { askWithinMs, jobName, jobsFolder, lostJob, removeJob } from './job.ts'
import { JobLog } from './job-log.ts'
import { showJobScript } from './job-scripts.ts'
import { lastLines, runInto } from './run-script.ts'
import { describeHost } from './ssh-host.ts'
import type { RemoteHost } from './ssh-pool.ts'

export interface FollowOptions {
  /** How long to follow it at most, in milliseconds; it is not ended then. */
  readonly withinMs: number
  /** Each line of its log, without secrets. */
  readonly onLine?: (line: string) => void
  readonly folder?: string
}

/** How a job ended. */
export interface JobEnd {
  readonly code: number
  /** The last lines of its log, without secrets. */
  readonly lastLines: readonly string[]
}

/** How much of the log is taken at once, in bytes. */
const mostLog = 48 * 1024

/** How often to look, in milliseconds. */
const everyMs = 2_000

/**
 * Waits for the end of a job, whoever started it, over as many connections as that takes. Throws `script-timeout` where
 * systemd ended it for its time, `script-failed` where something else ended it or there is none, `ssh-interrupted` where
 * it was ended together with its host, `wait-timeout` where it still runs.
 */
export async function followJob(
  remote: RemoteHost,
  name: string,
  { withinMs, onLine, folder = jobsFolder }: FollowOptions,
): Promise<JobEnd> {
  const log = new JobLog(remote.redactor, onLine)
  return waitFor(
    `the job ${name} to end`,
    async () => {
      let shown = await showJobUnlessBusy(remote, name, folder, log.offset)
      if (!shown) return busy
      log.add(shown.piece)
      // What is left of the log of a job that has ended is read at once.
      while (shown.state.startsWith('ended') && log.offset < shown.size && shown.piece.length > 0) {
        shown = await showJob(remote, name, folder, log.offset)
        log.add(shown.piece)
      }
      if (shown.state === 'running') return { pending: 'it is running' }
      log.end()
      const { lastLines } = log
      return { done: { code: exitCodeOf(shown.state, remote, name, lastLines), lastLines } }
    },
    { clock: remote.clock, signal: remote.signal, everyMs, withinMs },
  )
}

/**
 * Waits until no job of this name runs, whoever started it and however it ends, and forgets it: what is started under the
 * name after this is a job of its own. Throws `wait-timeout` where it still runs.
 */
export async function outliveJob(
  remote: RemoteHost,
  name: string,
  { withinMs, folder = jobsFolder }: Pick<FollowOptions, 'withinMs' | 'folder'>,
): Promise<void> {
  await waitFor(
    `the job ${name} of a former run to end`,
    async () => {
      const shown = await showJobUnlessBusy(remote, name, folder, 0)
      if (!shown) return busy
      return shown.state === 'running' ? { pending: 'it is running' } : { done: undefined }
    },
    { clock: remote.clock, signal: remote.signal, everyMs, withinMs },
  )
  await removeJob(remote, name, folder)
}

const busy = { pending: 'the host takes long to show it' } as const

/** Undefined where the host is too busy to show it: a job that restarts etcd and the API server keeps a small one so. */
async function showJobUnlessBusy(
  ...asked: Parameters<typeof showJob>
): Promise<ShownJob | undefined> {
  try {
    return await showJob(...asked)
  } catch (error) {
    if (isClusterError(error, 'script-timeout')) return undefined
    throw error
  }
}

interface ShownJob {
  readonly state: string
  readonly size: number
  readonly piece: Buffer
}

async function showJob(
  remote: RemoteHost,
  name: string,
  folder: string,
  offset: number,
): Promise<ShownJob> {
  const script = {
    title: `look at the job ${name}`,
    text: showJobScript,
    args: [folder, jobName({ name }), String(offset), String(mostLog)],
    withinMs: askWithinMs,
    isRepeatable: true,
  }
  const { code, stdout, stderr } = await runInto(remote, script, () => new AllOutput(2 * mostLog))
  const bytes = stdout.bytes()
  const [header = '', state = '', size = ''] = /^(.*)\n(\d+)\n/.exec(bytes.toString('latin1')) ?? []
  if (code === 0 && state !== '') {
    return { state, size: Number(size), piece: bytes.subarray(header.length) }
  }
  throw new ClusterError('script-failed', `the host does not show the job ${name}`, {
    operation: script.title,
    target: describeHost(remote.host),
    evidence: lastLines(stderr.text()),
    hint: 'Check that systemd of the host answers (systemctl status), then run again: the job goes on.',
  })
}

/** `ended <result> <how> <status>`, as systemd puts it. */
function exitCodeOf(
  state: string,
  remote: RemoteHost,
  name: string,
  evidence: readonly string[],
): number {
  const [what, result = '', how = '', status = ''] = state.split(' ')
  if (what === 'ended' && how === 'exited' && /^\d+$/.test(status)) return Number(status)
  if (what === 'lost') throw lostJob(remote, name)
  const context = { operation: `run the job ${name}`, target: describeHost(remote.host), evidence }
  if (what === 'absent') {
    throw new ClusterError('script-failed', `there is no job ${name}`, {
      ...context,
      hint: 'Run again: it is started.',
    })
  }
  if (result === 'timeout') {
    throw new ClusterError('script-timeout', `the job ${name} took too long and was ended`, {
      ...context,
      hint: 'Look at what the host is busy with, then run again.',
    })
  }
  throw new ClusterError('script-failed', `the job ${name} was ended: ${result} (${status})`, {
    ...context,
    hint: 'Look at the log of the host: it may be out of memory, or somebody stopped the unit.',
  })
}
