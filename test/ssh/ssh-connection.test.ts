import { type AddressInfo, createServer } from 'node:net'
import ssh2 from 'ssh2'
import { afterEach, describe, expect, test } from 'vitest'
import { isClusterError } from '../../src/lib/cluster-error.ts'
import { HostKeyPin } from '../../src/ssh/host-key.ts'
import { SshConnection } from '../../src/ssh/ssh-connection.ts'
import { createSshKeyPair } from '../../src/ssh/ssh-key-pair.ts'

type Behaviour = (channel: ssh2.ServerChannel, command: string, stdin: string) => void

const servers: ssh2.Server[] = []
const hosted: ssh2.Connection[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A host that admits `publicKey` and answers each command as `behave` says. */
async function startHost(
  publicKey: string,
  behave: Behaviour | 'opens nothing',
  port = 0,
): Promise<number> {
  const hostKey = await createSshKeyPair('host')
  const allowed = ssh2.utils.parseKey(publicKey)
  if (allowed instanceof Error) throw allowed
  const server = new ssh2.Server({ hostKeys: [hostKey.privateKey] }, (client) => {
    hosted.push(client)
    client.on('error', () => {})
    client.on('authentication', (context) => {
      const right =
        context.method === 'publickey' && context.key.data.equals(allowed.getPublicSSH())
      if (right) context.accept()
      else context.reject()
    })
    client.on('session', (accept) => {
      if (behave === 'opens nothing') return
      accept().on('exec', (acceptExec, _reject, { command }) => {
        const channel = acceptExec()
        let stdin = ''
        channel.on('data', (chunk: Buffer) => {
          stdin += chunk.toString()
        })
        channel.on('end', () => behave(channel, command, stdin))
      })
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function connect(port: number, privateKey: string, pin = new HostKeyPin()) {
  return SshConnection.open({ host: '127.0.0.1', port, username: 'root', privateKey, pin })
}

const echo: Behaviour = (channel, command, stdin) => {
  channel.write(`${command}|${stdin}`)
  channel.stderr.write('told on the side')
  channel.exit(0)
  channel.end()
}

describe('a connection', () => {
  test('runs a command with its input and brings back code and both streams', async () => {
    const key = await createSshKeyPair('test')
    await using host = await connect(await startHost(key.publicKey, echo), key.privateKey)
    const result = await host.run('bash -s', { stdin: 'echo hello' })
    expect(result).toEqual({ code: 0, stdout: 'bash -s|echo hello', stderr: 'told on the side' })
  })

  test('a command that fails is a result, not an exception', async () => {
    const key = await createSshKeyPair('test')
    const port = await startHost(key.publicKey, (channel) => {
      channel.exit(7)
      channel.end()
    })
    await using host = await connect(port, key.privateKey)
    expect((await host.run('false')).code).toBe(7)
  })

  test('a command that was killed, or whose connection broke, has no code', async () => {
    const key = await createSshKeyPair('test')
    const port = await startHost(key.publicKey, (channel) => {
      channel.exit('KILL', false, '')
      channel.end()
    })
    await using host = await connect(port, key.privateKey)
    expect((await host.run('sleep')).code).toBeUndefined()
  })

  test('output arrives piece by piece while the command runs', async () => {
    const key = await createSshKeyPair('test')
    const pieces: string[] = []
    await using host = await connect(await startHost(key.publicKey, echo), key.privateKey)
    await host.run('x', { onOutput: (text) => pieces.push(text) })
    expect(pieces).toContain('told on the side')
  })

  test('an abort ends the command with the reason of the abort', async () => {
    const key = await createSshKeyPair('test')
    await using host = await connect(await startHost(key.publicKey, () => {}), key.privateKey)
    const controller = new AbortController()
    const run = host.run('sleep 1000', { signal: controller.signal })
    controller.abort(new Error('cancelled'))
    await expect(run).rejects.toThrow('cancelled')
  })

  test('an abort ends a command also when the host never answers that it was asked', async () => {
    const key = await createSshKeyPair('test')
    const port = await startHost(key.publicKey, 'opens nothing')
    await using host = await connect(port, key.privateKey)
    const controller = new AbortController()
    const run = host.run('sleep 1000', { signal: controller.signal })
    setImmediate(() => controller.abort(new Error('cancelled')))
    await expect(run).rejects.toThrow('cancelled')
  })

  test('an abort ends the handshake with a host that says nothing', async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const controller = new AbortController()
    silent.once('connection', () => controller.abort(new Error('cancelled')))
    const { privateKey } = await createSshKeyPair('client')
    const { port } = silent.address() as AddressInfo
    const opening = SshConnection.open({
      host: '127.0.0.1',
      port,
      username: 'root',
      privateKey,
      pin: new HostKeyPin(),
      signal: controller.signal,
    })
    await expect(opening).rejects.toThrow('cancelled')
    await new Promise((resolve) => silent.close(resolve))
  })

  test('another host key than the first is refused, with both fingerprints told', async () => {
    const key = await createSshKeyPair('test')
    const pin = new HostKeyPin()
    const first = await connect(await startHost(key.publicKey, echo), key.privateKey, pin)
    await first.close()
    const impostor = await startHost(key.publicKey, echo)
    await expect(connect(impostor, key.privateKey, pin)).rejects.toSatisfy(
      (error) =>
        isClusterError(error, 'ssh-host-key') &&
        pin.fingerprint !== undefined &&
        (error.hint ?? '').includes(pin.fingerprint),
    )
  })

  test('closing ends also when the host has hung up before', async () => {
    const key = await createSshKeyPair('test')
    let hangUp = () => {}
    const port = await startHost(key.publicKey, (channel) => {
      channel.exit(0)
      channel.end()
      setImmediate(() => hangUp())
    })
    hangUp = () => {
      for (const client of hosted.splice(0)) client.end()
    }
    const host = await connect(port, key.privateKey)
    await host.run('shutdown now')
    await new Promise((resolve) => setTimeout(resolve, 50))
    await expect(host.close()).resolves.toBeUndefined()
  })

  test('every key that is made can be read again', async () => {
    for (let count = 0; count < 600; count++) {
      const { privateKey } = await createSshKeyPair('test')
      expect(ssh2.utils.parseKey(privateKey)).not.toBeInstanceOf(Error)
    }
  })

  test('nobody listening is an expected failure', async () => {
    const key = await createSshKeyPair('test')
    await expect(connect(1, key.privateKey)).rejects.toSatisfy((e) =>
      isClusterError(e, 'ssh-failed'),
    )
  })

  test('a key that the host does not know is an expected failure', async () => {
    const known = await createSshKeyPair('known')
    const other = await createSshKeyPair('other')
    const port = await startHost(known.publicKey, echo)
    await expect(connect(port, other.privateKey)).rejects.toSatisfy((e) =>
      isClusterError(e, 'ssh-failed'),
    )
  })
})
