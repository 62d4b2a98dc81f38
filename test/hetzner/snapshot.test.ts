import { describe, expect, test } from 'vitest'
import type { HetznerClient } from '../../src/hetzner/api/hetzner-client.ts'
import { desireImage } from '../../src/hetzner/kinds/image/image-record.ts'
import { liveImages } from '../../src/hetzner/kinds/image/live-images.ts'
import { keylessPublicKey } from '../../src/hetzner/kinds/ssh-key/keyless-public-key.ts'
import { observeCatalogue } from '../../src/hetzner/observe.ts'
import { findUsableSnapshot, snapshotBuilder } from '../../src/hetzner/snapshot.ts'
import { createBuilder, enableRescueAndBoot } from '../../src/hetzner/snapshot-builder.ts'
import { deleteBuilder, sweepBuilders } from '../../src/hetzner/sweep-builders.ts'
import { recordKey } from '../../src/plan/record.ts'
import { contents, identity, planCluster, schematic, startHetznerWorld } from './hetzner-world.ts'

const wanted = { arch: 'amd64' as const, version: 'v1.13.0', schematic }

async function build(client: HetznerClient, maxDiskGb = 80) {
  return createBuilder(client, {
    identity,
    arch: 'amd64',
    catalogue: await observeCatalogue(client),
    sshPublicKey: keylessPublicKey('builder'),
    location: 'hel1',
    maxDiskGb,
  })
}

const content = { wanted, digest: 'cd'.repeat(32) }

describe('the building of a snapshot', () => {
  test('goes from an empty project to a snapshot that is found again, and leaves nothing else', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    expect(await findUsableSnapshot(client, wanted)).toBeUndefined()
    const builder = await build(client)
    expect(builder).toMatchObject({ serverType: 'cx23', location: 'hel1', diskGb: 40 })
    expect(world.machine(builder.serverId)?.power).toBe('off')
    expect(await enableRescueAndBoot(client, builder)).toMatch(/^127\./)
    expect(world.machine(builder.serverId)?.power).toBe('on')
    const image = await snapshotBuilder(client, builder, content)
    expect(image).toMatchObject({ status: 'available', disk_size: 40 })
    await deleteBuilder(client, identity, 'amd64')
    expect(contents(world)).toEqual({})
    expect((await findUsableSnapshot(client, wanted))?.id).toBe(image.id)
    expect(await findUsableSnapshot(client, { ...wanted, arch: 'arm64' })).toBeUndefined()
    expect(world.contractErrors).toEqual([])
  })

  test('takes another type or place where Hetzner has no room, late failures included', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    world.faults.soldOut('cx23', 'hel1')
    const error = { code: 'resource_unavailable', message: 'error during placement' }
    world.faults.injectAction({ command: 'create_server', outcome: { error } })
    const builder = await build(client)
    expect(builder.location).not.toBe('hel1')
    expect(contents(world)['servers']).toEqual(['demo-image-amd64'])
  })

  test('says so when there is no room anywhere', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    world.faults.inject({ kind: 'no-capacity', route: 'POST /servers', times: 99 })
    await expect(build(client)).rejects.toMatchObject({ code: 'hetzner-unavailable' })
    await expect(build(client, 1)).rejects.toMatchObject({ code: 'hetzner-unavailable' })
    await deleteBuilder(client, identity, 'amd64')
    expect(contents(world)).toEqual({})
  })

  test('loses nothing when the answer to the snapshot is lost', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    const builder = await build(client)
    await enableRescueAndBoot(client, builder)
    world.faults.inject({ kind: 'drop-after', route: 'POST /servers/{id}/actions/create_image' })
    await snapshotBuilder(client, builder, content)
    const snapshots = [...world.hetzner.images.values()].filter(
      ({ labels }) => labels['version'] === 'v1.13.0',
    )
    expect(snapshots).toHaveLength(1)
  })

  test('takes no snapshot that is not done, and the newest of several', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    const builder = await build(client)
    const first = await snapshotBuilder(client, builder, content)
    const second = await snapshotBuilder(client, builder, content)
    expect((await findUsableSnapshot(client, wanted))?.id).toBe(second.id)
    const record = world.hetzner.images.get(second.id)
    if (!record) throw new Error('it was just made')
    record.status = 'creating'
    expect((await findUsableSnapshot(client, wanted))?.id).toBe(first.id)
  })

  test('is taken from a disk that is not too large for the servers that want it', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    const large = await snapshotBuilder(client, await build(client), content)
    const record = world.hetzner.images.get(large.id)
    if (!record) throw new Error('it was just made')
    world.hetzner.images.set(large.id, { ...record, diskSize: 160 })
    expect(await findUsableSnapshot(client, wanted, 80)).toBeUndefined()
    expect((await findUsableSnapshot(client, wanted, 160))?.id).toBe(large.id)
    const { live } = await planCluster(client)
    const image = desireImage(wanted)
    const server = { ...image, kind: 'server' as const, needs: [recordKey(image)] }
    const from = (serverType: string) =>
      liveImages([image, { ...server, spec: { serverType } }], live).length
    expect([from('cx23'), from('cx53')]).toEqual([0, 1])
  })

  test('that died is swept away, and is never taken for a node', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await build(client)
    const { live, changes } = await planCluster(client)
    expect(live.strays.map(({ name }) => name)).toEqual(['demo-image-amd64', 'demo-image-amd64'])
    expect(changes.filter(({ action }) => action !== 'create')).toEqual([])
    expect(await sweepBuilders(client, { ...identity, uid: 'fedcba9876543210' })).toEqual([])
    expect(await sweepBuilders(client, identity)).toEqual([
      'server demo-image-amd64',
      'ssh-key demo-image-amd64',
    ])
    expect(contents(world)).toEqual({})
  })
})
