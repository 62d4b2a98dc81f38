import { jsonDigest, jsonEquals } from '../lib/canonical-json.ts'
import type { JsonObject } from '../lib/json.ts'
import type { RunIdentity } from '../lib/run-identity.ts'
import type { Inventory } from '../plan/inventory.ts'
import { type Fact, journalEntry, journalJson } from './files/journal.ts'
import { jsonFile } from './files/json-file.ts'
import {
  inventoryPath,
  journalPath,
  manifestPath,
  namedSecretsPath,
  nodeConfigPath,
  planPath,
  secretsPath,
  signaturePath,
} from './files/layout.ts'
import {
  describeFile,
  digest,
  type Manifest,
  type ManifestRepair,
  manifestBytes,
} from './files/manifest.ts'
import { namedSecretsText } from './files/named-secrets-file.ts'
import { isSealed, type SecretFiles } from './files/secret-files.ts'
import { type Generation, payloadOf } from './generation.ts'
import { yamlDocuments } from './sops/yaml-documents.ts'
import { identityMissing } from './trust/identity.ts'
import { signatureFile } from './trust/signature-file.ts'
import type { StateTrust } from './trust/state-trust.ts'

/** What one update does to the state; what it does not name stays. */
export interface StateChanges {
  readonly inventory?: Inventory
  /** The secrets bundle as YAML. It is minted once: a different one for a cluster that has one is a bug. */
  readonly secrets?: string
  /** Says that the bundle differs on purpose: a part of it is being replaced on the nodes, step by step. */
  readonly replacesSecrets?: boolean
  /** The values of all named secrets by name, in the place of those that were there. */
  readonly namedSecrets?: Readonly<Record<string, string>> | undefined
  /** Machine configs as YAML by node; undefined removes a node's. */
  readonly nodeConfigs?: Readonly<Record<string, string | undefined>>
  /** Encrypts every secret file again, for today's recipients and nobody else. */
  readonly reseal?: boolean
  /** Approved plans by digest; undefined removes one. */
  readonly plans?: Readonly<Record<string, JsonObject | undefined>>
  /** Facts to write down at the journal's end. */
  readonly facts?: readonly Fact[]
  /** What was applied to its end. */
  readonly applied?: AppliedSpec
  /** Of a state that is recreated because the former was lost: the first generation comes after that one. */
  readonly lost?: { readonly generation: number; readonly keyEpoch: number } | undefined
}

/** A spec that was carried out, and where it came from. */
export interface AppliedSpec {
  readonly specDigest: string
  readonly commit: string | undefined
}

export interface GenerationContext {
  readonly cluster: string
  readonly repository: string
  readonly trust: StateTrust
  readonly writer: RunIdentity
  readonly toolVersion: string
  readonly secretFiles: SecretFiles
  readonly nonce: string
  readonly now: number
  /** The next generation's number is above this one as well, where its own past is behind that of the outside. */
  readonly above?: number | undefined
  /** Hash of the manifest that it comes after on the branch, where that is not the one that it is made from. */
  readonly previous?: string | undefined
  /** What this generation repairs. */
  readonly repair?: ManifestRepair | undefined
}

/** Contents to write by path in the cluster's folder; undefined removes a file. */
export type FileChanges = ReadonlyMap<string, Uint8Array | undefined>

/** The next generation: its manifest, and the files that differ from the former's, manifest and signature included. */
export interface NextGeneration {
  readonly manifest: Manifest
  readonly files: FileChanges
}

/**
 * What changes lead from `base` to its next generation; undefined when nothing differs. Does not touch
 * anything. Throws `identity-missing`: nothing is written unsigned.
 */
