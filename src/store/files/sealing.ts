import { jsonDigest } from '../../lib/canonical-json.ts'
import type { Generation } from '../generation.ts'
import { type SopsHeader, sopsHeader } from '../sops/decrypt-sops.ts'
import { everything } from '../sops/secret-keys.ts'
import { fileKind, secretsPath } from './layout.ts'
import { isSealed } from './secret-files.ts'

/** For whom, and how, the secret files of a generation are encrypted, as anybody can read. */
export interface Sealing {
  /** Who opens all of them. */
  readonly readers: ReadonlySet<string>
  /** Who opens any of them. */
  readonly anyReaders: ReadonlySet<string>
  /** What of a machine config is encrypted; undefined while there is none. */
  readonly encrypt: 'secrets' | 'all' | undefined
}

/** Read before: a run plans several times over the same files, and YAML is slow. */
const known = new WeakMap<Uint8Array, SopsHeader>()

/** Reads it from a verified generation; undefined while it has no secrets. Throws `state-corrupt`. */
export function sealingOf({ files, manifest }: Generation): Sealing | undefined {
  const header = (path: string, content: Uint8Array) => {
    const read = known.get(content) ?? sopsHeader(Buffer.from(content).toString('utf8'), path)
    known.set(content, read)
    return read
  }
  const bundle = files.get(secretsPath)
  if (!bundle) return undefined
  const sealed = [...files].filter(([path]) => isSealed(path))
  const own = header(secretsPath, bundle).recipients
  // All files are for the same recipients once the manifest says so of one: then the others need not be read.
  const isOfAll = jsonDigest([...new Set(own)].sort()) === manifest.recipients
  const lists = isOfAll ? [own] : sealed.map(([path, content]) => header(path, content).recipients)
  const config = sealed.find(([path]) => fileKind(path) === 'node-config')
  const isComplete = config && header(...config).encryptedRegex === everything
  return {
    readers: new Set(own.filter((each) => lists.every((list) => list.includes(each)))),
    anyReaders: new Set(lists.flat()),
    encrypt: config && (isComplete ? 'all' : 'secrets'),
  }
}
