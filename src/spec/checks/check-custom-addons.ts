import { formatPath } from '../../lib/finding.ts'
import { nearestName } from '../nearest-name.ts'
import { quoteValue } from '../quote-value.ts'
import { type AddonName, addonNames, isReservedSetName } from '../tables/addon-names.ts'
import type { Path } from '../yaml/yaml-source.ts'
import { manifestProblem } from './manifest-problem.ts'
import type { CheckFinding, CommonFile } from './spec-check.ts'

/** Names of objects are made from the name of a release with up to ten characters more. */
const longestName = 53

type Entry = CommonFile['addons']['custom'][number]

/** Why a chart is of no use in a mode, by its name. */
export type UnfitCharts = Readonly<
  Record<string, { readonly message: string; readonly hint: string }>
>

const unfitForTalos: UnfitCharts = {
  kured: {
    message: 'kured does nothing on Talos: it reboots hosts whose package manager asks for it',
    hint: 'Remove it: upgrades of Talos reboot nodes by themselves, one after another.',
  },
}

/** The same where nodes run Talos. */
export function checkCustomAddons({ file }: { readonly file: CommonFile }): CheckFinding[] {
  return customAddonFindings(file, unfitForTalos)
}

/** Charts and manifests of the user's own: their names, what they need of one another, and what cannot be installed. */
export function customAddonFindings(file: CommonFile, unfit: UnfitCharts): CheckFinding[] {
  const { custom } = file.addons
  return custom.flatMap((entry, index) => {
    const path: Path = ['addons', 'custom', index]
    const former = custom.slice(0, index)
    return [
      ...checkName(entry, path, former),
      ...checkNeeds(entry, path, file),
      ...checkNamespace(entry, path, former),
      ...(entry.type === 'helm' ? checkChart(entry, path, unfit) : checkManifests(entry, path)),
    ]
  })
}

function checkName({ name }: Entry, path: Path, former: readonly Entry[]): CheckFinding[] {
  const at = [...path, 'name']
  const twin = former.findIndex((other) => other.name === name)
  if (twin >= 0) {
    const hint = `Give one another name: ${formatPath(['addons', 'custom', twin])} has it too.`
    return [error(at, `two addons are called ${quoteValue(name)}`, hint)]
  }
  if (name.length > longestName) {
    const hint = `Shorten it to ${longestName} characters, which is the most that helm takes.`
    return [error(at, `${quoteValue(name)} is too long for the name of an addon`, hint)]
  }
  if (!isOwn(name) && !isReservedSetName(name)) return []
  const whose = isOwn(name) ? 'an addon that comes with hcloud-talos' : 'objects of hcloud-talos'
  return [error(at, `${quoteValue(name)} is the name of ${whose}`, 'Choose another name.')]
}

function isOwn(name: string): name is AddonName {
  return addonNames.some((own) => own === name)
}

function checkNeeds({ name, needs }: Entry, path: Path, file: CommonFile): CheckFinding[] {
  const { custom } = file.addons
  const enabled = [
    ...addonNames.filter((own) => isEnabled(own, file)),
    ...custom.map((one) => one.name),
  ]
  return needs.flatMap((needed, index) => {
    const at = [...path, 'needs', index]
    if (!enabled.includes(needed)) {
      const isOff = isOwn(needed)
      const near = nearestName(needed, enabled)
      const hint = isOff
        ? 'Enable it, or take it out of needs.'
        : near === undefined
          ? `Name one of ${enabled.join(', ')}.`
          : `Did you mean ${near}?`
      return [
        error(
          at,
          `${formatPath(at)} is ${quoteValue(needed)}, ${isOff ? 'which is not enabled' : 'and there is no such addon'}`,
          hint,
        ),
      ]
    }
    const circle = pathBetween(needed, name, custom)
    if (circle === undefined) return []
    const order = [name, ...circle].join(' needs ')
    return [
      error(
        at,
        `addons need each other, so that none can be first: ${order}`,
        'Take one of them out of needs.',
      ),
    ]
  })
}

function isEnabled(name: AddonName, { cni, addons }: CommonFile): boolean {
  const enabled: Readonly<Record<AddonName, boolean>> = {
    cilium: cni.type === 'cilium',
    'hcloud-ccm': addons.hcloudCcm.enabled,
    'csr-approver': addons.csrApprover.enabled,
    'hcloud-csi': addons.hcloudCsi.enabled,
  }
  return enabled[name]
}

/** The addons from one to another, each of which needs the next; undefined where there is no such way. */
function pathBetween(
  from: string,
  to: string,
  custom: readonly Entry[],
  seen: ReadonlySet<string> = new Set(),
): string[] | undefined {
  if (from === to) return [to]
  if (seen.has(from)) return undefined
  const needs = custom.find(({ name }) => name === from)?.needs ?? []
  for (const next of needs) {
    const rest = pathBetween(next, to, custom, new Set([...seen, from]))
    if (rest !== undefined) return [from, ...rest]
  }
  return undefined
}

/** Namespaces that are Kubernetes's own. They are neither created nor labelled. */
const namespacesOfKubernetes = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

function checkNamespace(
  { namespace, podSecurity }: Entry,
  path: Path,
  former: readonly Entry[],
): CheckFinding[] {
  const at = [...path, 'podSecurity']
  if (podSecurity !== undefined && namespacesOfKubernetes.includes(namespace)) {
    return [
      error(
        at,
        `${formatPath(at)} cannot be set for ${namespace}, which is Kubernetes's own`,
        'Give the addon a namespace of its own, or remove podSecurity.',
      ),
    ]
  }
  const twin = former.findIndex(
    (other) => other.namespace === namespace && other.podSecurity !== podSecurity,
  )
  if (twin < 0) return []
  return [
    {
      ...error(
        podSecurity === undefined ? [...path, 'namespace'] : at,
        `the namespace ${namespace} has another podSecurity in ${formatPath(['addons', 'custom', twin])}`,
        'Write the same in both, or give each addon a namespace of its own.',
      ),
    },
  ]
}

function checkChart(
  { chart }: Extract<Entry, { type: 'helm' }>,
  path: Path,
  unfit: UnfitCharts,
): CheckFinding[] {
  const at = [...path, 'chart']
  const why = Object.hasOwn(unfit, chart) ? unfit[chart] : undefined
  if (why !== undefined) return [error(at, why.message, why.hint)]
  if (chart !== 'ingress-nginx') return []
  return [
    {
      severity: 'warning',
      path: at,
      message: 'ingress-nginx is retired: it has had no fixes since March 2026',
      hint: 'Take a controller of the Gateway API, or Traefik.',
    },
  ]
}

function checkManifests(
  { urls, inline }: Extract<Entry, { type: 'manifest' }>,
  path: Path,
): CheckFinding[] {
  if (urls.length + inline.length === 0) {
    return [error(path, `${formatPath(path)} has no manifest`, 'Add urls or inline.')]
  }
  return inline.flatMap((text, index) => {
    const at = [...path, 'inline', index]
    const problem = manifestProblem(text)
    if (problem === undefined) return []
    return [
      error(
        at,
        `${formatPath(at)} ${problem}`,
        'Write documents with apiVersion, kind and metadata.name, with --- between them.',
      ),
    ]
  })
}

function error(path: Path, message: string, hint: string): CheckFinding {
  return { severity: 'error', path, message, hint }
}
