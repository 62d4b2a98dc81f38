import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { Redactor } from '../../../src/lib/redactor.ts'
import { HostKeyPin } from '../../../src/ssh/host-key.ts'
import { runScript, type Script } from '../../../src/ssh/run-script.ts'
import type { SshHost } from '../../../src/ssh/ssh-host.ts'
import { hangLimitMs } from '../../hang-limit.ts'
import { afterTest, makeFolder, makeKey, run, startPool, startSshd } from './openssh.ts'

const script = (text: string, partial: Partial<Script> = {}): Script => ({
  title: 'try something',
  text,
  withinMs: hangLimitMs,
  ...partial,
})

const greets = async (host: SshHost) =>
  (await runScript(startPool().host(host), script('echo hello'))).stdout

describe('OpenSSH', () => {
  test('opens eight channels for thirty commands at once, and all of them run', async () => {
    // With fewer than eight at once the first would wait for ever; the host opens no ninth.
    const { host } = await startSshd({ settings: { MaxSessions: 8 } })
    const remote = startPool().host(host)
    const folder = await makeFolder()
    const text = 'touch "$1/$2"; until [ "$(ls "$1" | wc -l)" -ge 8 ]; do sleep 0.2; done'
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        runScript(remote, script(text, { args: [folder, String(at)] })),
      ),
    )
    expect(all.map(({ code }) => code)).toEqual(Array(30).fill(0))
  })

  test('that allows fewer sessions than that is an error which names the setting', async () => {
    const { host, cut } = await startSshd({ settings: { MaxSessions: 1 } })
    const remote = startPool().host(host)
    const first = runScript(remote, script('sleep 300')).catch((error: unknown) => error)
    await expect(runScript(remote, script('true'))).rejects.toMatchObject({
      code: 'ssh-failed',
      hint: expect.stringContaining('MaxSessions'),
    })
    cut()
    expect(await first).toMatchObject({ code: 'ssh-interrupted' })
  })

  test('runs a script of any characters and any length as it was written', async () => {
    const { host } = await startSshd()
    const remote = startPool().host(host)
    const characters = Array.from({ length: 0x2ff }, (_, at) => String.fromCodePoint(at + 1))
    const hostile = `${characters.join('')}𝄞 $(id) \`id\` \\" ' !! ${'x'.repeat(200_000)}`
    const result = await runScript(
      remote,
      script(`sha256sum <<'End of it'\n${hostile}\nEnd of it\n`),
    )
    const { stdout } = await runScript(
      remote,
      script('sha256sum', { input: Buffer.from(`${hostile}\n`) }),
    )
    expect(result).toEqual({ code: 0, stdout, stderr: '' })
  })

  test('shows an argument in no process, and a secret in no error', async () => {
    const { host, cut } = await startSshd()
    const redactor = new Redactor()
    const remote = startPool({ redactor }).host(host)
    const canary = 'canary-5f0c1d'
    const listing =
      'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n" | grep -c canary-5f || true'
    const listed = await runScript(remote, script(listing, { args: [canary] }))
    // The listing itself names the first half.
    expect(listed.stdout).toBe('0\n')
    redactor.add(canary)
    const failing = script('echo "$1" >&2; echo "$1"; touch "$2"; sleep 60', {
      args: [canary, join(await makeFolder(), 'runs')],
    })
    const failure = runScript(remote, failing).catch((error: unknown) => error)
    while (!existsSync(failing.args?.[1] ?? '')) await sleep(20)
    cut()
    const error = await failure
    expect(error).toMatchObject({ code: 'ssh-interrupted', evidence: ['***'] })
    expect(JSON.stringify([error, String(error)])).not.toContain(canary)
  })

  test('that answers nothing any more is noticed by its keepalives', async () => {
    const { host, freeze } = await startSshd()
    const remote = startPool().host(host)
    const started = join(await makeFolder(), 'started')
    const failure = runScript(remote, script('touch "$1"; sleep 300', { args: [started] })).catch(
      (error: unknown) => error,
    )
    while (!existsSync(started)) await sleep(20)
    freeze()
    expect(await failure).toMatchObject({ code: 'ssh-interrupted' })
  })

  test('whose command prints 100 MB takes no memory for it, and what is missing is noted', async () => {
    const { host } = await startSshd()
    const remote = startPool().host(host)
    await runScript(remote, script('true'))
    const before = process.memoryUsage.rss()
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 50)
    const { code, stdout } = await runScript(
      remote,
      script('head -c 100000000 /dev/zero | tr "\\0" a; echo end'),
    )
    clearInterval(watch)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\[99\.9 MB of output before this are not shown\]\na+end\n$/)
    expect(stdout.length).toBeLessThan(70_000)
    expect(most - before).toBeLessThan(80_000_000)
  })
})

