import { parseAllDocuments, visit } from 'yaml'
import type { ClusterSpec } from './cluster-spec.ts'
import type { CommonSpec } from './common-spec.ts'
import { referencesIn } from './secret-reference.ts'
import type { Path } from './yaml/yaml-source.ts'

/** A named secret that a cluster file refers to, and from where. */
export interface ReferredSecret {
  readonly name: string
  /** Of the patch, or of the values, that it stands in. */
  readonly path: Path
}

/** The named secrets that a spec refers to, once for each patch, addon, manifest and login that does. */
export function referredSecrets(spec: CommonSpec): ReferredSecret[] {
  const values = valuePlaces(spec).map(({ values, path }) => ({
    text: JSON.stringify(values),
    path,
  }))
  const texts = [...patchPlaces(spec), ...values, ...manifestPlaces(spec)]
  return [...texts.flatMap(({ text, path }) => inText(text, path)), ...inLogins(spec)]
}

/** What logs in to hosts: passphrases of keys, and passwords of sudo. */
function inLogins({ hosts = [] }: CommonSpec): ReferredSecret[] {
  const sources = hosts.flatMap(({ login: { key, sudo, jump } }) => [
    ...[key, jump?.key].map((one) =>
      one === undefined || one.from === 'agent' ? undefined : one.passphrase,
    ),
    sudo.type === 'password' ? sudo.password : undefined,
  ])
  const names = sources.flatMap((source) => (source?.from === 'secret' ? [source.name] : []))
  return [...new Set(names)].map((name) => ({ name, path: ['hosts'] }))
}

/** The values of every addon, and where they stand. */
export function valuePlaces({
  cni,
  addons: { custom, ...own },
}: CommonSpec): { readonly values: Readonly<Record<string, unknown>>; readonly path: Path }[] {
  return [
    { values: cni.values, path: ['cni', 'values'] },
    ...Object.entries(own).map(([name, { values }]) => ({
      values,
      path: ['addons', name, 'values'],
    })),
    ...custom.flatMap((addon, index) =>
      addon.type === 'helm'
        ? [{ values: addon.values, path: ['addons', 'custom', index, 'values'] }]
        : [],
    ),
  ]
}

/** The manifests that stand in the file, and where. */
export function manifestPlaces({
  addons,
}: CommonSpec): { readonly text: string; readonly path: Path }[] {
  return addons.custom.flatMap((addon, index) =>
    addon.type === 'manifest'
      ? addon.inline.map((text, at) => ({ text, path: ['addons', 'custom', index, 'inline', at] }))
      : [],
  )
}

/** Every patch of a spec, and where it stands. */
export function patchPlaces({
  talos,
  controlPlane,
  workers = [],
}: CommonSpec): { readonly text: string; readonly path: Path }[] {
  const numbered = (path: Path, texts: readonly string[]) =>
    texts.map((text, index) => ({ text, path: [...path, index] }))
  return [
    ...numbered(['talos', 'patches'], talos?.patches ?? []),
    ...numbered(['talos', 'controlPlanePatches'], talos?.controlPlanePatches ?? []),
    ...numbered(['talos', 'workerPatches'], talos?.workerPatches ?? []),
    ...numbered(['nodes', 'controlPlane', 'patches'], controlPlane?.patches ?? []),
    ...workers.flatMap(({ patches }, pool) =>
      numbered(['nodes', 'workers', pool, 'patches'], patches),
    ),
  ]
}

/** The names of the secrets that a spec refers to, each once. */
export function referredNames(spec: CommonSpec): string[] {
  return [...new Set(referredSecrets(spec).map(({ name }) => name))].sort()
}

/** The same of its patches alone: what machine configs may hold. */
export function patchNames(spec: ClusterSpec): string[] {
  const all = patchPlaces(spec).flatMap(({ text, path }) => inText(text, path))
  return [...new Set(all.map(({ name }) => name))].sort()
}

/** The spec with the versions of the secrets that it refers to, which are what a plan knows of their values. */
export function withSecretVersions<Spec extends CommonSpec>(
  spec: Spec,
  versions: Readonly<Record<string, number>>,
): Spec {
  return Object.keys(versions).length === 0 ? spec : { ...spec, secretVersions: versions }
}

/** The versions of the secrets of some names; undefined where there are none. */
export function versionsOf(
  { secretVersions = {} }: Pick<ClusterSpec, 'secretVersions'>,
  names: readonly string[],
): Record<string, number> | undefined {
  if (names.length === 0) return undefined
  return Object.fromEntries(
    [...new Set(names)].sort().map((name) => [name, secretVersions[name] ?? 1]),
  )
}

/** What comments say refers to nothing. */
function inText(text: string, path: Path): ReferredSecret[] {
  const names = new Set<string>()
  // Most files refer to no secret, and YAML is slow.
  if (referencesIn(text).length === 0) return []
  const documents = parseAllDocuments(text, { logLevel: 'silent' })
  for (const document of Array.isArray(documents) ? documents : []) {
    visit(document, {
      Scalar(_, { value }) {
        for (const { name } of referencesIn(String(value))) names.add(name)
      },
    })
  }
  return [...names].map((name) => ({ name, path }))
}
