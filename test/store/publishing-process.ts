import { tmpdir } from 'node:os'
import { createClock } from '../../src/lib/clock.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { openStore } from '../../src/store/open-store.ts'
import { parseIdentities } from '../../src/store/trust/identity.ts'

/**
 * A run in a process of its own: takes the lock, begins the cluster, notes two facts, gives the lock back. Its
 * arguments are the remote and its name; its identity stands in the environment.
 */
const [remote = '', run = ''] = process.argv.slice(2)
const inventory = {
  clusterName: 'demo',
  uid: '0123456789abcdef',
  nodes: [],
  addons: {},
  bootstrapped: false,
}
const store = await openStore({
  remote,
  folder: tmpdir(),
  branch: 'hcloud-talos',
  clusterName: inventory.clusterName,
  recipients: [],
  identities: await parseIdentities(process.env['IDENTITY'] ?? '', new Redactor()),
  writer: { run, attempt: 1, host: 'here' },
  toolVersion: '0.0.0',
  clock: createClock(),
  random: systemRandom,
  redactor: new Redactor(),
  environment: process.env,
  temporaryFolder: tmpdir(),
})
await store.lock({ waitMs: 0 })
await store.update(() => ({ inventory, secrets: 'cluster: { secret: one }\n' }), 'Begin')
await store.record({ fact: 'etcd-bootstrap-started' })
await store.record({ fact: 'etcd-bootstrapped' })
await store.close()