describe('the host key', () => {
  test('of another type than the pinned one is not asked for', async () => {
    const onlyRsa = await startSshd({ hostKeyTypes: ['rsa'] })
    const { hostKey } = (await startSshd()).host
    await expect(greets({ ...onlyRsa.host, hostKey })).rejects.toMatchObject({
      code: 'ssh-host-key',
      message: 'web-1 has no host key of the type ssh-ed25519',
    })
  })

  test('that is pinned is used also where the host prefers another type', async () => {
    const both = await startSshd({ hostKeyTypes: ['ed25519', 'rsa', 'ecdsa'] })
    for (const type of ['rsa', 'ecdsa', 'ed25519']) {
      const hostKey = HostKeyPin.of(await readFile(`${both.hostKey(type)}.pub`, 'utf8'))
      expect(await greets({ ...both.host, hostKey })).toBe('hello\n')
    }
  })

  test('of the right type that is another key is refused', async () => {
    const [one, other] = [await startSshd(), await startSshd()]
    await expect(greets({ ...one.host, hostKey: other.host.hostKey })).rejects.toMatchObject({
      code: 'ssh-host-key',
    })
  })

  test('that is pinned by the fingerprint of ssh-keygen, and as ssh-keyscan prints it', async () => {
    const { host, hostKey } = await startSshd()
    const { stdout } = await run('ssh-keygen', ['-lf', `${hostKey('ed25519')}.pub`])
    const fingerprint = stdout.split(' ')[1] ?? ''
    expect(await greets({ ...host, hostKey: HostKeyPin.of(`ssh-ed25519 ${fingerprint}`) })).toBe(
      'hello\n',
    )
    const scan = await run('ssh-keyscan', ['-p', String(host.port), '-t', 'ed25519', '127.0.0.1'])
    const scanned = scan.stdout
      .replace(/^#.*\n/gm, '')
      .trim()
      .split(' ')
      .slice(1)
      .join(' ')
    const recorded = HostKeyPin.firstContact()
    await greets({ ...host, hostKey: recorded })
    expect(recorded.text).toBe(scanned)
  })
})

describe('a login', () => {
  test('by a key with a passphrase: right, wrong, missing, and no private key at all', async () => {
    const { host, folder } = await startSshd()
    const locked = join(folder, 'locked')
    await makeKey(locked, 'ed25519', 'open sesame')
    await appendFile(join(folder, 'authorized_keys'), await readFile(`${locked}.pub`))
    const privateKey = await readFile(locked, 'utf8')
    const as = (login: SshHost['login']) => greets({ ...host, login })
    expect(await as({ privateKey, passphrase: 'open sesame' })).toBe('hello\n')
    const unreadable = (message: string) => ({
      code: 'ssh-key-unreadable',
      message: expect.stringContaining(message),
    })
    await expect(as({ privateKey, passphrase: 'open barley' })).rejects.toMatchObject(
      unreadable('another passphrase'),
    )
    await expect(as({ privateKey })).rejects.toMatchObject(unreadable('none was given'))
    const publicKey = await readFile(`${locked}.pub`, 'utf8')
    await expect(as({ privateKey: publicKey })).rejects.toMatchObject(unreadable('public key'))
    await expect(as({ privateKey: 'none' })).rejects.toMatchObject(unreadable('cannot be read'))
  })

  test('by RSA and ECDSA keys', async () => {
    const { host, folder } = await startSshd()
    for (const type of ['rsa', 'ecdsa']) {
      const key = join(folder, type)
      await makeKey(key, type)
      await appendFile(join(folder, 'authorized_keys'), await readFile(`${key}.pub`))
      const privateKey = await readFile(key, 'utf8')
      expect(await greets({ ...host, login: { privateKey } })).toBe('hello\n')
    }
  })

  test('by an agent, which offers one key of many where that was chosen', async () => {
    const { host, folder, key } = await startSshd()
    const socket = join(folder, 'agent')
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
    afterTest(async () => {
      agent.kill()
      if (agent.exitCode === null && agent.signalCode === null) await once(agent, 'exit')
    })
    while (!existsSync(socket)) await sleep(20)
    const add = (file: string) =>
      run('ssh-add', ['-q', file], { env: { ...process.env, SSH_AUTH_SOCK: socket } })
    for (let count = 0; count < 7; count++) {
      const stranger = join(folder, `stranger-${count}`)
      await makeKey(stranger)
      await add(stranger)
    }
    const publicKey = await readFile(`${key}.pub`, 'utf8')
    const as = (login: SshHost['login']) => greets({ ...host, login })
    await expect(as({ agent: socket, publicKey })).rejects.toMatchObject({
      code: 'ssh-login-rejected',
      message: expect.stringContaining('does not hold the key'),
    })
    await add(key)
    await expect(as({ agent: socket })).rejects.toMatchObject({ code: 'ssh-login-rejected' })
    expect(await as({ agent: socket, publicKey })).toBe('hello\n')
    await expect(as({ agent: join(folder, 'none') })).rejects.toMatchObject({
      code: 'ssh-login-rejected',
      message: expect.stringContaining('agent'),
    })
  })
})

describe('a jump host', () => {
  test('is connected to once for all hosts behind it', async () => {
    const jump = { ...(await startSshd()).host, name: 'jump-1' }
    const hosts = [await startSshd(), await startSshd()].map(({ host }) => ({ ...host, jump }))
    const pool = startPool()
    const seen = await Promise.all(
      hosts.map((host) => runScript(pool.host(host), script('echo "$SSH_CONNECTION"'))),
    )
    // What the hosts see comes from the jump host, which is this machine too.
    expect(seen.map(({ stdout }) => stdout.split(' ')[3])).toEqual(
      hosts.map(({ port }) => `${port}\n`),
    )
    expect(await pool.host(jump).connect()).toBe(await pool.host(jump).connect())
  })

  test('that cannot reach the host, or may not, is named in the error', async () => {
    const jump = { ...(await startSshd()).host, name: 'jump-1' }
    const { host } = await startSshd()
    await expect(greets({ ...host, jump, port: 1 })).rejects.toMatchObject({
      code: 'ssh-failed',
      message: expect.stringContaining('jump-1 cannot reach web-1'),
      isUnanswered: true,
    })
    const closed = await startSshd({ settings: { AllowTcpForwarding: 'no' } })
    await expect(
      greets({ ...host, jump: { ...closed.host, name: 'jump-2' } }),
    ).rejects.toMatchObject({
      code: 'ssh-failed',
      hint: expect.stringContaining('AllowTcpForwarding'),
      isUnanswered: false,
    })
  })
})
