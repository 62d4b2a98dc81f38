import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import { runScript, type Script } from '../../src/ssh/run-script.ts'
import { framedScript, readyLine, receiverCommand } from '../../src/ssh/script-receiver.ts'
import { hangLimitMs, pollLimitMs } from '../hang-limit.ts'
import { type ServerOptions, startPool, startServer } from './ssh-server.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ssh-script-'))
  folders.push(folder)
  return folder
}

const script = (text: string, partial: Partial<Script> = {}): Script => ({
  title: 'try something',
  text,
  withinMs: 1_000 * hangLimitMs,
  ...partial,
})

async function reach(options: ServerOptions = {}) {
  const server = await startServer(options)
  return {
    ...server,
    remote: startPool({ connectWithinMs: 1_000 * hangLimitMs }).host(server.host),
  }
}

/** Appends a line to a file, so that a test sees how often it ran. */
const countedRun = 'echo ran >>"$1"; echo output'
const runsIn = (file: string) =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0

describe('a script', () => {
  test('brings back its exit code and both streams', async () => {
    const { remote } = await reach()
    const result = await runScript(remote, script('echo out; echo err >&2; exit 7'))
    expect(result).toEqual({ code: 7, stdout: 'out\n', stderr: 'err\n' })
  })

  test('ends at the first command that fails, also within a pipe', async () => {
    const { remote } = await reach()
    expect(await runScript(remote, script('false | cat; echo no'))).toMatchObject({
      code: 1,
      stdout: '',
    })
    expect((await runScript(remote, script('echo "$never_set"'))).code).not.toBe(0)
  })

  test('and its arguments and input arrive byte for byte, and on no command line', async () => {
    const { remote, commands } = await reach()
    const hostile = ['', ' a  b ', `'"\`$(id)\\`, '!-- *?[]{}~#&;|<>', '\n\r\t', 'ü€𝄞', '-n', '--']
    const result = await runScript(
      remote,
      script('printf "%s|" "$@"; printf "%s" \'\\$(x)`"\'; cat', {
        args: hostile,
        input: Buffer.from('input of its own\0'),
      }),
    )
    expect(result.stdout).toBe(
      `${hostile.map((one) => `${one}|`).join('')}\\$(x)\`"input of its own\0`,
    )
    const plain = await reach()
    await runScript(plain.remote, script('true'))
    expect(commands).toEqual(plain.commands)
  })

  test('is not disturbed by what a login shell prints', async () => {
    const { remote } = await reach({ noise: 'Welcome!\nhcloud-talos\n' })
    expect((await runScript(remote, script('echo hello'))).stdout).toBe('hello\n')
  })

  test('of a host without a shell fails with what the host printed', async () => {
    const { remote } = await reach({ shell: 'echo "This account is not available" >&2; exit 1' })
    await expect(runScript(remote, script('true'))).rejects.toMatchObject({
      code: 'script-failed',
      message: 'the host cannot run a script with bash: exit code 1',
      evidence: ['This account is not available'],
      target: expect.stringContaining('web-1'),
    })
  })

  test('of a host that answers all in one piece fails with what that was', async () => {
    const { remote, connections } = await reach({ refusal: 'This account is not available\n' })
    await expect(runScript(remote, script('true'))).rejects.toMatchObject({
      code: 'script-failed',
      message: 'the host cannot run a script with bash: exit code 1',
      evidence: ['This account is not available'],
    })
    expect(connections()).toBe(1)
  })

  test('waits for its own processes and for nothing else', async () => {
    const { remote } = await reach()
    expect((await runScript(remote, script('sleep 0.1 & wait; echo done'))).stdout).toBe('done\n')
    expect((await runScript(remote, script('wait; echo done'))).stdout).toBe('done\n')
  })

  test('that a signal ended has no exit code, and is a failure', async () => {
    const { remote } = await reach()
    await expect(runScript(remote, script('kill -KILL $$'))).rejects.toMatchObject({
      code: 'script-failed',
      message: expect.stringContaining('KILL'),
    })
  })

  test('hides secrets in its output', async () => {
    const server = await startServer()
    const redactor = new Redactor()
    redactor.add('correct-horse-battery')
    const remote = startPool({ redactor }).host(server.host)
    const result = await runScript(
      remote,
      script('echo "$1"; echo "$1" >&2', { args: ['correct-horse-battery'] }),
    )
    expect(result).toEqual({ code: 0, stdout: '***\n', stderr: '***\n' })
    const { login } = server.host
    expect(redactor.redact(JSON.stringify(login).replaceAll('\\n', '\n'))).not.toContain('PRIVATE')
  })
})

