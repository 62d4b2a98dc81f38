import { expect, test } from 'vitest'
import { removeClusterNode } from '../../src/engine/remove-cluster-node.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { listeningProgress } from '../commands/listening-progress.ts'
import { clientOf, type Reply, type SeenRequest } from '../kubernetes/api-server.ts'

/** A clock that passes the time of every sleep at once, unless it is broken off. */
function leapingClock(): Clock {
  let now = 0
  return {
    now: () => now,
    sleep: async (milliseconds, signal) => {
      now += milliseconds
      await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
    },
  }
}

/** A node with a pod that is evicted at once, and never ends; its kubelet says so or says nothing. */
function nodeWhose(readiness: (looks: number) => 'True' | 'False' | 'Unknown') {
  let looks = 0
  const deleted: string[] = []
  const pod: JsonObject = {
    metadata: {
      name: 'web',
      namespace: 'demo',
      uid: 'uid-web',
      ownerReferences: [{ kind: 'ReplicaSet', name: 'rs', controller: true }],
    },
  }
  const node = (): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1' },
    status: { conditions: [{ type: 'Ready', status: readiness(looks++) }] },
  })
  const answer = ({ method, path }: SeenRequest): Reply => {
    if (path === '/api/v1/pods') return { body: { items: [pod] } }
    if (path === '/apis/apps/v1/daemonsets') return { body: { items: [] } }
    if (path.endsWith('/poddisruptionbudgets')) return { body: { items: [] } }
    if (path.endsWith('/volumeattachments')) return { body: { items: [] } }
    if (path.endsWith('/eviction')) return { status: 201 }
    if (path.includes('/pods/')) return { body: { apiVersion: 'v1', kind: 'Pod', ...pod } }
    if (method === 'DELETE') deleted.push(path)
    return { body: node() }
  }
  return { answer, deleted }
}

function never(): AbortSignal {
  return new AbortController().signal
}

async function remove(readiness: Parameters<typeof nodeWhose>[0], signal = never()) {
  const { answer, deleted } = nodeWhose(readiness)
  const { client: kubernetes } = await clientOf(answer, { signal })
  const steps: string[] = []
  const progress = listeningProgress(steps).phase('Remove a node')
  const removal = removeClusterNode('node-1', {
    kubernetes,
    clock: leapingClock(),
    signal,
    progress,
    run: 'run-1',
  })
  const failure = await removal.then(
    () => undefined,
    (error: unknown) => error,
  )
  return { failure, deleted, steps }
}

test('a node whose kubelet dies while it is drained is let go, and forgotten', async () => {
  const { failure, deleted, steps } = await remove((looks) => (looks < 4 ? 'True' : 'Unknown'))
  expect(failure).toBeUndefined()
  expect(deleted).toEqual(['/api/v1/nodes/node-1'])
  expect(steps).toContain('node-1: its kubelet is dead, and nobody is left to end its pods')
})

test('one whose kubelet was dead before is forgotten without a drain', async () => {
  const { failure, deleted, steps } = await remove(() => 'Unknown')
  expect(failure).toBeUndefined()
  expect(deleted).toEqual(['/api/v1/nodes/node-1'])
  expect(steps).not.toContain('node-1: draining')
})

test('one whose kubelet lives, or is back within a minute, keeps its pods and stays', async () => {
  const lives: Parameters<typeof nodeWhose>[0][] = [
    () => 'True',
    () => 'False',
    (looks) => (looks === 0 ? 'True' : 'False'),
    (looks) => (looks % 8 === 0 ? 'True' : 'Unknown'),
  ]
  for (const life of lives) {
    const { failure, deleted } = await remove(life)
    expect(failure).toMatchObject({ code: 'drain-blocked' })
    expect(deleted).toEqual([])
  }
})

test('one that is broken off ends with the reason, whatever its node says', async () => {
  const run = new AbortController()
  const reason = new Error('stopped by the user')
  const { failure, deleted } = await remove((looks) => {
    if (looks === 6) run.abort(reason)
    return looks < 4 ? 'True' : 'Unknown'
  }, run.signal)
  expect(failure).toBe(reason)
  expect(deleted).toEqual([])
})
