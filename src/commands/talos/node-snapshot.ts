import { bytesOf } from '../../talos/api/bytes-of.ts'
import type { ReachedNode } from './reached-cluster.ts'

/** A snapshot of a control plane's own etcd as its bytes come, however long that takes. */
export function nodeSnapshot({ api }: ReachedNode): AsyncGenerator<Uint8Array, void, undefined> {
  return bytesOf(api.machine.etcdSnapshot({ timeoutMs: Number.POSITIVE_INFINITY }))
}
