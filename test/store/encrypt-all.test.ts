import { expect, it } from 'vitest'
import { makeInventory, makeRemote, makeStore, secretsBundle } from './state-fixture.ts'

const config = `machine:
  type: worker
  token: token-of-a-node
  sysctls:
    net.core.somaxconn: "65535"
`
const path = 'nodes/demo-pool-1.sops.yaml'

/** The text of a node's config as anybody reads it on the branch. */
async function onBranch(remote: string): Promise<string> {
  const store = await makeStore({ remote, clusterName: 'demo' })
  const content = (await store.read())?.files.get(path)
  return Buffer.from(content ?? []).toString('utf8')
}

it('of a machine config its secrets are encrypted, or all of it where the file says so', async () => {
  const remote = await makeRemote()
  const store = await makeStore({ remote, clusterName: 'demo' })
  const nodeConfigs = { 'demo-pool-1': config }
  const inventory = makeInventory('demo')
  await store.update(() => ({ inventory, secrets: secretsBundle, nodeConfigs }), 'Begin')
  const readable = await onBranch(remote)
  expect(readable).toContain('65535')
  expect(readable).not.toContain('token-of-a-node')

  // Another write, of something else: what is there follows.
  const whole = await makeStore({ remote, clusterName: 'demo', encrypt: 'all' })
  await whole.update(() => ({ nodeConfigs: { 'demo-pool-2': config } }), 'Go on')
  const hidden = await onBranch(remote)
  expect(hidden).toContain('somaxconn')
  expect(hidden).not.toContain('65535')
  expect(hidden).not.toContain('type: worker')

  const back = await makeStore({ remote, clusterName: 'demo' })
  await back.update(() => ({ nodeConfigs: { 'demo-pool-2': undefined } }), 'Go back')
  await back.update(() => ({ nodeConfigs: { 'demo-pool-3': config } }), 'And on')
  expect(await onBranch(remote)).toContain('65535')
})

it('where nothing changes, nothing is written, whatever is encrypted', async () => {
  const remote = await makeRemote()
  const store = await makeStore({ remote, clusterName: 'demo', encrypt: 'all' })
  const inventory = makeInventory('demo')
  const write = () =>
    store.update(
      () => ({ inventory, secrets: secretsBundle, nodeConfigs: { 'demo-pool-1': config } }),
      'Write',
    )
  await write()
  const before = await onBranch(remote)
  await write()
  expect(await onBranch(remote)).toBe(before)
})
