import { describe, expect, test } from 'vitest'
import { readAnchor, writeAnchor } from '../../src/hetzner/state-anchor.ts'
import { applyCluster, identity, startHetznerWorld } from './hetzner-world.ts'

const first = { generation: 7, keyEpoch: 2 }
const unknown = { known: undefined, firewallId: undefined }

async function anchoredCluster() {
  const sandbox = await startHetznerWorld()
  const { client } = sandbox
  await applyCluster(client)
  await writeAnchor(client, identity, first, unknown)
  const firewall = async () => {
    const [found, ...others] = await client.firewalls.list()
    expect(others).toEqual([])
    return found
  }
  return {
    client,
    firewallId: (await firewall())?.id,
    read: async () => readAnchor(await firewall()),
    [Symbol.asyncDispose]: sandbox[Symbol.asyncDispose],
  }
}

describe('how far a state has come', () => {
  test('is remembered, and goes up with each newer generation and each newer key', async () => {
    await using cluster = await anchoredCluster()
    const { client, read, firewallId } = cluster
    expect(await read()).toEqual(first)
    await writeAnchor(
      client,
      identity,
      { generation: 8, keyEpoch: 2 },
      { known: first, firewallId },
    )
    expect(await read()).toEqual({ generation: 8, keyEpoch: 2 })
    await writeAnchor(client, identity, { generation: 9, keyEpoch: 3 }, unknown)
    expect(await read()).toEqual({ generation: 9, keyEpoch: 3 })
  })

  test('never goes down, whatever the run believes to be known', async () => {
    await using cluster = await anchoredCluster()
    const { client, read, firewallId } = cluster
    for (const known of [undefined, { generation: 1, keyEpoch: 1 }]) {
      await writeAnchor(client, identity, { generation: 6, keyEpoch: 2 }, { known, firewallId })
      await writeAnchor(client, identity, { generation: 6, keyEpoch: 1 }, { ...unknown, known })
      expect(await read()).toEqual(first)
    }
  })

  test('is not written on the firewall of a namesake', async () => {
    await using cluster = await anchoredCluster()
    const { client, read } = cluster
    const namesake = { ...identity, uid: 'fedcba9876543210' }
    await writeAnchor(client, namesake, { generation: 99, keyEpoch: 9 }, unknown)
    expect(await read()).toEqual(first)
  })
})
