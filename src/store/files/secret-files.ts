import { jsonDigest, jsonEquals } from '../../lib/canonical-json.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { Random } from '../../lib/random.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { machineConfigSecrets } from '../../plan/config-secrets.ts'
import { formsOf, formsOfNamed, hasReference } from '../../spec/secret-reference.ts'
import { decryptSops, opensWith, type SopsHeader, sopsHeader } from '../sops/decrypt-sops.ts'
import { encryptSops } from '../sops/encrypt-sops.ts'
import { everything, isSecretLeaf } from '../sops/secret-keys.ts'
import { yamlDocuments } from '../sops/yaml-documents.ts'
import { yamlText } from '../sops/yaml-text.ts'
import {
  type AgeIdentity,
  ageFileRecipients,
  identityMissing,
  isOfOtherKind,
  stateRecipients,
} from '../trust/identity.ts'
import { ownIdentity, writingIdentity } from '../trust/writing-identity.ts'
import { fileKind } from './layout.ts'
import type { Manifest } from './manifest.ts'

export interface SecretFilesOptions {
  readonly cluster: string
  /** Of the cluster file. */
  readonly recipients: readonly string[]
  /** Of the cluster file, by epoch. */
  readonly signers?: readonly string[] | undefined
  readonly identities: readonly AgeIdentity[]
  /**
   * Takes recipients that the cluster file does not name any more for ones that are about to be dropped, as a
   * rotation does, instead of refusing them.
   */
  readonly dropsRecipients?: boolean | undefined
  /** What of a machine config is encrypted: its secrets where absent. Other files are encrypted whole. */
  readonly encrypt?: 'secrets' | 'all' | undefined
  readonly redactor: Redactor
  readonly random: Random
}

/** Reads and writes the encrypted files of a cluster, by path in its folder, as YAML texts. */
export interface SecretFiles {
  /** Throws `identity-missing`, `state-undecryptable`, `state-corrupt`. */
  open(path: string, content: Uint8Array): Promise<string>
  /**
   * The new content of a file, or the former one where it says the same for the same recipients, so that
   * nothing changes when nothing has changed. Throws `identity-missing`: what we could not read again is
   * not written.
   */
  seal(path: string, text: string, former: Uint8Array | undefined, now: number): Promise<Uint8Array>
  /** The same without regard to a former one: under a new data key, and seen to open with the key that writes. */
  sealAgain(path: string, text: string, now: number): Promise<Uint8Array>
  /** Whether a file is encrypted as it is to be today, by its own rule. */
  hasRule(path: string, content: Uint8Array): boolean
  /** Whether a file is encrypted for today's recipients and nobody else, by today's rule. Throws `identity-missing`. */
  isCurrent(path: string, content: Uint8Array): boolean
  /**
   * Throws `state-recipients` when files of a generation are for somebody whom the cluster file does not name, nor did
   * when they were encrypted (`named`, as the signed state says). Without an identity, one more may be that of the runs.
   * Between the merge that names a key of the other kind and the rotation, those of the former kind are not refused:
   * the file cannot name both, and the rotation drops them.
   */
  refuseStrangers(
    written: WrittenFor,
    files: ReadonlyMap<string, Uint8Array>,
    named?: readonly string[],
  ): void
  /** Which of these files one of some identities opens: tried, since who is named in a file proves nothing. */
  openedBy(
    identities: readonly AgeIdentity[],
    files: ReadonlyMap<string, Uint8Array>,
  ): Promise<string[]>
  /** For whom one age file is encrypted, such as a bundle: of one kind, the stronger, where there are two for a time. */
  readonly ageRecipients: readonly string[]
  /** Recipients that the cluster file names, sorted: today's but for the identity of the run. */
  readonly named: readonly string[]
  /** Whether machine configs are encrypted whole. */
  readonly hidesConfigs: boolean
  /** Whom files are encrypted for today, as far as it can be known without an identity. */
  readonly recipients: readonly string[]
  /** Digest of today's recipients; undefined without an identity, when they cannot be known. */
  readonly recipientsDigest: string | undefined
}

/** What a manifest says of whom its files are for, and of the key that wrote them. */
type WrittenFor = Pick<Manifest, 'recipients' | 'keyEpoch'>