export async function nextGeneration(
  base: Generation | undefined,
  changes: StateChanges,
  context: GenerationContext,
): Promise<NextGeneration | undefined> {
  const sealed = await sealedFiles(base, changes, context)
  const inventory = inventoryOf(base, changes, sealed, context)
  const wanted = new Map<string, Uint8Array | undefined>([
    ...plainFiles(base, { ...changes, inventory }, context),
    ...sealed,
  ])
  const differing = new Map([...wanted].filter(([path, content]) => !same(base, path, content)))
  if (differing.size === 0 && !isNewlyApplied(base, changes.applied)) return undefined
  const files = payloadOf(applyFiles(base?.files, differing))
  const target = `${context.cluster}/${manifestPath}`
  const { key, epoch } = context.trust.signingKey(
    base?.manifest.keyEpoch ?? changes.lost?.keyEpoch,
    target,
    () => identityMissing(target),
  )
  const manifest = nextManifest(base, changes, files, { ...context, keyEpoch: epoch })
  const bytes = manifestBytes(manifest)
  differing.set(manifestPath, bytes).set(signaturePath, signatureFile(key, bytes))
  return { manifest, files: differing }
}

function isNewlyApplied(base: Generation | undefined, applied: AppliedSpec | undefined): boolean {
  if (!applied) return false
  const { specDigest, appliedCommit } = base?.manifest ?? {}
  return specDigest !== applied.specDigest || appliedCommit !== (applied.commit ?? null)
}

/** The files of a cluster's folder after changes. */
export function applyFiles(
  files: ReadonlyMap<string, Uint8Array> | undefined,
  changes: FileChanges,
): Map<string, Uint8Array> {
  const next = new Map(files)
  for (const [path, content] of changes) {
    if (content === undefined) next.delete(path)
    else next.set(path, content)
  }
  return next
}

/** With whom the cluster file named when the secrets were last encrypted, which nobody else decides. */
function inventoryOf(
  base: Generation | undefined,
  { inventory = base?.inventory }: StateChanges,
  sealed: readonly (readonly [string, Uint8Array | undefined])[],
  { secretFiles }: GenerationContext,
): Inventory | undefined {
  const isResealed = sealed.some(
    ([path, content]) => content !== undefined && !same(base, path, content),
  )
  const recipients = isResealed ? secretFiles.named : base?.inventory.recipients
  const known = inventory && secretFiles.hidesConfigs ? withoutFields(inventory) : inventory
  return known && recipients ? { ...known, recipients } : known
}

/** Where configs are encrypted whole nothing of them stands beside them either. */
function withoutFields(inventory: Inventory): Inventory {
  const nodes = inventory.nodes.map((node) =>
    node.hiddenFields ? { ...node, hiddenFields: undefined } : node,
  )
  return { ...inventory, nodes }
}

function plainFiles(
  base: Generation | undefined,
  changes: Omit<StateChanges, 'inventory'> & { readonly inventory: Inventory | undefined },
  { writer, now }: GenerationContext,
): [string, Uint8Array | undefined][] {
  const { inventory, plans = {}, facts = [] } = changes
  const files: [string, Uint8Array | undefined][] = Object.entries(plans).map(([name, plan]) => [
    planPath(name),
    plan && jsonFile(plan),
  ])
  if (inventory) files.push([inventoryPath, jsonFile(inventory)])
  if (facts.length > 0) {
    const entries = facts.map((fact) => journalEntry(fact, writer, now))
    files.push([journalPath, jsonFile(journalJson([...(base?.journal ?? []), ...entries]))])
  }
  return files
}

async function sealedFiles(
  base: Generation | undefined,
  {
    secrets,
    namedSecrets,
    nodeConfigs = {},
    reseal = false,
    replacesSecrets = false,
  }: StateChanges,
  { secretFiles, now }: GenerationContext,
): Promise<[string, Uint8Array | undefined][]> {
  const texts = new Map<string, string | undefined>(
    Object.entries(nodeConfigs).map(([node, text]) => [nodeConfigPath(node), text]),
  )
  if (secrets !== undefined) texts.set(secretsPath, secrets)
  if (namedSecrets) texts.set(namedSecretsPath, namedSecretsText(namedSecrets))
  for (const [path, text] of await dueTexts(base, texts, { reseal, secretFiles })) {
    if (!texts.has(path)) texts.set(path, text)
  }
  const sealed: [string, Uint8Array | undefined][] = []
  for (const [path, text] of texts) {
    const former = base?.files.get(path)
    const seal = (value: string) =>
      reseal ? secretFiles.sealAgain(path, value, now) : secretFiles.seal(path, value, former, now)
    const content = text === undefined ? undefined : await seal(text)
    if (path === secretsPath && former && content !== former && !replacesSecrets) {
      await assertSameSecrets(path, former, text ?? '', secretFiles)
    }
    sealed.push([path, content])
  }
  return sealed
}

