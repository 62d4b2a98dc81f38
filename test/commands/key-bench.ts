import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { bare, clusterFile } from './cluster-files.ts'
import type { Bench } from './harness.ts'

/** The identities of a cluster's runs over its epochs, the newest last, and one that is kept offline. */
export class KeyRing {
  readonly #bench: Bench
  readonly #workers: number
  readonly offline: string
  readonly offlineRecipient: string
  readonly identities: string[]

  static async begin(bench: Bench, workers = 0): Promise<KeyRing> {
    const offline = await generateX25519Identity()
    return new KeyRing(bench, workers, { offline, recipient: await identityToRecipient(offline) })
  }

  private constructor(
    bench: Bench,
    workers: number,
    { offline, recipient }: { readonly offline: string; readonly recipient: string },
  ) {
    this.offlineRecipient = recipient
    this.#bench = bench
    this.#workers = workers
    this.offline = offline
    this.identities = [bench.identity]
  }

  get newest(): string {
    return this.identities.at(-1) ?? ''
  }

  /** A new identity, which the cluster file names from now on. */
  async add(): Promise<void> {
    this.identities.push(await generateX25519Identity())
  }

  /** The cluster file as it was reviewed: the newest identity and the offline one read, all epochs are named. */
  async file({ workers = this.#workers } = {}): Promise<ClusterFile> {
    const recipients = await Promise.all([this.newest, this.offline].map(identityToRecipient))
    const signer = this.identities.map((secret) => deriveSigningKey({ secret }).signer)
    return clusterFile({ workers }, { ...bare, state: { signer, recipients } })
  }

  /** A run that holds these identities; all of the ring's where none are named. */
  holding(identities: readonly string[] = this.identities): RunContext {
    return withIdentities(this.#bench.run(), identities)
  }
}

export function withIdentities(context: RunContext, identities: readonly string[]): RunContext {
  const identity = identities.length === 0 ? undefined : identities.join('\n')
  return { ...context, state: { ...context.state, identity } }
}
