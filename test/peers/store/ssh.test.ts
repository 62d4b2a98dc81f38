import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  afterTest,
  branch,
  git,
  makeFolder,
  makeInventory,
  makeRemote,
  makeStore,
} from '../../store/state-fixture.ts'

const run = promisify(execFile)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  server.close()
  if (bound === null || typeof bound === 'string') throw new Error('there is no port')
  return bound.port
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** OpenSSH's server for this user, and what a client needs in order to be let in; `ssh` as git calls it. */
async function startSshd() {
  const folder = await makeFolder()
  for (const key of ['host', 'user', 'stranger']) {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, key)])
  }
  const port = await freePort()
  const settings = {
    Port: port,
    ListenAddress: '127.0.0.1',
    HostKey: join(folder, 'host'),
    AuthorizedKeysFile: join(folder, 'user.pub'),
    PidFile: 'none',
    StrictModes: 'no',
    UsePAM: 'no',
    PasswordAuthentication: 'no',
    AcceptEnv: 'GIT_PROTOCOL',
  }
  const text = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`)
  await writeFile(join(folder, 'sshd_config'), text.join(''))
  // A server that runs as root wants an empty folder to lock itself into.
  if (userInfo().uid === 0) await mkdir('/run/sshd', { recursive: true })
  const args = ['-D', '-e', '-f', join(folder, 'sshd_config')]
  const server: ChildProcess = spawn('/usr/sbin/sshd', args, { stdio: 'ignore' })
  await once(server, 'spawn')
  afterTest(async () => {
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
  })
  while (!(await answers(port))) await sleep(50)
  const { stdout: scanned } = await run('ssh-keyscan', ['-p', String(port), '127.0.0.1'])
  await writeFile(join(folder, 'known'), scanned)
  await writeFile(join(folder, 'unknown'), '')
  const as = (key: string, hosts = 'known') =>
    `ssh -F none -o IdentitiesOnly=yes -o BatchMode=yes -i ${join(folder, key)} -o UserKnownHostsFile=${join(folder, hosts)}`
  return { port, as }
}

async function served() {
  const remote = await makeRemote()
  const { port, as } = await startSshd()
  const url = `ssh://${userInfo().username}@127.0.0.1:${port}${remote}`
  const environment = (command: string) => ({ ...process.env, GIT_SSH_COMMAND: command })
  return { remote, url, as, environment }
}

describe('OpenSSH', () => {
  it('carries a life of a state: begun under a lock, written on, read, given back', async () => {
    const { remote, url, as, environment } = await served()
    const options = { remote: url, environment: environment(as('user')) }
    const store = await makeStore(options)
    await store.lock({ waitMs: 0 })
    await store.update(() => ({ inventory: makeInventory() }), 'Begin')
    await store.record({ fact: 'secrets-minted' })
    await store.close()
    const reader = await makeStore(options)
    expect(await reader.audit()).toMatchObject({ problems: [], commits: 2 })
    expect(await git(remote, 'for-each-ref', '--format=%(refname:short)')).toBe(branch)
  })

  it('turns a stranger away, which is told and not waited for', async () => {
    const { url, as, environment } = await served()
    const store = await makeStore({ remote: url, environment: environment(as('stranger')) })
    await expect(store.read()).rejects.toMatchObject({
      code: 'state-unreachable',
      hint: expect.stringContaining('SSH key'),
    })
    const update = store.update(() => ({ inventory: makeInventory() }), 'Begin')
    await expect(update).rejects.toMatchObject({ code: 'state-unreachable' })
  })

  it('is not believed under a key that nobody compared', async () => {
    const { url, as, environment } = await served()
    const store = await makeStore({ remote: url, environment: environment(as('user', 'unknown')) })
    await expect(store.read()).rejects.toMatchObject({
      hint: expect.stringContaining('known_hosts'),
    })
  })
})
