import { expect, test } from 'vitest'
import { readDisk, unpackDisk } from '../../../src/sandbox/factory/disk-image.ts'
import { plainSchematic } from '../../../src/sandbox/factory/factory-state.ts'
import { serveFactory } from '../../../src/sandbox/factory/serve-factory.ts'
import { World } from '../../../src/sandbox/world.ts'

async function startFactory() {
  const world = new World()
  const { url } = await serveFactory(world)
  const post = (body: string) => fetch(`${url}/schematics`, { method: 'POST', body })
  return { world, url, post, [Symbol.asyncDispose]: () => world.close() }
}

test("A schematic's id is the factory's own, from YAML and from JSON", async () => {
  await using factory = await startFactory()
  const idOf = async (body: string) => JSON.parse(await (await factory.post(body)).text()).id
  expect(await idOf('')).toBe(plainSchematic)
  expect(await idOf('customization: {}')).toBe(plainSchematic)
  const guestAgent = 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515'
  const extensions = { officialExtensions: ['siderolabs/qemu-guest-agent'] }
  expect(await idOf(JSON.stringify({ customization: { systemExtensions: extensions } }))).toBe(
    guestAgent,
  )
})

test('A field that the factory does not know is refused', async () => {
  await using factory = await startFactory()
  const { status } = await factory.post('customisation: {}')
  expect(status).toBe(400)
})

test('An image can be had only after its schematic was posted, and says what it is', async () => {
  await using factory = await startFactory()
  const image = `${factory.url}/image/${plainSchematic}/v1.9.0/hcloud-arm64.raw.xz`
  expect((await fetch(image)).status).toBe(404)
  await factory.post('customization: {}')
  expect((await fetch(image, { redirect: 'manual' })).status).toBe(302)
  const packed = Buffer.from(await (await fetch(image)).arrayBuffer())
  const disk = unpackDisk(packed, 'xz')
  expect(disk && readDisk(disk)).toEqual({
    kind: 'talos',
    version: 'v1.9.0',
    schematic: plainSchematic,
    arch: 'arm64',
  })
  expect(unpackDisk(packed.subarray(0, -1), 'xz')).toBeUndefined()
  expect(unpackDisk(packed, 'zst')).toBeUndefined()
  expect((await fetch(`${image}.sha256`)).status).toBe(402)
  expect((await fetch(image.replace('v1.9.0', 'v9.9.9'))).status).toBe(404)
})

test('It knows the installers that a node could pull', async () => {
  await using factory = await startFactory()
  const knows = (reference: string) => factory.world.factory.knowsInstaller(reference)
  expect(knows('ghcr.io/siderolabs/installer:v1.9.0')).toBe(true)
  expect(knows('ghcr.io/siderolabs/installer:v0.1.0')).toBe(false)
  const own = `factory.talos.dev/hcloud-installer/${plainSchematic}:v1.10.0`
  expect(knows(own)).toBe(false)
  await factory.post('customization: {}')
  expect(knows(own)).toBe(true)
  expect(factory.world.factory.resolveInstaller(own)).toEqual({
    version: 'v1.10.0',
    schematic: plainSchematic,
  })
})

test('A download can break off half way', async () => {
  await using factory = await startFactory()
  await factory.post('customization: {}')
  factory.world.faults.inject({ kind: 'truncate', route: /GET \/blob\// })
  const response = await fetch(`${factory.url}/image/${plainSchematic}/v1.9.0/hcloud-amd64.raw.xz`)
  await expect(response.arrayBuffer()).rejects.toThrow()
})
