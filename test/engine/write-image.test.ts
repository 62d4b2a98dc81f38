import { expect, test } from 'vitest'
import { writeImage } from '../../src/engine/hetzner-talos/write-image.ts'
import { silentProgress } from '../../src/lib/progress.ts'
import { plainSchematic } from '../../src/sandbox/factory/factory-state.ts'
import { serveFactory } from '../../src/sandbox/factory/serve-factory.ts'
import { rescueGuest } from '../../src/sandbox/rescue/rescue-guest.ts'
import { HostKeyPin } from '../../src/ssh/host-key.ts'
import { SshConnection } from '../../src/ssh/ssh-connection.ts'
import { createSshKeyPair } from '../../src/ssh/ssh-key-pair.ts'
import { startProject } from '../sandbox/hetzner/project.ts'

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
  const { signal } = new AbortController()
  const connection = await SshConnection.open({
    host: machine?.publicIp ?? '',
    port,
    username: 'root',
    privateKey,
    pin: new HostKeyPin(),
    signal,
  })
  return {
    world,
    image: `${factory.url}/image/${plainSchematic}/v1.13.9/hcloud-amd64.raw.xz`,
    write: (url: string) =>
      writeImage(connection, url, { progress: silentProgress.phase('write'), signal }),
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]()
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
