/** What the first page of a bolt database says of itself, behind the page's header. */
const boltMagic = 0xed0cdaed
const magicAt = 16

/** Whether a file that begins like this is a database of etcd, as `talos etcd snapshot` writes one. */
export function isPlainSnapshot(begin: Uint8Array): boolean {
  if (begin.length < magicAt + 4) return false
  return new DataView(begin.buffer, begin.byteOffset).getUint32(magicAt, true) === boltMagic
}

/** A snapshot, and whether all of it that passed held a certificate. */
export interface WatchedSnapshot {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly sawCertificate: () => boolean
}

/**
 * Looks for a certificate (PEM) in what passes. Kubernetes keeps its own authority in a ConfigMap of every namespace
 * (`kube-root-ca.crt`), in the clear, so a snapshot tells by it whose it is. Each full line of the PEM must be there.
 */
export function watchForCertificate(
  chunks: AsyncIterable<Uint8Array>,
  pem: string,
): WatchedSnapshot {
  const lines = pem.split('\n').filter((line) => /^[A-Za-z0-9+/]{64}$/.test(line))
  const missing = new Set(lines)
  return {
    bytes: watch(chunks, missing),
    sawCertificate: () => lines.length > 0 && missing.size === 0,
  }
}

async function* watch(
  chunks: AsyncIterable<Uint8Array>,
  missing: Set<string>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let tail = Buffer.alloc(0)
  for await (const chunk of chunks) {
    if (missing.size > 0) {
      const held = Buffer.concat([tail, chunk])
      for (const line of missing) if (held.includes(line)) missing.delete(line)
      // A line may begin in this piece and end in the next one.
      tail = held.subarray(-64)
    }
    yield chunk
  }
}
