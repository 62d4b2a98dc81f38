import { expect, test } from 'vitest'
import { drain } from '../../src/kubernetes/drain.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { clientOf, type Reply, refusal, type SeenRequest } from './api-server.ts'

/** A node's pods and what is attached to it, behind an API that evicts as the test says. */
class DrainedNode {
  readonly pods = new Map<string, JsonObject>()
  readonly evictions: string[] = []
  volumes: string[] = []
  /** Whether the controller detaches them, one after another. */
  detaches = true
  budgets: Json[] = []
  /** What an eviction of this pod is answered with; undefined grants it. */
  onEvict: (name: string, times: number) => Reply | undefined = () => undefined

  add(name: string, rest: JsonObject = {}, meta: JsonObject = {}): void {
    this.pods.set(name, {
      metadata: {
        name,
        namespace: 'demo',
        uid: `uid-${name}`,
        labels: { app: name },
        ownerReferences: [{ kind: 'ReplicaSet', name: 'rs', controller: true }],
        ...meta,
      },
      ...rest,
    })
  }

  readonly answer = ({ method, path }: SeenRequest): Reply => {
    if (path === '/api/v1/pods') return { body: { items: [...this.pods.values()] } }
    if (path === '/apis/apps/v1/daemonsets') return { body: { items: [agent] } }
    if (path.endsWith('/poddisruptionbudgets')) return { body: { items: this.budgets } }
    if (path.endsWith('/volumeattachments')) return { body: { items: this.#attachments() } }
    const [, name = '', eviction] = /\/pods\/([^/]+)(\/eviction)?$/.exec(path) ?? []
    const pod = this.pods.get(name)
    if (!pod) return refusal(404, 'NotFound', `${path} not found`)
    if (method === 'POST' && eviction) return this.#evict(name)
    return { body: { apiVersion: 'v1', kind: 'Pod', ...pod } }
  }

  #evict(name: string): Reply {
    this.evictions.push(name)
    const times = this.evictions.filter((one) => one === name).length
    const reply = this.onEvict(name, times)
    if (!reply) this.pods.delete(name)
    return reply ?? { status: 201 }
  }

  #attachments(): Json[] {
    const items = this.volumes.map((volume) => ({
      metadata: { name: volume },
      spec: { nodeName: 'node-1', source: { persistentVolumeName: volume } },
    }))
    if (this.detaches) this.volumes = this.volumes.slice(1)
    return items
  }
}

const agent = { metadata: { name: 'agent', namespace: 'demo' } }
const refusedByBudget = refusal(429, 'TooManyRequests', 'Cannot evict pod')

/** A clock that passes the time of every sleep at once. */
function leapingClock(): Clock {
  let now = 0
  return {
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

async function drainIt(node: DrainedNode, withinMs = 60_000) {
  const { client } = await clientOf(node.answer)
  const warnings: string[] = []
  const result = await drain(client, 'node-1', {
    clock: leapingClock(),
    withinMs,
    onWarning: (warning) => warnings.push(warning),
  })
  return { ...result, warnings }
}

test('every pod that may go is evicted, those of DaemonSets stay', async () => {
  const node = new DrainedNode()
  node.add('web')
  node.add('api')
  node.add(
    'agent',
    {},
    { ownerReferences: [{ kind: 'DaemonSet', name: 'agent', controller: true }] },
  )
  expect(await drainIt(node)).toMatchObject({ evicted: 2 })
  expect([...node.pods.keys()]).toEqual(['agent'])
})

test('nothing at all is evicted while one pod must not be', async () => {
  const node = new DrainedNode()
  node.add('web')
  node.add('lonely', {}, { ownerReferences: [] })
  await expect(drainIt(node)).rejects.toMatchObject({
    code: 'drain-blocked',
    message: expect.stringContaining('Pod demo/lonely has no controller'),
  })
  expect(node.evictions).toEqual([])
})

test('an eviction that a budget forbids is asked for again until it is granted', async () => {
  const node = new DrainedNode()
  node.add('web')
  node.onEvict = (_name, times) => (times < 3 ? refusedByBudget : undefined)
  expect(await drainIt(node)).toMatchObject({ evicted: 1 })
  expect(node.evictions).toEqual(['web', 'web', 'web'])
})

test('when time is up the budget that forbids it is named with its numbers', async () => {
  const node = new DrainedNode()
  node.add('web')
  node.add('api')
  node.budgets = [
    {
      metadata: { name: 'web', namespace: 'demo' },
      spec: { selector: { matchLabels: { app: 'web' } } },
      status: { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0 },
    },
  ]
  node.onEvict = (name) => (name === 'web' ? refusedByBudget : undefined)
  await expect(drainIt(node, 20_000)).rejects.toMatchObject({
    code: 'drain-blocked',
    target: 'node-1',
    message: expect.stringMatching(
      /Pod demo\/web may not be evicted: PodDisruptionBudget demo\/web \(1 healthy, 1 required, 0 disruptions allowed/,
    ),
  })
  expect([...node.pods.keys()]).toEqual(['web'])
})

test('a pod that was recreated under its name is another pod', async () => {
  const node = new DrainedNode()
  node.add('web')
  node.onEvict = () => {
    node.add('web', {}, { uid: 'another' })
    return { status: 201 }
  }
  expect(await drainIt(node)).toMatchObject({ evicted: 1 })
})

test('more than one budget for a pod is a failure at once, since it never ends', async () => {
  const node = new DrainedNode()
  node.add('web')
  node.onEvict = () => refusal(500, 'InternalError', 'more than one PodDisruptionBudget')
  await expect(drainIt(node)).rejects.toMatchObject({ code: 'drain-blocked' })
  expect(node.evictions).toEqual(['web'])
})

test('a pod of a namespace that is being deleted is only waited for', async () => {
  const node = new DrainedNode()
  node.add('web', {}, { deletionTimestamp: '2099-01-01T00:00:00Z' })
  node.onEvict = () => {
    setImmediate(() => node.pods.delete('web'))
    return refusal(403, 'Forbidden', 'terminating', {
      causes: [{ reason: 'NamespaceTerminating' }],
    })
  }
  expect(await drainIt(node)).toMatchObject({ evicted: 1 })
  expect(node.evictions).toEqual(['web'])
})

test('the drain ends only when the volumes are detached', async () => {
  const node = new DrainedNode()
  node.add('web')
  node.volumes = ['pv-1', 'pv-2']
  await drainIt(node)
  expect(node.volumes).toEqual([])
})

test('volumes that stay attached end the drain, named, with where to look', async () => {
  const node = new DrainedNode()
  node.add('web')
  node.volumes = ['pv-1']
  node.detaches = false
  await expect(drainIt(node)).rejects.toMatchObject({
    code: 'drain-blocked',
    message: 'node node-1 cannot be drained: volumes stay attached: pv-1',
    hint: expect.stringContaining('kubectl get volumeattachments'),
  })
})

test('a node without pods is drained', async () => {
  expect(await drainIt(new DrainedNode())).toEqual({ evicted: 0, warnings: [] })
})