describe('a connection that breaks', () => {
  test('before the script was sent loses nothing: it is sent on another', async () => {
    const file = join(await makeFolder(), 'runs')
    const { remote, connections } = await reach({
      course: (command) => (command < 3 ? 'cut before the script' : 'run'),
    })
    expect(await runScript(remote, script(countedRun, { args: [file] }))).toMatchObject({ code: 0 })
    expect([runsIn(file), connections()]).toEqual([1, 3])
  })

  test('while the script runs is reported as unknown, and nothing is sent again', async () => {
    const file = join(await makeFolder(), 'runs')
    const { remote, connections } = await reach({ course: () => 'cut at first output' })
    await expect(runScript(remote, script(countedRun, { args: [file] }))).rejects.toMatchObject({
      code: 'ssh-interrupted',
      message: expect.stringContaining('unknown how far it came'),
      isUnanswered: true,
      hint: expect.stringContaining('not sent a second time'),
    })
    expect([runsIn(file), connections()]).toEqual([1, 1])
  })

  test('while a script runs that may run again is followed by another', async () => {
    const file = join(await makeFolder(), 'runs')
    const { remote } = await reach({
      course: (command) => (command === 1 ? 'cut at first output' : 'run'),
    })
    const result = await runScript(remote, script(countedRun, { args: [file], isRepeatable: true }))
    expect([result.stdout, runsIn(file)]).toEqual(['output\n', 2])
  })

  test('each time ends after the third', async () => {
    const { remote, commands } = await reach({ course: () => 'cut at first output' })
    await expect(
      runScript(remote, script('echo output', { isRepeatable: true })),
    ).rejects.toMatchObject({ code: 'ssh-interrupted' })
    expect(commands).toHaveLength(3)
  })
})

/** The receiver as a host runs it, fed by hand. */
async function receive(frame: Uint8Array): Promise<{ code: number | null; stdout: string }> {
  const child = spawn('bash', ['-c', receiverCommand(undefined)])
  child.stdin.end(frame)
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  const [code] = await once(child, 'close')
  return { code, stdout: stdout.replace(`${readyLine}\n`, '') }
}

describe('a script of which a part did not arrive', () => {
  const frame = framedScript('echo ran; cat', ['one', 'two'], Buffer.from('input of its own'))

  test('does not run, wherever that was cut', async () => {
    for (const length of [0, 3, 12, 17, frame.length - 16, frame.length - 1]) {
      expect(await receive(frame.subarray(0, length))).toEqual({ code: 97, stdout: '' })
    }
    expect(await receive(frame)).toEqual({ code: 0, stdout: 'ran\ninput of its own' })
  })
})

describe('ending a script', () => {
  /** Reports its process, and would run for an hour. */
  const long = 'echo $$ >"$1"; sleep 3600'

  const isAlive = (file: string) => {
    try {
      process.kill(Number(readFileSync(file, 'utf8')), 0)
      return true
    } catch {
      return false
    }
  }

  test('by an abort ends what it started on the host, with the reason of the abort', async () => {
    const file = join(await makeFolder(), 'process')
    const { host } = await startServer()
    const controller = new AbortController()
    const remote = startPool({ signal: controller.signal }).host(host)
    const run = runScript(remote, script(long, { args: [file] }))
    await Promise.all([
      expect(run).rejects.toThrow('cancelled'),
      expect
        .poll(() => existsSync(file) && isAlive(file), { timeout: pollLimitMs })
        .toBe(true)
        .then(() => controller.abort(new Error('cancelled'))),
    ])
    await expect.poll(() => isAlive(file), { timeout: pollLimitMs }).toBe(false)
  })

  test('works also while it leaves more input unread than a pipe holds', async () => {
    const file = join(await makeFolder(), 'process')
    const { host } = await startServer()
    const controller = new AbortController()
    const remote = startPool({ signal: controller.signal }).host(host)
    const input = Buffer.alloc(300_000, 'x')
    const run = runScript(remote, script(long, { args: [file], input }))
    await Promise.all([
      expect(run).rejects.toThrow('cancelled'),
      expect
        .poll(() => existsSync(file) && isAlive(file), { timeout: pollLimitMs })
        .toBe(true)
        .then(() => controller.abort(new Error('cancelled'))),
    ])
    await expect.poll(() => isAlive(file), { timeout: pollLimitMs }).toBe(false)
  })

  test('that takes too long ends it too, and the error names what it was', async () => {
    const file = join(await makeFolder(), 'process')
    const { host } = await startServer()
    // Time passes when the script is known to run.
    const { promise: late, resolve: passTime } = Promise.withResolvers<void>()
    const clock = { now: () => 0, sleep: () => late }
    const run = runScript(
      startPool({ clock }).host(host),
      script(long, { args: [file], withinMs: 3 * 60_000 }),
    )
    await Promise.all([
      expect(run).rejects.toMatchObject({
        code: 'script-timeout',
        operation: 'try something',
        message: expect.stringContaining('3 min'),
      }),
      expect
        .poll(() => existsSync(file) && isAlive(file), { timeout: pollLimitMs })
        .toBe(true)
        .then(passTime),
    ])
    await expect.poll(() => isAlive(file), { timeout: pollLimitMs }).toBe(false)
  })

  test('works also when the host never answers that it was asked', async () => {
    const { host } = await startServer({ receive: () => 'open nothing' })
    const controller = new AbortController()
    const remote = startPool({ signal: controller.signal }).host(host)
    await remote.connect()
    const run = runScript(remote, script('true'))
    setImmediate(() => controller.abort(new Error('cancelled')))
    await expect(run).rejects.toThrow('cancelled')
  })
})
