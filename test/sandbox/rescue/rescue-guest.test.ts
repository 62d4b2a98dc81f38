import ssh2, { type Client } from 'ssh2'
import { expect, test } from 'vitest'
import { plainSchematic } from '../../../src/sandbox/factory/factory-state.ts'
import { serveFactory } from '../../../src/sandbox/factory/serve-factory.ts'
import { rescueGuest } from '../../../src/sandbox/rescue/rescue-guest.ts'
import { startProject } from '../hetzner/project.ts'

/** Not the real one, so that the tests need no right to it. */
const port = 50_022

/** Some of the keys that ssh2 makes it cannot read itself. */
function newKey(): { private: string; public: string } {
  const key = ssh2.utils.generateKeyPairSync('ed25519')
  return ssh2.utils.parseKey(key.private) instanceof Error ? newKey() : key
}

/** Resolves when the other side has ended the connection. */
function closed(client: Client): Promise<void> {
  return new Promise((resolve) => client.once('close', () => resolve()))
}

async function startRescue() {
  const project = await startProject()
  const { world } = project
  world.guests.rescue = rescueGuest({ port })
  const factory = await serveFactory(world)
  await fetch(`${factory.url}/schematics`, { method: 'POST', body: 'customization: {}' })
  const key = newKey()
  const { ssh_key } = await project.create('/ssh_keys', { name: 'k', public_key: key.public })
  const server = await project.createServer('builder', { start_after_create: false })
  const arm = () => project.act('servers', server.id, 'enable_rescue', { ssh_keys: [ssh_key.id] })
  const machine = world.machines.get(server.id)
  if (machine === undefined) throw new Error('no machine')
  const boot = async () => {
    await arm()
    await project.act('servers', server.id, 'reset')
    await machine.settled()
  }
  await boot()
  const hostKeys: string[] = []
  const connect = (privateKey: string = key.private) =>
    new Promise<Client>((resolve, reject) => {
      const client = new ssh2.Client()
      client
        .once('ready', () => resolve(client))
        .on('error', reject)
        .connect({
          host: machine.publicIp ?? '',
          port,
          username: 'root',
          privateKey,
          hostVerifier: (found: Buffer) => hostKeys.push(found.toString('base64')) > 0,
        })
    })
  const image = `${factory.url}/image/${plainSchematic}/v1.9.0/hcloud-amd64.raw.xz`
  return { ...project, factory, machine, boot, connect, hostKeys, image }
}

interface Ended {
  readonly code: number | undefined
  readonly output: string
}

function run(client: Client, command: string, stdin = ''): Promise<Ended> {
  return new Promise((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) return reject(error)
      let output = ''
      let code: number | undefined
      const keep = (chunk: Buffer) => {
        output += chunk.toString()
      }
      channel.on('data', keep).stderr.on('data', keep)
      channel.on('exit', (exit: number | null) => {
        code = exit ?? undefined
      })
      channel.on('close', () => resolve({ code, output }))
      channel.end(stdin)
    })
  })
}

const write = (url: string) =>
  `set -euo pipefail; blkdiscard --force /dev/sda; wget -qO- ${url} | xz -dc | dd of=/dev/sda bs=4M conv=fsync; sync`

test('Root gets in with the key that was given, and nobody with another', async () => {
  await using rescue = await startRescue()
  const client = await rescue.connect()
  expect(await run(client, 'echo $USER; cat; exit 3', 'input')).toEqual({
    code: 3,
    output: 'root\ninput',
  })
  client.destroy()
  const stranger = newKey().private
  await expect(rescue.connect(stranger)).rejects.toThrow()
})

