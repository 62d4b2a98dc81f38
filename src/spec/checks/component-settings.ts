import type { Component } from '../component.ts'
import { etcdFlags } from '../gen/etcd-flags.ts'
import { admissionPlugins, featureGates, flags, releases } from '../gen/kubernetes-settings.ts'
import { nearestName } from '../nearest-name.ts'
import { quoteValue } from '../quote-value.ts'
import { parseVersion } from '../tables/version-matrix.ts'

/** Something in the settings of a component with which it would not start. */
export interface SettingProblem {
  /** The argument that it is in, without leading hyphens. */
  readonly argument: string
  /** As half a sentence: `the feature gate KMSv2 is gone since Kubernetes 1.32`. */
  readonly message: string
  readonly hint?: string
  /** A warning where a name may simply be newer than these tables. */
  readonly severity: 'error' | 'warning'
}

/** Arguments by name, as Talos takes them: one value, or several that it joins. */
export type ComponentArguments = Readonly<Record<string, string | readonly string[]>>

const minors = Object.keys(releases).map(Number)
const oldest = Math.min(...minors)
const newest = Math.max(...minors)

const pluginArguments = ['enable-admission-plugins', 'disable-admission-plugins']

/**
 * What a component of this version of Kubernetes (without v) would not start with: arguments, feature gates
 * and admission plugins that it does not know, and gates that are locked to another value. Nothing is said
 * of versions that are older than the tables; newer ones are judged as the newest known one, and a name that
 * it does not know is a warning then.
 */
export function settingProblems(
  component: Component,
  args: ComponentArguments,
  version: string,
): SettingProblem[] {
  const minor = knownMinor(version)
  if (minor === undefined) return []
  return Object.entries(args).flatMap(([argument, value]) => [
    ...unknownName(
      `${component} has no argument`,
      argument,
      argument,
      flags[component] ?? {},
      minor,
    ),
    ...entryProblems(component, argument, value, minor),
  ])
}

/** The same of feature gates by themselves, as the kubelet's configuration has them: no text stands for true or false. */
export function gateProblems(
  gates: Readonly<Record<string, unknown>>,
  version: string,
): SettingProblem[] {
  const minor = knownMinor(version)
  if (minor === undefined) return []
  return Object.entries(gates).flatMap(([gate, value]) => {
    const wanted = typeof value === 'boolean' ? String(value) : undefined
    return gateProblem(gate, gate, wanted, minor)
  })
}

/** What etcd of a Talos release (with v) would not start with: flags that it does not know. */
export function etcdFlagProblems(args: ComponentArguments, talosVersion: string): SettingProblem[] {
  const talos = parseVersion(talosVersion)
  if (talos === undefined) return []
  const number = etcdMinors.findLast(([since]) => talos.minor >= since)?.[1] ?? 5
  const isNewer = talos.minor > newestEtcdTalos
  return Object.keys(args).flatMap((flag) =>
    unknownName('etcd has no argument', flag, flag, etcdFlags, { number, isNewer }, 'etcd 3'),
  )
}

/** Which minor of etcd 3 Talos brings, from which of its own minors on: `DefaultEtcdVersion` of machinery. */
const etcdMinors = [
  [9, 5],
  [11, 6],
  [14, 7],
] as const
const newestEtcdTalos = 14

/** The same of an admission plugin that is given a configuration. */
export function admissionPluginProblems(plugin: string, version: string): SettingProblem[] {
  const minor = knownMinor(version)
  return minor === undefined ? [] : pluginProblem(plugin, plugin, minor)
}

/** The minor to look up, and whether it stands for one that is newer than the tables. */
export interface KnownMinor {
  readonly number: number
  readonly isNewer: boolean
}

function knownMinor(version: string): KnownMinor | undefined {
  const parsed = parseVersion(version)
  if (parsed?.major !== 1 || parsed.minor < oldest) return undefined
  return { number: Math.min(parsed.minor, newest), isNewer: parsed.minor > newest }
}

