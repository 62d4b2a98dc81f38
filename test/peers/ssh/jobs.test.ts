import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Redactor } from '../../../src/lib/redactor.ts'
import { followJob } from '../../../src/ssh/follow-job.ts'
import { type Job, removeJob, startJob } from '../../../src/ssh/job.ts'
import { hangLimitMs } from '../../hang-limit.ts'
import { makeFolder, startPool, startSshd } from './openssh.ts'
import { installSystemd } from './stand-in-systemd.ts'

/** A host with a stand-in for systemd, which this machine need not have been started by. */
async function reach() {
  const work = await makeFolder()
  const bin = await installSystemd(work)
  const sshd = await startSshd({ settings: { SetEnv: `PATH=${bin}:/usr/bin:/bin` } })
  const redactor = new Redactor()
  const remote = startPool({ redactor, connectWithinMs: hangLimitMs }).host(sshd.host)
  const folder = join(work, 'jobs')
  const lines: string[] = []
  const follow = (name: string) =>
    followJob(remote, name, {
      withinMs: hangLimitMs,
      folder,
      onLine: (line) => lines.push(line),
    })
  return { ...sshd, work, redactor, remote, folder, lines, follow }
}

/** Counts its runs, and ends when it is allowed to. */
const patient = (work: string, partial: Partial<Job> = {}): Job => ({
  name: 'init-node',
  text: 'echo run >>"$1/runs"; echo "begins with $2"; until [ -e "$1/go" ]; do sleep 0.2; done; echo ends; exit 3',
  args: [work, 'a $(b) "c\''],
  withinMs: hangLimitMs,
  ...partial,
})

const runs = (work: string) => readFileSync(join(work, 'runs'), 'utf8')
const log = ['begins with a $(b) "c\'', 'ends']

describe('a job', () => {
  test('goes on when the process that started it is killed, and is taken up by its name', async () => {
    const { host, key, work, folder, remote, lines, follow } = await reach()
    const job = patient(work)
    const script = join(import.meta.dirname, 'start-job-process.ts')
    const args = [script, String(host.port), host.user, key, folder, JSON.stringify(job)]
    const starter = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [started] = await once(starter.stdout, 'data')
    expect(String(started)).toBe('started\n')
    starter.kill('SIGKILL')
    await once(starter, 'exit')
    expect(await startJob(remote, job, folder)).toBe('running')
    await writeFile(join(work, 'go'), '')
    expect(await follow(job.name)).toEqual({ code: 3, lastLines: log })
    expect([lines, runs(work)]).toEqual([log, 'run\n'])
    expect(await startJob(remote, job, folder)).toBe('ended')
    await removeJob(remote, job.name, folder)
    // The lock stays: a script that waits for it must find the same file.
    expect(readdirSync(folder)).toEqual([`${job.name}.lock`])
  })

  test('is followed over as many connections as it takes, and no line is lost', async () => {
    const { work, folder, remote, lines, follow, cut } = await reach()
    const job = patient(work)
    await startJob(remote, job, folder)
    const end = follow(job.name)
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    cut()
    await writeFile(join(work, 'go'), '')
    expect(await end).toEqual({ code: 3, lastLines: log })
    expect([lines, runs(work)]).toEqual([log, 'run\n'])
  })

  test('that takes too long is ended by systemd; another of its name waits for its end', async () => {
    const { work, folder, remote, follow } = await reach()
    const job = patient(work, { withinMs: 20_000 })
    await startJob(remote, job, folder)
    await expect(startJob(remote, { ...job, args: ['other'] }, folder)).rejects.toMatchObject({
      code: 'script-failed',
      message: 'another job of the name init-node is running',
    })
    await expect(follow(job.name)).rejects.toMatchObject({
      code: 'script-timeout',
      evidence: [log[0]],
    })
  })

  test('that was ended together with its host is unknown, and not started again', async () => {
    const { work, folder, remote, follow } = await reach()
    const job = patient(work)
    await startJob(remote, job, folder)
    while (!existsSync(join(work, 'runs'))) await new Promise((resolve) => setTimeout(resolve, 50))
    const supervisor = Number(
      readFileSync(join(work, 'units', 'hcloud-talos-init-node.service'), 'utf8'),
    )
    process.kill(-supervisor, 'SIGKILL')
    const lost = { code: 'ssh-interrupted', message: expect.stringContaining('unknown how far') }
    await expect(follow(job.name)).rejects.toMatchObject(lost)
    await expect(startJob(remote, job, folder)).rejects.toMatchObject(lost)
    expect(runs(work)).toBe('run\n')
    await removeJob(remote, job.name, folder)
    await expect(follow(job.name)).rejects.toMatchObject({ message: 'there is no job init-node' })
  })

  test('that an orderly shutdown ended is unknown too, and one that had ended well is not', async () => {
    const { work, folder, remote, follow } = await reach()
    const job = patient(work)
    await startJob(remote, job, folder)
    while (!existsSync(join(work, 'runs'))) await new Promise((resolve) => setTimeout(resolve, 50))
    // What systemd does: it is stopping, and ends the unit; what is to run after its end runs.
    await writeFile(join(work, 'units', 'stopping'), '')
    const unit = join(work, 'units', 'hcloud-talos-init-node.service')
    process.kill(-Number(readFileSync(unit, 'utf8')), 'SIGTERM')
    const lost = { code: 'ssh-interrupted', message: expect.stringContaining('unknown how far') }
    await expect(follow(job.name)).rejects.toMatchObject(lost)
    await expect(startJob(remote, job, folder)).rejects.toMatchObject(lost)
    const short = { name: 'reboot', text: 'echo rebooting', withinMs: hangLimitMs }
    await startJob(remote, short, folder)
    expect(await follow('reboot')).toEqual({ code: 0, lastLines: ['rebooting'] })
  })

  test('that systemd does not start leaves neither its script nor its arguments behind', async () => {
    const { work, folder, remote } = await reach()
    await writeFile(join(work, 'units', 'refuses'), '')
    await expect(startJob(remote, patient(work), folder)).rejects.toMatchObject({
      code: 'script-failed',
      message: 'the job init-node could not be started',
      evidence: ['Failed to start transient service unit'],
    })
    expect(readdirSync(folder)).toEqual(['init-node.lock'])
  })

  test('is followed by a name that can be one, and by no path', async () => {
    const { remote } = await reach()
    await expect(followJob(remote, '../../etc', { withinMs: 1 })).rejects.toThrow(
      'no name of a job',
    )
  })

  test('hides secrets in its log, and leaves none behind', async () => {
    const { work, folder, remote, redactor, lines, follow } = await reach()
    const secret = 'join-token-5f0c1d77'
    redactor.add(secret)
    const job = { name: 'join', text: 'echo "$1"', args: [secret], withinMs: hangLimitMs }
    await startJob(remote, job, folder)
    await follow(job.name)
    expect(lines).toEqual(['***'])
    const left = readdirSync(join(folder, 'join')).filter((file) => file !== 'log')
    const texts = left.map((file) => readFileSync(join(folder, 'join', file), 'utf8'))
    expect(texts.join('')).not.toContain(secret)
    expect(work).not.toBe('')
  })
})
