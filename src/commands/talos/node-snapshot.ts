import { bytesOf } from '../../lib/bytes-of.ts'
import type { RunContext } from '../../run/run-context.ts'
import { type FirstToAnswer, firstToAnswer } from './first-to-answer.ts'
import type { ReachedNode } from './reached-cluster.ts'

type Bytes = AsyncGenerator<Uint8Array, void, undefined>

export interface NodeSnapshot {
  readonly node: ReachedNode
  /** The snapshot as its bytes come, however long that takes. */
  readonly bytes: Bytes
}

/**
 * A snapshot of a control plane's own etcd: of the first that begins to send one. What breaks off later is no
 * snapshot, and is not continued with another's.
 */
export async function nodeSnapshot(
  context: Pick<RunContext, 'signal'>,
  controlPlanes: readonly [ReachedNode, ...ReachedNode[]],
  onFailure: FirstToAnswer<Bytes>['onFailure'],
): Promise<NodeSnapshot> {
  const { node, value: bytes } = await firstToAnswer(context, controlPlanes, {
    ask: begin,
    onFailure,
  })
  return { node, bytes }
}

async function begin({ api }: ReachedNode): Promise<Bytes> {
  const bytes = bytesOf(api.machine.etcdSnapshot({ timeoutMs: Number.POSITIVE_INFINITY }))
  const first = await bytes.next()
  return resume(first, bytes)
}

async function* resume(first: IteratorResult<Uint8Array, void>, rest: Bytes): Bytes {
  if (first.done) return
  yield first.value
  yield* rest
}
