import type { Finding } from '../lib/finding.ts'
import { allocateNodes } from '../plan/allocate-nodes.ts'
import type { ClusterNode } from '../plan/cluster-node.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { hasReference } from '../spec/secret-reference.ts'
import { parseVersion } from '../spec/tables/version-matrix.ts'
import { valueAt } from '../spec/yaml/value-at.ts'
import { unpatchedPublicConfig } from './config/config-digest.ts'
import { type ConfigDocument, documentIdentity } from './config/config-document.ts'
import { patchesOf } from './config/machine-config.ts'
import {
  applyShapedPatches,
  judgedPatchFaults,
  shapedPatchFaults,
} from './config/reshape/apply-shaped-patches.ts'
import { placelessProblems } from './config/reshape/placeless-problems.ts'
import { componentProblems } from './config/validate/component-problems.ts'
import type { ConfigProblem } from './config/validate/config-problem.ts'
import { contradictionProblems } from './config/validate/contradictions.ts'
import { type PatchFault, patchFaults } from './config/validate/patch-steps.ts'
import { pinnedImageProblems } from './config/validate/pinned-images.ts'
import { unusedSettings } from './config/validate/unused-settings.ts'
import { validateConfig } from './config/validate/validate-config.ts'
import { contractOfSpec, contractsUpTo } from './config/version-contract.ts'

/** A finding about a patch, and where in it. */
export interface PatchFinding extends Finding {
  readonly place: {
    /** Keys and indexes from the top of the patch's document of this kind; empty for all of it. */
    readonly at: readonly (string | number)[]
    readonly kind: string
    readonly name: string | undefined
  }
}

/**
 * Patches that do not fit the configs that they are for, and those after which a node would refuse its
 * config: what each node would say halfway through an apply is said before anything is asked. One node of
 * each pool is tried.
 */
export function patchFindings(spec: ClusterSpec): PatchFinding[] {
  const found = judgePatches(spec)
  const errors = found.filter(({ severity }) => severity === 'error')
  const others = errors.length === 0 ? [] : otherContracts(spec)
  const judged = others.map((contract) => ({
    contract,
    refused: new Set(errorPaths(judgePatches(withContract(spec, contract)))),
  }))
  return found.map((finding) => {
    const path = JSON.stringify(finding.path)
    const fitting = judged.find(({ refused }) => !refused.has(path))
    const isReported = finding.hint?.includes('`talos.contract:')
    if (finding.severity !== 'error' || !fitting || isReported) return finding
    const hint = `Rewrite it, or let the machine configs have the shape that it fits with \`talos.contract: ${fitting.contract}\`.`
    return { ...finding, hint: finding.hint === undefined ? hint : `${finding.hint} ${hint}` }
  })
}

/** The contracts that its Talos reads besides the one of its configs: the nearest of the older ones first. */
function otherContracts(spec: ClusterSpec): string[] {
  const own = contractOfSpec(spec).minor
  const all = contractsUpTo(spec.talos.version)
  return [
    ...all.filter((minor) => minor < own).toReversed(),
    ...all.filter((minor) => minor > own),
  ].map((minor) => `v1.${minor}`)
}

function withContract(spec: ClusterSpec, contract: string): ClusterSpec {
  return { ...spec, talos: { ...spec.talos, contract } }
}

function errorPaths(findings: readonly PatchFinding[]): string[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ path }) => JSON.stringify(path))
}

function judgePatches(spec: ClusterSpec): PatchFinding[] {
  const { minor = 0, patch = 0 } = parseVersion(spec.talos.version) ?? {}
  return [
    ...placelessFindings(spec),
    ...findingsBy(
      spec,
      (config, base) => [
        ...validateConfig(config, minor, patch),
        ...componentProblems(config, minor),
        ...unusedSettings(config),
        ...contradictionProblems(config, base, spec),
        ...pinnedImageProblems(config, base),
      ],
      shapedPatchFaults,
    ),
  ]
}

/** What fields of the file ask for, and has no place in the documents of the contract v1.14. */
function placelessFindings(spec: ClusterSpec): PatchFinding[] {
  const [node] = allocateNodes(spec, undefined).filter(({ role }) => role === 'control-plane')
  if (!contractOfSpec(spec).documents || node === undefined) return []
  return placelessProblems(unpatchedPublicConfig(spec, node)).map(
    ({ severity, places: [{ path }], message, hint }) => ({
      severity,
      path: fieldOf(path),
      message,
      hint: hint ?? 'Keep the shape that has it with `talos.contract: v1.13`.',
      place: { at: [], kind: '', name: undefined },
    }),
  )
}

