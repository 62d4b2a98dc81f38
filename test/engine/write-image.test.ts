import { expect, test } from 'vitest'
import { writeImage } from '../../src/engine/hetzner-talos/write-image.ts'
import { createClock } from '../../src/lib/clock.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { plainSchematic } from '../../src/sandbox/factory/factory-state.ts'
import { serveFactory } from '../../src/sandbox/factory/serve-factory.ts'
import { rescueGuest } from '../../src/sandbox/rescue/rescue-guest.ts'
import { HostKeyPin } from '../../src/ssh/host-key.ts'
import { createSshKeyPair } from '../../src/ssh/ssh-key-pair.ts'
import { SshPool } from '../../src/ssh/ssh-pool.ts'
import { hangLimitMs } from '../hang-limit.ts'
import { startProject } from '../sandbox/hetzner/project.ts'
import { silentProgress } from '../silent-progress.ts'

/** Not the real one, so that the test needs no right to it. */
const port = 50_023

/** A server in rescue, the factory, and a connection as a build has it. */
async function startRescue() {
  const project = await startProject()
  const { world } = project
  world.guests.rescue = rescueGuest({ port })
  const factory = await serveFactory(world)
  await fetch(`${factory.url}/schematics`, { method: 'POST', body: 'customization: {}' })
  const { publicKey, privateKey } = await createSshKeyPair('a test')
  const { ssh_key } = await project.create('/ssh_keys', { name: 'k', public_key: publicKey })
  const server = await project.createServer('builder', { start_after_create: false })
  await project.act('servers', server.id, 'enable_rescue', { ssh_keys: [ssh_key.id] })
  await project.act('servers', server.id, 'poweron')
  const machine = world.machines.get(server.id)
  await machine?.settled()
  const pool = new SshPool({
    clock: createClock(),
    redactor: new Redactor(),
    signal: new AbortController().signal,
    connectWithinMs: 0,
  })
  const host = pool.host({
    name: 'the rescue system',
    address: machine?.publicIp ?? '',
    port,
    user: 'root',
    login: { privateKey },
    hostKey: HostKeyPin.firstContact(),
  })
  return {
    world,
    image: `${factory.url}/image/${plainSchematic}/v1.13.9/hcloud-amd64.raw.xz`,
    write: (url: string) =>
      writeImage(host, url, {
        progress: silentProgress.phase('write'),
        withinMs: hangLimitMs,
      }),
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]()
      await project[Symbol.asyncDispose]()
    },
  }
}

test('a whole image has a digest', async () => {
  await using rescue = await startRescue()
  expect(await rescue.write(rescue.image)).toMatch(/^[0-9a-f]{64}$/)
})

test('half an image, and none at all, are failures and never images', async () => {
  await using rescue = await startRescue()
  rescue.world.faults.inject({ kind: 'truncate', route: /GET \/blob\//, times: 20 })
  await expect(rescue.write(rescue.image)).rejects.toMatchObject({ code: 'image-build-failed' })
  await expect(rescue.write(`${rescue.image}x`)).rejects.toMatchObject({
    code: 'image-build-failed',
  })
})

test('a connection that breaks in the middle is a failure too, and nothing writes a second time', async () => {
  await using rescue = await startRescue()
  rescue.world.faults.sshDrops = 1
  await expect(rescue.write(rescue.image)).rejects.toMatchObject({
    code: 'image-build-failed',
    message: expect.stringContaining('unknown how far it came'),
  })
  const commands = rescue.world.log.requests.filter(({ front }) => front === 'rescue')
  expect(commands).toHaveLength(1)
})
