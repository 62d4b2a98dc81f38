import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkedSnapshot, damaged, type SnapshotFacts } from '../backup/etcd-snapshot.ts'
import { isPlainSnapshot, watchForAuthority } from '../backup/plain-snapshot.ts'
import { foreign, openSnapshot as openSealed } from '../backup/sealed-snapshot.ts'
import { readSnapshotFile } from '../backup/snapshot-file.ts'
import { type SnapshotMetadata, signedBytes } from '../backup/snapshot-metadata.ts'
import { formatPlace, parsePlace } from '../backup/snapshot-place.ts'
import type { VerifiedSnapshot } from '../backup/verified-snapshot.ts'
import { isClusterError } from '../lib/cluster-error.ts'
import { fileFailure } from '../lib/file-failure.ts'
import type { RunContext } from '../run/run-context.ts'
import { fetchSnapshot } from '../run/snapshot-storage.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { Generation } from '../store/generation.ts'
import { type AgeIdentity, identityMissing, parseIdentities } from '../store/trust/identity.ts'
import { createStateTrust } from '../store/trust/state-trust.ts'

/** What a snapshot is judged by. */
export interface SnapshotJudges {
  readonly spec: CommonSpec
  readonly generation: Generation
  /** The certificate of the cluster's Kubernetes authority, as PEM. */
  readonly authority: () => Promise<string>
}

/**
 * Opens a snapshot and sees all that can be seen before anything is touched: that it opens, is of this
 * cluster, was made by somebody who is believed, and is whole. One in an object storage is fetched first,
 * as it is, into the run's own folder. A plain one, as `talos etcd snapshot` writes it, is of this cluster when it
 * holds the cluster's own authority. Throws `snapshot-missing`, `snapshot-foreign`, `snapshot-damaged`,
 * `identity-missing`.
 */
export async function openSnapshot(
  context: RunContext,
  { spec, generation, authority }: SnapshotJudges,
  where: string,
): Promise<VerifiedSnapshot> {
  const { state, redactor, tempFolder } = context
  const place = parsePlace(where)
  if (state.identity === undefined) throw identityMissing(formatPlace(place))
  const identities = await parseIdentities(state.identity, redactor)
  const secrets = identities.map(({ secret }) => secret)
  let bytes = () => fetchSnapshot(context, place)
  if (place.kind === 'object') {
    const copy = join(tempFolder, 'snapshot.age')
    await keep(bytes(), copy)
    bytes = () => createReadStream(copy)
  } else bytes = () => readSnapshotFile(place.path)
  if (isPlainSnapshot(await beginOf(bytes()))) return await openPlain(bytes, await authority())

  const { signed, plain } = await openSealed(bytes(), secrets)
  judge(signed.metadata, generation)
  judgeSigner(signed.signature, signedBytes(signed), spec, identities)
  const facts = await readToEnd(plain)
  return {
    metadata: signed.metadata,
    ...facts,
    async *read() {
      const again = await openSealed(bytes(), secrets)
      yield* readAgain(again.plain, facts)
    },
  }
}

async function beginOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  let begin = Buffer.alloc(0)
  for await (const chunk of bytes) {
    begin = Buffer.concat([begin, chunk])
    if (begin.length >= 32) break
  }
  return begin
}

/** A plain one has no signature: what it holds must say whose it is. */
async function openPlain(
  bytes: () => AsyncIterable<Uint8Array>,
  authority: string,
): Promise<VerifiedSnapshot> {
  const watched = watchForAuthority(bytes(), authority)
  const facts = await readToEnd(watched.bytes)
  if (!watched.sawAuthority()) {
    throw foreign('it is a plain one, and does not hold the Kubernetes authority of this cluster')
  }
  return { metadata: undefined, ...facts, read: () => readAgain(bytes(), facts) }
}

function readAgain(
  plain: AsyncIterable<Uint8Array>,
  facts: SnapshotFacts,
): AsyncGenerator<Uint8Array, void, undefined> {
  return checkedSnapshot(plain, ({ digest }) => {
    if (digest !== facts.digest) throw damaged('it was exchanged while it was read')
  })
}

function judge({ cluster, uid }: SnapshotMetadata, { manifest }: Generation): void {
  if (cluster !== manifest.cluster) throw foreign(`it is one of the cluster ${cluster}`)
  if (uid === manifest.uid) return
  throw foreign(
    `it is one of another cluster of the name ${cluster} (uid ${uid}; this one has ${manifest.uid})`,
  )
}

function judgeSigner(
  signature: string,
  bytes: Uint8Array,
  { state: { signers } }: CommonSpec,
  identities: readonly AgeIdentity[],
): void {
  try {
    createStateTrust(signers, identities).verify(
      bytes,
      Buffer.from(signature, 'latin1'),
      'snapshot',
    )
  } catch (error) {
    if (isClusterError(error, 'state-signer-unknown')) {
      const [signer] = signature.split(' ')
      throw foreign(`it was signed by ${signer}, whom this run does not believe`, error)
    }
    throw foreign('its signature is wrong', error)
  }
}

async function readToEnd(plain: AsyncIterable<Uint8Array>): Promise<SnapshotFacts> {
  let facts: SnapshotFacts | undefined
  for await (const _ of checkedSnapshot(plain, (whole) => {
    facts = whole
  }));
  if (!facts) throw new Error('a snapshot that was read to its end has no facts')
  return facts
}

async function keep(bytes: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  try {
    await pipeline(Readable.from(bytes), createWriteStream(path, { mode: 0o600 }))
  } catch (error) {
    if (isClusterError(error)) throw error
    throw fileFailure(error, path)
  }
}
