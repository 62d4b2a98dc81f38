import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { HostKeyPin } from '../../src/ssh/host-key.ts'
import { runScript } from '../../src/ssh/run-script.ts'
import { SshConnection } from '../../src/ssh/ssh-connection.ts'
import type { SshHost } from '../../src/ssh/ssh-host.ts'
import { createSshKeyPair } from '../../src/ssh/ssh-key-pair.ts'
import { hangLimitMs } from '../hang-limit.ts'
import { startPool, startServer } from './ssh-server.ts'

const hello = { title: 'greet', text: 'echo hello', withinMs: hangLimitMs }
const minutes = 60_000

describe('a pool', () => {
  test('uses one connection for everything on a host', async () => {
    const { host, connections } = await startServer()
    const pool = startPool()
    const all = Array.from({ length: 12 }, () => runScript(pool.host(host), hello))
    expect((await Promise.all(all)).map(({ stdout }) => stdout)).toEqual(Array(12).fill('hello\n'))
    expect(connections()).toBe(1)
  })

  test('opens another connection where the former one broke meanwhile, once for all who wait', async () => {
    const { host, connections, cut } = await startServer()
    const remote = startPool().host(host)
    const first = await remote.connect()
    cut()
    await expect.poll(() => first.isOpen, { timeout: hangLimitMs }).toBe(false)
    await Promise.all([1, 2, 3].map(() => runScript(remote, hello)))
    expect(connections()).toBe(2)
  })

  test('tries a refused handshake again, and reports why it waits', async () => {
    const { host, connections } = await startServer({
      receive: (connection) => (connection < 3 ? 'hang up' : 'serve'),
    })
    const reasons: string[] = []
    const pool = startPool({
      connectWithinMs: 60 * minutes,
      onWaiting: ({ name }, reason) => reasons.push(`${name}: ${reason}`),
    })
    expect((await runScript(pool.host(host), hello)).stdout).toBe('hello\n')
    expect(connections()).toBe(3)
    expect(reasons[0]).toMatch(/^web-1: cannot connect by SSH: /)
  })

  test('a handshake that the host never answers is given up, and tried again', async () => {
    const silent = createServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { host } = await startServer()
    const { port } = silent.address() as AddressInfo
    const mute: SshHost = { ...host, port }
    const pool = startPool({ connectWithinMs: minutes, handshakeMs: 50 })
    await expect(pool.host(mute).connect()).rejects.toMatchObject({
      code: 'wait-timeout',
      message: expect.stringContaining('web-1 to answer by SSH'),
    })
    silent.close()
  })

  test('a rejected login is tried once, and the error names user and host', async () => {
    const { host, connections } = await startServer({ receive: () => 'reject logins' })
    const pool = startPool({ connectWithinMs: 60 * minutes })
    await expect(pool.host(host).connect()).rejects.toMatchObject({
      code: 'ssh-login-rejected',
      message: expect.stringContaining('web-1 rejects the login of root'),
      target: `web-1 (127.0.0.1:${host.port})`,
      hint: expect.stringContaining('authorized_keys'),
    })
    expect(connections()).toBe(1)
  })

  test('a host that was started a moment ago may install its keys late', async () => {
    const { host, connections } = await startServer({
      receive: (connection) => (connection < 3 ? 'reject logins' : 'serve'),
    })
    const pool = startPool({ connectWithinMs: 60 * minutes })
    await pool.host({ ...host, isStarting: true }).connect()
    expect(connections()).toBe(3)
  })

  test('another host key than the pinned one is final, with both fingerprints', async () => {
    const { host, connections } = await startServer()
    const other = HostKeyPin.of((await createSshKeyPair('other')).publicKey)
    const pool = startPool({ connectWithinMs: 60 * minutes })
    await expect(pool.host({ ...host, hostKey: other }).connect()).rejects.toMatchObject({
      code: 'ssh-host-key',
      evidence: [`pinned: ssh-ed25519 ${other.fingerprint}`, `shown: ${host.hostKey.fingerprint}`],
    })
    expect(connections()).toBe(1)
  })

  test('a key that was recorded at the first contact is demanded at the second', async () => {
    const { host } = await startServer()
    const impostor = await startServer()
    const hostKey = HostKeyPin.firstContact()
    const pool = startPool()
    await pool.host({ ...host, hostKey }).connect()
    expect(hostKey.fingerprint).toBe(host.hostKey.fingerprint)
    await expect(pool.host({ ...impostor.host, hostKey }).connect()).rejects.toMatchObject({
      code: 'ssh-host-key',
    })
  })

  test('nobody listening is an expected failure that may pass', async () => {
    const { host } = await startServer()
    await expect(
      startPool()
        .host({ ...host, port: 1 })
        .connect(),
    ).rejects.toMatchObject({
      code: 'ssh-failed',
      isUnanswered: true,
    })
  })

  test('a name that does not exist is final, and asked for once', async () => {
    const { host } = await startServer()
    const reasons: string[] = []
    const patient = startPool({
      connectWithinMs: 60 * minutes,
      onWaiting: (_, reason) => reasons.push(reason),
    })
    // A label of more than 63 characters exists nowhere: no server of names is needed to know that.
    const address = `${'a'.repeat(64)}.invalid`
    await expect(patient.host({ ...host, address }).connect()).rejects.toMatchObject({
      code: 'ssh-failed',
      message: expect.stringContaining('ENOTFOUND'),
      isUnanswered: false,
    })
    expect(reasons).toEqual([])
  })

  test('a rejected host key explains the attempt that rejected it, and no later one', async () => {
    const [server, impostor] = [await startServer(), await startServer()]
    const pool = startPool()
    const { hostKey } = server.host
    await expect(pool.host({ ...impostor.host, hostKey }).connect()).rejects.toMatchObject({
      code: 'ssh-host-key',
    })
    await expect(pool.host({ ...server.host, port: 1 }).connect()).rejects.toMatchObject({
      code: 'ssh-failed',
    })
  })

  test('a closed pool refuses whoever would use it again, and opens nothing', async () => {
    const { host, connections } = await startServer()
    const pool = startPool()
    const remote = pool.host(host)
    await runScript(remote, hello)
    await pool[Symbol.asyncDispose]()
    await expect(runScript(remote, hello)).rejects.toMatchObject({
      code: 'ssh-failed',
      message: expect.stringContaining('closed'),
      isUnanswered: false,
    })
    expect(() => pool.host({ ...host })).toThrow('closed')
    expect(connections()).toBe(1)
  })

  test('closing ends the wait for a host that does not answer', async () => {
    const { host } = await startServer({ receive: () => 'hang up' })
    const { promise: waiting, resolve } = Promise.withResolvers<void>()
    const pool = startPool({
      connectWithinMs: 1_000_000 * minutes,
      onWaiting: () => resolve(),
    })
    const connecting = pool.host(host).connect()
    await Promise.all([
      expect(connecting).rejects.toMatchObject({ message: expect.stringContaining('closed') }),
      waiting.then(() => pool[Symbol.asyncDispose]()),
    ])
  })

  test('a jump host that never answers where the host behind it is has a limit, and can be cancelled', async () => {
    // It serves, and does not know what a stream to another host is: nobody answers that.
    const jump = { ...(await startServer({ forwards: 'never' })).host, name: 'jump-1' }
    const { host } = await startServer()
    await using connection = await SshConnection.open(jump)
    await expect(connection.forward(host, { withinMs: 50 })).rejects.toMatchObject({
      code: 'ssh-failed',
      message: expect.stringContaining('jump-1 cannot reach web-1: no answer'),
      isUnanswered: true,
    })
    const controller = new AbortController()
    const pool = startPool({ signal: controller.signal })
    await pool.host(jump).connect()
    const connecting = pool.host({ ...host, jump }).connect()
    setImmediate(() => controller.abort(new Error('cancelled')))
    await expect(connecting).rejects.toThrow('cancelled')
  })

  test('an abort ends the handshake with a host that answers nothing', async () => {
    const silent = createServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const controller = new AbortController()
    silent.once('connection', () => controller.abort(new Error('cancelled')))
    const { host } = await startServer()
    const pool = startPool({ signal: controller.signal })
    const { port } = silent.address() as AddressInfo
    await expect(pool.host({ ...host, port }).connect()).rejects.toThrow('cancelled')
    silent.close()
  })

  test('closing ends also when the host has hung up before', async () => {
    const { host, cut } = await startServer()
    const pool = startPool()
    await pool.host(host).connect()
    cut()
    await expect(pool[Symbol.asyncDispose]()).resolves.toBeUndefined()
  })

  test('closing ends also when the host answers nothing any more', async () => {
    const { host, freeze } = await startServer()
    const pool = startPool()
    await pool.host(host).connect()
    freeze()
    await expect(pool[Symbol.asyncDispose]()).resolves.toBeUndefined()
  })
})