/** The field of the cluster file that says what stands at a place of the machine config. */
function fieldOf(path: readonly (string | number)[]): (string | number)[] {
  const [field, ...below] = apiServerArguments.every((step, index) => step === path[index])
    ? path.slice(apiServerArguments.length)
    : []
  return field === undefined || below.length > 0
    ? ['talos', 'contract']
    : ['kubernetes', 'apiServerExtraArgs', field]
}

const apiServerArguments = ['cluster', 'apiServer', 'extraArgs']

/** Settings in patches with which a part of Kubernetes would not start, as it is in this spec's version. */
export function settingFindings(spec: ClusterSpec): PatchFinding[] {
  const { minor = 0 } = parseVersion(spec.talos.version) ?? {}
  return findingsBy(spec, (config) => componentProblems(config, minor), judgedPatchFaults)
}

/** Judges a config; `base` is the same before any patch. */
type Judge = (
  config: readonly ConfigDocument[],
  base: readonly ConfigDocument[],
) => readonly ConfigProblem[]

/** Finds what is wrong with the patches of a config of the contract v1.14. */
type ShapedFaults = typeof shapedPatchFaults

function findingsBy(spec: ClusterSpec, judge: Judge, shapedFaults: ShapedFaults): PatchFinding[] {
  const pools = new Map(allocateNodes(spec, undefined).map((node) => [node.pool, node]))
  const found = [...pools.values()].flatMap((node) => findingsOf(spec, node, judge, shapedFaults))
  const keyed = found.map(({ path, place, message, ...rest }) => {
    const finding = { path, place, message, ...rest }
    return [JSON.stringify([path, place, message]), finding] as const
  })
  return [...new Map(keyed.toReversed()).values()].toReversed()
}

function findingsOf(
  spec: ClusterSpec,
  node: ClusterNode,
  judge: Judge,
  shapedFaults: ShapedFaults,
): PatchFinding[] {
  const base = unpatchedPublicConfig(spec, node)
  const isShaped = contractOfSpec(spec).documents
  const unpatched = isShaped ? applyShapedPatches(base, []) : base
  const faultsOf = isShaped ? shapedFaults : patchFaults
  return faultsOf(base, patchesOf(spec, node), (config) =>
    judge(config, unpatched).flatMap((problem) => asOfReference(problem, config)),
  ).map((fault) => toFinding(fault, spec, node))
}

/**
 * What fills a reference is not known here: of its form only the node can judge. A text it is in any case, and where
 * none would do the node's refusal would quote it in part, which nobody could hide.
 */
function asOfReference(problem: ConfigProblem, config: readonly ConfigDocument[]): ConfigProblem[] {
  if (!isOfReference(problem, config)) return [problem]
  const hint = 'Write the value itself here: a secret is a text.'
  return problem.isNoText ? [{ ...problem, hint }] : []
}

function isOfReference(
  { places: [{ kind, name, path }] }: ConfigProblem,
  config: readonly ConfigDocument[],
): boolean {
  const document = config.find((each) => {
    const identity = documentIdentity(each)
    return identity.kind === kind && identity.name === name
  })
  const value = valueAt(document, path)
  return typeof value === 'string' && hasReference(value)
}

function toFinding(
  { patch, severity, message, hint, place }: PatchFault,
  spec: ClusterSpec,
  node: ClusterNode,
): PatchFinding {
  const { kind, name, path } = place
  return {
    severity,
    path: pathOf(spec, node, patch.source),
    message,
    hint: hint ?? `Correct the patch: it is merged into the config of the nodes of ${node.pool}.`,
    place: { at: path, kind, name: name === '' ? undefined : name },
  }
}

/** Where a patch stands in the cluster file, by the name that patchesOf gives it. */
function pathOf(
  { workers }: ClusterSpec,
  { pool, role }: ClusterNode,
  source: string,
): (string | number)[] {
  const [, where = '', index] = /^(.*)\[(\d+)\]$/.exec(source) ?? []
  if (where.startsWith('talos.')) return [...where.split('.'), Number(index)]
  const owner =
    role === 'control-plane'
      ? ['nodes', 'controlPlane']
      : ['nodes', 'workers', workers.findIndex(({ name }) => name === pool)]
  return [...owner, 'patches', Number(index)]
}