/** What is wrong with the list that an argument holds, if it holds one. */
function entryProblems(
  component: Component,
  argument: string,
  value: string | readonly string[],
  minor: KnownMinor,
): SettingProblem[] {
  const entries = [value]
    .flat()
    .flatMap((text) => text.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (argument === 'feature-gates') {
    return entries.flatMap((entry) => {
      const [gate = '', wanted] = entry.split('=').map((part) => part.trim())
      return gateProblem(argument, gate, wanted, minor)
    })
  }
  if (component !== 'kube-apiserver' || !pluginArguments.includes(argument)) return []
  return entries.flatMap((plugin) => pluginProblem(argument, plugin, minor))
}

function pluginProblem(argument: string, plugin: string, minor: KnownMinor): SettingProblem[] {
  return unknownName('there is no admission plugin', argument, plugin, admissionPlugins, minor)
}

function gateProblem(
  argument: string,
  gate: string,
  wanted: string | undefined,
  minor: KnownMinor,
): SettingProblem[] {
  const unknown = unknownName('there is no feature gate', argument, gate, featureGates, minor)
  if (unknown.length > 0) return unknown
  const isOn = wanted === undefined ? undefined : booleans.get(wanted)
  if (isOn === undefined) {
    const message = `the feature gate ${gate} must be set to true or false`
    const hint = argument === gate ? 'Write true or false.' : `Write ${gate}=true or ${gate}=false.`
    return [{ argument, severity: 'error', message, hint }]
  }
  const { lock } = readEntry(featureGates, gate)
  if (lock === undefined || minor.number < lock.since || isOn === lock.value) return []
  const message = `the feature gate ${gate} is locked to ${lock.value} since Kubernetes 1.${lock.since}`
  return [{ argument, severity: 'error', message, hint: 'Remove it.' }]
}

/** As Go's strconv.ParseBool reads them. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
])

export type Table = Readonly<Record<string, string>>

/** Whether a name is in a table for a minor, and what to say where it is not. */
export function unknownName(
  lead: string,
  argument: string,
  name: string,
  table: Table,
  { number, isNewer }: KnownMinor,
  of = 'Kubernetes 1',
): SettingProblem[] {
  if (!Object.hasOwn(table, name)) {
    const here = Object.keys(table).filter((each) => isKnownIn(table, each, number))
    const meant = nearestName(name, here)
    const problem = {
      argument,
      severity: isNewer ? ('warning' as const) : ('error' as const),
      message: `${lead} ${quoteValue(name)} in ${of}.${number}`,
    }
    return [meant === undefined ? problem : { ...problem, hint: `Did you mean ${meant}?` }]
  }
  const { since, until } = readEntry(table, name)
  if (number < since) {
    const message = `${lead} ${name} before ${of}.${since}`
    return [{ argument, severity: 'error', message, hint: 'Remove it, upgrade, then add it.' }]
  }
  if (number > until) {
    const message = `${lead} ${name} since ${of}.${until + 1}`
    return [{ argument, severity: 'error', message, hint: 'Remove it, apply that, then upgrade.' }]
  }
  return []
}

function isKnownIn(table: Table, name: string, minor: number): boolean {
  const { since, until } = readEntry(table, name)
  return minor >= since && minor <= until
}

/** `-31`, `32-`, `28-34|true 31`: the minors that know a name, and what it is locked to. */
function readEntry(
  table: Table,
  name: string,
): { since: number; until: number; lock: { value: boolean; since: number } | undefined } {
  const [range = '', locked] = (Object.hasOwn(table, name) ? (table[name] ?? '') : '').split('|')
  const [since = '', until = ''] = range.split('-')
  const [value, lockedSince] = locked?.split(' ') ?? []
  return {
    since: since === '' ? 0 : Number(since),
    until: until === '' ? Number.POSITIVE_INFINITY : Number(until),
    lock: value === undefined ? undefined : { value: value === 'true', since: Number(lockedSince) },
  }
}