/**
 * What must be sealed beside what changes: all of it when that is asked for, or when the recipients are
 * others, or what is encrypted of a file is.
 */
async function dueTexts(
  base: Generation | undefined,
  texts: ReadonlyMap<string, string | undefined>,
  { reseal, secretFiles }: { readonly reseal: boolean; readonly secretFiles: SecretFiles },
): Promise<Map<string, string>> {
  if (!base) return new Map()
  if (reseal) return openFiles(base, secretFiles, () => true)
  const isSealing = [...texts.values()].some((text) => text !== undefined)
  if (!isSealing) return new Map()
  const sameRecipients = base.manifest.recipients === secretFiles.recipientsDigest
  const isCurrent = sameRecipients ? secretFiles.hasRule : secretFiles.isCurrent
  return openFiles(base, secretFiles, (path, content) => !isCurrent(path, content))
}

/** Those of the secret files that are due, opened: somebody joined the recipients, or left them. */
async function openFiles(
  { files }: Generation,
  secretFiles: SecretFiles,
  isDue: (path: string, content: Uint8Array) => boolean,
): Promise<Map<string, string>> {
  const opened = new Map<string, string>()
  for (const [path, content] of files) {
    if (isSealed(path) && isDue(path, content)) {
      opened.set(path, await secretFiles.open(path, content))
    }
  }
  return opened
}

/** The bundle is the root of a running cluster: it may be sealed again, and never be another. */
async function assertSameSecrets(
  path: string,
  former: Uint8Array,
  text: string,
  secretFiles: SecretFiles,
): Promise<void> {
  const [before, after] = [await secretFiles.open(path, former), text].map(yamlDocuments)
  if (!jsonEquals(before ?? null, after ?? null)) {
    throw new Error('the cluster has secrets already; other ones must not take their place')
  }
}

function same(
  base: Generation | undefined,
  path: string,
  content: Uint8Array | undefined,
): boolean {
  const former = base?.files.get(path)
  if (former === undefined || content === undefined) return former === content
  return Buffer.from(former).equals(content)
}

function nextManifest(
  base: Generation | undefined,
  { inventory, applied, lost }: StateChanges,
  files: ReadonlyMap<string, Uint8Array>,
  context: GenerationContext & { readonly keyEpoch: number },
): Manifest {
  const {
    cluster,
    repository,
    writer,
    toolVersion,
    nonce,
    now,
    keyEpoch,
    above = 0,
    repair,
  } = context
  const former = base?.files.get(manifestPath)
  const uid = base?.manifest.uid ?? inventory?.uid
  if (uid === undefined) throw new Error('the first generation of a cluster needs an inventory')
  return {
    format: 1,
    repository,
    cluster,
    uid,
    generation: Math.max(base?.manifest.generation ?? lost?.generation ?? 0, above) + 1,
    previous: context.previous ?? (former ? digest(former) : null),
    keyEpoch,
    recipients: recipientsOf(base, files, context.secretFiles),
    specDigest: applied?.specDigest ?? base?.manifest.specDigest ?? null,
    appliedCommit: (applied ? applied.commit : base?.manifest.appliedCommit) ?? null,
    toolVersion,
    writer: { run: writer.run, attempt: writer.attempt, nonce },
    writtenAt: new Date(now).toISOString(),
    files: [...files].map(([path, content]) => describeFile(path, content)).sort(byPath),
    ...(repair && { repair }),
  }
}

/** For whom the files are encrypted: for today's recipients once any of them was sealed again, since then all were. */
function recipientsOf(
  base: Generation | undefined,
  files: ReadonlyMap<string, Uint8Array>,
  { recipientsDigest = jsonDigest([]) }: SecretFiles,
): string {
  const sealed = [...files].filter(([path]) => isSealed(path))
  const isAsBefore = sealed.every(([path, content]) => same(base, path, content))
  return base && sealed.length > 0 && isAsBefore ? base.manifest.recipients : recipientsDigest
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : 1
}
