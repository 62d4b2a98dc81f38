import { createHash } from 'node:crypto'
import { ClusterError } from '../lib/cluster-error.ts'
import { endJobScript, removeJobScript, runJobScript, startJobScript } from './job-scripts.ts'
import { lastLines, runScript } from './run-script.ts'
import { describeHost } from './ssh-host.ts'
import type { RemoteHost } from './ssh-pool.ts'

/**
 * Work that takes longer than a connection lasts. It runs in a transient unit of systemd, so that it goes on when the
 * connection breaks and when this process ends; whoever asks for it again finds it by its name.
 *
 * For the second mode (hosts that exist): kubeadm init and join, upgrades, installing packages.
 */
export interface Job {
  /** Lower-case letters, digits and hyphens; one job of a name at a time. */
  readonly name: string
  /** Evaluated by bash with `set -euo pipefail` and `LC_ALL=C`, as root. */
  readonly text: string
  readonly args?: readonly string[]
  /** How long it may take, in milliseconds: systemd ends it then. */
  readonly withinMs: number
}

/** What was found where a job was to be started. */
export type JobStart = 'started' | 'running' | 'ended'

/** Where jobs leave their logs and how they ended, so that a reboot does not lose that. */
export const jobsFolder = '/var/lib/hcloud-talos/jobs'

/** How long starting or asking may take, in milliseconds. */
export const askWithinMs = 60_000

/**
 * Starts a job, or takes up the same one that runs or has ended: it never runs twice until it is removed. Throws
 * `ssh-interrupted` where it was ended together with the host and nobody knows how far it came, and `script-failed` where
 * another job of this name runs.
 */
export async function startJob(
  remote: RemoteHost,
  job: Job,
  folder: string = jobsFolder,
): Promise<JobStart> {
  const { name, text, args = [], withinMs } = job
  const digest = createHash('sha256')
    .update(JSON.stringify([text, args]))
    .digest('hex')
  const input = Buffer.from(text)
  const size = String(input.length)
  const seconds = String(Math.ceil(withinMs / 1_000))
  const { code, stdout, stderr } = await runScript(remote, {
    title: `start the job ${name}`,
    text: startJobScript,
    args: [folder, jobName(job), seconds, digest, size, runJobScript, endJobScript, ...args],
    input,
    withinMs: askWithinMs,
    // The second time it finds what the first one started.
    isRepeatable: true,
  })
  const found = stdout.trim()
  if (code === 0 && found !== 'lost')
    return found === 'running' || found === 'ended' ? found : 'started'
  if (code === 0) throw lostJob(remote, name)
  const isOther = code === 66
  throw new ClusterError(
    'script-failed',
    isOther ? `another job of the name ${name} is running` : `the job ${name} could not be started`,
    {
      operation: `start the job ${name}`,
      target: describeHost(remote.host),
      evidence: lastLines(stderr),
      hint: isOther
        ? 'Run again when it has ended.'
        : 'Check that the host runs systemd and that the user may become root.',
    },
  )
}

/** Ends a job where it runs, and forgets how it ended. */
export async function removeJob(
  remote: RemoteHost,
  name: string,
  folder: string = jobsFolder,
): Promise<void> {
  const { code, stderr } = await runScript(remote, {
    title: `remove the job ${name}`,
    text: removeJobScript,
    args: [folder, jobName({ name })],
    withinMs: askWithinMs,
    isRepeatable: true,
  })
  if (code === 0) return
  throw new ClusterError('script-failed', `the job ${name} could not be removed`, {
    target: describeHost(remote.host),
    evidence: lastLines(stderr),
    hint: 'Look at the reason above, then run again.',
  })
}

/** What became of a job whose host was switched off while it ran. */
export function lostJob({ host }: RemoteHost, name: string): ClusterError {
  return new ClusterError(
    'ssh-interrupted',
    `the job ${name} was ended together with its host: it is unknown how far it came`,
    {
      operation: `run the job ${name}`,
      target: describeHost(host),
      hint: 'Look at what there is on the host, then run again: the job was not started a second time, since it may have run.',
    },
  )
}

/** The name of a job, which is part of paths and of a unit's name. */
export function jobName({ name }: Pick<Job, 'name'>): string {
  if (/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/.test(name)) return name
  throw new Error(`no name of a job: ${name}`)
}