test('A whole image that was written boots as what it is', async () => {
  await using rescue = await startRescue()
  const client = await rescue.connect()
  const { code } = await run(client, 'bash -s', write(rescue.image))
  expect(code).toBe(0)
  expect((await run(client, 'lsblk -dno NAME')).output).toBe('sda\n')
  await Promise.all([closed(client), run(client, 'shutdown -h now')])
  await expect.poll(() => rescue.machine.power).toBe('off')
  expect(rescue.machine.disk.image).toEqual({
    kind: 'talos',
    version: 'v1.9.0',
    schematic: plainSchematic,
    arch: 'amd64',
  })
  expect(rescue.world.contractErrors).toEqual([])
})

test('Half an image is noticed by the pipe, and does not boot', async () => {
  await using rescue = await startRescue()
  rescue.world.faults.inject({ kind: 'truncate', route: /GET \/blob\//, times: 20 })
  const client = await rescue.connect()
  const { code } = await run(client, write(rescue.image))
  expect(code).not.toBe(0)
  await Promise.all([closed(client), run(client, 'poweroff')])
  expect(rescue.machine.disk.image).toEqual({ kind: 'garbage' })
})

test('A download that breaks off once is taken up again by wget, not by curl', async () => {
  await using rescue = await startRescue()
  const client = await rescue.connect()
  rescue.world.faults.inject({ kind: 'truncate', route: /GET \/blob\// })
  expect((await run(client, `wget -q ${rescue.image} -O image && xz -dc image | wc -c`)).code).toBe(
    0,
  )
  rescue.world.faults.inject({ kind: 'truncate', route: /GET \/blob\// })
  expect((await run(client, `curl -fsSL ${rescue.image} -o image`)).code).toBe(18)
  expect(await run(client, `curl -fsSL ${rescue.image}x`)).toMatchObject({ code: 22 })
  expect(await run(client, `curl -fsS ${rescue.image}`)).toEqual({ code: 0, output: '' })
  expect(await run(client, 'wget -q http://example.com/')).toMatchObject({ code: 4 })
  client.destroy()
})

test('Nothing reaches the machine under the sandbox', async () => {
  await using rescue = await startRescue()
  const client = await rescue.connect()
  expect((await run(client, 'echo x > /dev/sda')).code).toBe(126)
  expect((await run(client, 'wipefs --all /dev/sda')).code).toBe(127)
  expect((await run(client, 'dd if=/dev/zero of=/dev/sdb count=1')).code).toBe(2)
  expect(rescue.world.contractErrors).toHaveLength(2)
  client.destroy()
})

test('Each boot has its own host key', async () => {
  await using rescue = await startRescue()
  for (const _ of [1, 2]) {
    const client = await rescue.connect()
    client.destroy()
    await rescue.boot()
  }
  expect(new Set(rescue.hostKeys).size).toBe(2)
})

test('The host key can change from one connection to the next', async () => {
  await using rescue = await startRescue()
  rescue.world.faults.sshHostKeyChanges = true
  for (const _ of [1, 2]) (await rescue.connect()).destroy()
  expect(new Set(rescue.hostKeys).size).toBe(2)
})

test('A connection can break in the middle of a command', async () => {
  await using rescue = await startRescue()
  rescue.world.faults.sshDrops = 1
  const client = await rescue.connect()
  client.on('error', () => {})
  expect((await run(client, 'echo one; cat', 'two')).code).toBeUndefined()
  const again = await rescue.connect()
  expect((await run(again, 'echo one')).code).toBe(0)
  again.destroy()
})

test('Cutting the world cuts its connections, and a firewall refuses them', async () => {
  await using rescue = await startRescue()
  const client = await rescue.connect()
  const gone = closed(client)
  client.on('error', () => {})
  rescue.world.cutAfter(0)
  await gone
  await expect(rescue.connect()).rejects.toThrow()
  rescue.world.restore()
  ;(await rescue.connect()).destroy()
  await rescue.create('/firewalls', {
    name: 'closed',
    apply_to: [{ type: 'server', server: { id: rescue.machine.serverId } }],
  })
  await expect(rescue.connect()).rejects.toThrow()
})
