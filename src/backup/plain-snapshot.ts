import { createHash, X509Certificate } from 'node:crypto'

/** What the first page of a bolt database says of itself, behind the page's header. */
const boltMagic = 0xed0cdaed
const magicAt = 16

/** Whether a file that begins like this is a database of etcd, as `talos etcd snapshot` writes one. */
export function isPlainSnapshot(begin: Uint8Array): boolean {
  if (begin.length < magicAt + 4) return false
  return new DataView(begin.buffer, begin.byteOffset).getUint32(magicAt, true) === boltMagic
}

/** A snapshot, and whether what of it has passed held a certificate of an authority. */
export interface WatchedSnapshot {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly sawAuthority: () => boolean
}

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'
/** Longer than the certificate of any authority, in bytes of PEM. */
const longest = 8_192
/** More versions of an authority than a cluster ever has; others are looked at each time. */
const mostSeen = 1_000

/**
 * Looks for a certificate of an authority (PEM) in what passes. Kubernetes keeps its own in a ConfigMap of every
 * namespace (`kube-root-ca.crt`), in the clear, so a snapshot tells by it whose it is. An authority is known by its
 * key: it is issued again over the same one when it ends, and a snapshot of before is of the same cluster.
 */
export function watchForAuthority(chunks: AsyncIterable<Uint8Array>, pem: string): WatchedSnapshot {
  const search = new AuthoritySearch(pem)
  return { bytes: watch(chunks, search), sawAuthority: () => search.isFound }
}

async function* watch(
  chunks: AsyncIterable<Uint8Array>,
  search: AuthoritySearch,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    search.pass(chunk)
    yield chunk
  }
}

class AuthoritySearch {
  readonly #key: string | undefined
  /** Digests: every namespace holds the same one, in each of its versions. */
  readonly #seen = new Set<string>()
  #tail: Buffer = Buffer.alloc(0)
  #isFound = false

  constructor(pem: string) {
    this.#key = keyOf(pem)
  }

  get isFound(): boolean {
    return this.#isFound
  }

  pass(chunk: Uint8Array): void {
    if (this.#isFound || this.#key === undefined) return
    this.#tail = this.#scan(Buffer.concat([this.#tail, chunk]))
  }

  /** Looks at each certificate; returns what may be the first part of another one. */
  #scan(held: Buffer): Buffer {
    let from = 0
    for (;;) {
      const at = held.indexOf(begin, from, 'latin1')
      if (at < 0) return held.subarray(Math.max(from, held.length - begin.length + 1))
      from = at + begin.length
      const near = held.subarray(from, at + longest)
      const stop = near.indexOf(end, 0, 'latin1')
      const another = near.indexOf(begin, 0, 'latin1')
      // No certificate holds the beginning of another one.
      if (another >= 0 && (stop < 0 || another < stop)) continue
      if (stop >= 0) this.#inspect(held.toString('latin1', at, from + stop + end.length))
      else if (held.length - at < longest) return held.subarray(at)
    }
  }

  #inspect(text: string): void {
    // An API server may be told to store JSON, in which the ends of lines are escaped.
    const pem = text.replaceAll('\\n', '\n')
    const digest = createHash('sha256').update(pem).digest('base64')
    if (this.#seen.has(digest)) return
    if (this.#seen.size < mostSeen) this.#seen.add(digest)
    if (keyOf(pem) === this.#key) this.#isFound = true
  }
}

/** The public key of a certificate; undefined for what is none. */
function keyOf(pem: string): string | undefined {
  try {
    return new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return undefined
  }
}
