import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveGit } from '../../src/sandbox/git/serve-git.ts'
import {
  afterTest,
  git,
  machineConfig,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
} from './state-fixture.ts'

const repository = 'org/clusters'

/** A remote as GitHub is one, that counts what goes out. */
async function countingRemote() {
  const remote = await makeRemote()
  await git(remote, 'config', 'uploadpack.allowFilter', 'true')
  let bytes = 0
  const server = await serveGit({
    root: join(remote, '..'),
    users: { reader: { password: 'right-password', access: 'write' } },
    path: process.env['PATH'] ?? '',
    onTraffic: ({ sent }) => {
      bytes += sent
    },
  })
  afterTest(() => server.close())
  const credentials = { username: 'reader', password: 'right-password' }
  /** How many bytes a run fetches that reads the state of `demo` once. */
  const readOnce = async () => {
    const store = await makeStore({ remote: `${server.url}/state.git`, credentials, repository })
    bytes = 0
    expect((await store.read())?.inventory.clusterName).toBe('demo')
    return bytes
  }
  return { remote, readOnce }
}

const nodeConfigs = Object.fromEntries(
  ['demo-1', 'demo-2', 'demo-3'].map((node) => [node, machineConfig]),
)

async function begin(remote: string, clusterName: string) {
  const store = await makeStore({ remote, clusterName, repository })
  const inventory = makeInventory(clusterName)
  await store.update(() => ({ inventory, secrets: secretsBundle, nodeConfigs }), 'Begin')
  return store
}

describe('what one read fetches', () => {
  it('does not grow with the history', async () => {
    const { remote, readOnce } = await countingRemote()
    const store = await begin(remote, 'demo')
    const first = await readOnce()
    for (let round = 1; round <= 20; round++) {
      const token = `token-number-${round}`
      const config = machineConfig.replace('canary-machine-token', token)
      await store.update(() => ({ nodeConfigs: { 'demo-1': config } }), `Change ${round}`)
    }
    expect(await readOnce()).toBeLessThan(first * 1.05)
  })

  it('is of one cluster, whatever others stand on the branch', async () => {
    const { remote, readOnce } = await countingRemote()
    await begin(remote, 'demo')
    const alone = await readOnce()
    for (let number = 1; number <= 10; number++) await begin(remote, `other-${number}`)
    // What is left of each: the names and ids of its files, a few hundred bytes.
    expect((await readOnce()) - alone).toBeLessThan(10 * 500)
  })

  it('is all the branch where the remote cannot leave anything out, and the same is read', async () => {
    const { remote, readOnce } = await countingRemote()
    await begin(remote, 'demo')
    await begin(remote, 'other')
    const filtered = await readOnce()
    await git(remote, 'config', 'uploadpack.allowFilter', 'false')
    expect(await readOnce()).toBeGreaterThan(filtered)
  })
})