export function createSecretFiles(options: SecretFilesOptions): SecretFiles {
  const { cluster, signers = [], redactor, random, dropsRecipients = false, encrypt } = options
  const writer = writingIdentity(options.identities, signers)
  const recipients = stateRecipients(options.recipients, ownIdentity(writer, signers))
  const targetOf = (path: string) => `${cluster}/${path}`
  // Whoever writes comes first; what was written for a former identity of ours is no stranger's.
  const identities = writer ? [writer, ...options.identities.filter((i) => i !== writer)] : []
  const known = new Set([...recipients, ...identities.map(({ recipient }) => recipient)])

  async function documents(path: string, content: Uint8Array, by = identities) {
    if (identities.length === 0) throw identityMissing(targetOf(path))
    const isConfig = fileKind(path) === 'node-config'
    const isNamed = fileKind(path) === 'named-secrets'
    return await decryptSops(Buffer.from(content).toString('utf8'), {
      identities: by,
      target: targetOf(path),
      onSecret: (keys, value) => {
        // In configs whole files are encrypted too, whose lines are no secrets, and references to secrets.
        if (isConfig && (!isSecretLeaf(keys) || hasReference(String(value)))) return
        const forms = isNamed ? formsOfNamed(String(value)) : formsOf(String(value))
        for (const form of forms) redactor.add(form)
      },
    })
  }

  const ruleOf = (path: string) =>
    encrypt === 'all' || fileKind(path) !== 'node-config' ? everything : machineConfigSecrets

  /** Of each content, once: an apply writes a generation for each node, and asks this of every file each time. */
  const headers = new WeakMap<Uint8Array, SopsHeader>()
  function headerOf(path: string, content: Uint8Array): SopsHeader {
    const known = headers.get(content)
    if (known) return known
    const header = sopsHeader(Buffer.from(content).toString('utf8'), targetOf(path))
    headers.set(content, header)
    return header
  }

  const hasRule = (path: string, content: Uint8Array) =>
    headerOf(path, content).encryptedRegex === ruleOf(path)

  function isCurrent(path: string, content: Uint8Array): boolean {
    if (identities.length === 0) throw identityMissing(targetOf(path))
    const present = headerOf(path, content).recipients
    const isForThem =
      present.length === recipients.length && present.every((each) => recipients.includes(each))
    return isForThem && hasRule(path, content)
  }

  async function sealAgain(path: string, text: string, now: number): Promise<Uint8Array> {
    if (!writer) throw identityMissing(targetOf(path))
    const wanted = yamlDocuments(text)
    const options = { recipients, encryptedRegex: ruleOf(path), random, now }
    const content = Buffer.from(await encryptSops(wanted, options))
    if (jsonEquals(await documents(path, content, [writer]), wanted)) return content
    throw new Error(`${targetOf(path)} would not open as it was written`)
  }

  function refuseStrangers(
    { recipients: digest, keyEpoch }: WrittenFor,
    files: ReadonlyMap<string, Uint8Array>,
    named: readonly string[] = [],
  ): void {
    if (dropsRecipients || digest === jsonDigest(recipients)) return
    const isDue = keyEpoch < signers.length
    const isKnown = (recipient: string) =>
      known.has(recipient) ||
      named.includes(recipient) ||
      (isDue && isOfOtherKind(recipient, options.recipients))
    const strangers = [...files]
      .filter(([path]) => isSealed(path))
      .flatMap(([path, content]) =>
        headerOf(path, content)
          .recipients.filter((recipient) => !isKnown(recipient))
          .map((recipient) => ({ path, recipient })),
      )
    const allowed = identities.length === 0 ? 1 : 0
    const [first] = strangers
    if (first && new Set(strangers.map(({ recipient }) => recipient)).size > allowed) {
      throw unknownRecipient(first.recipient, targetOf(first.path))
    }
  }

  return {
    recipients,
    ageRecipients: ageFileRecipients(recipients),
    hidesConfigs: encrypt === 'all',
    named: [...new Set(options.recipients)].sort(),
    refuseStrangers,
    openedBy: async (by, files) => {
      const sealed = [...files].filter(([path]) => isSealed(path))
      const opened = await Promise.all(
        sealed.map(async ([path, content]) => {
          const text = Buffer.from(content).toString('utf8')
          return (await opensWith(text, by, targetOf(path))) ? [path] : []
        }),
      )
      return opened.flat()
    },
    recipientsDigest: identities.length === 0 ? undefined : jsonDigest(recipients),
    hasRule,
    isCurrent,
    sealAgain,
    open: async (path, content) => yamlText(await documents(path, content)),
    seal: async (path, text, former, now) => {
      if (identities.length === 0) throw identityMissing(targetOf(path))
      const wanted = yamlDocuments(text)
      if (former && isCurrent(path, former)) {
        if (jsonEquals(await documents(path, former), wanted)) return former
      }
      const encryptedRegex = ruleOf(path)
      return Buffer.from(await encryptSops(wanted, { recipients, encryptedRegex, random, now }))
    },
  }
}

/** Whether a path is that of an encrypted file. */
export function isSealed(path: string): boolean {
  const kind = fileKind(path)
  return kind === 'secrets' || kind === 'named-secrets' || kind === 'node-config'
}

/**
 * Dropping a recipient in passing would lock somebody out, and adopting one that only the branch names would
 * let whoever may push read everything.
 */
function unknownRecipient(recipient: string, target: string): ClusterError {
  const name = recipient.length > 64 ? `${recipient.slice(0, 24)}…` : recipient
  return new ClusterError(
    'state-recipients',
    `the state is encrypted for ${name}, whom the cluster file does not name`,
    {
      hint: 'Add it to state.recipients if it may read the secrets. If you took it out of there, run `hcloud-talos rotate`, which shuts it out; if you do not know it, find out who put it there.',
      operation: 'judge who can read the secrets of the cluster',
      target,
    },
  )
}
