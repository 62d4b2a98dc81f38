import type { Finding } from '../../lib/finding.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { nodeConfigPath } from '../../store/files/layout.ts'
import { readableDocuments } from '../../store/files/readable-documents.ts'
import { publicConfig } from '../../talos/config/config-digest.ts'
import type { ConfigDocument } from '../../talos/config/config-document.ts'
import { type ClusterSetting, settingsIn } from '../../talos/config/fixed-settings.ts'
import type { ClusterView } from './cluster-view.ts'

interface Fixed {
  readonly setting: Exclude<ClusterSetting, 'endpoint' | 'hostname'>
  readonly path: readonly string[]
  readonly field: string
  /** What would happen, as a sentence without its end. */
  readonly would: string
}

/** What Kubernetes has no way to change while it runs, and what an apply of another value would bring about. */
const allFixed: readonly Fixed[] = [
  {
    setting: 'podRange',
    path: ['network', 'podRange'],
    field: 'network.podRange',
    would:
      'each node keeps the part of the former range that it was given, and every controller manager would end because that is not in the new one',
  },
  {
    setting: 'serviceRange',
    path: ['network', 'serviceRange'],
    field: 'network.serviceRange',
    would:
      'Services keep their addresses, those of DNS and of the Kubernetes API among them, and nothing would lead there any more',
  },
  {
    setting: 'dnsDomain',
    path: ['network', 'dnsDomain'],
    field: 'network.dnsDomain',
    would:
      'pods that run keep the former domain, whose names DNS would no longer know, and tokens and certificates name it',
  },
  {
    setting: 'clusterName',
    path: ['clusterName'],
    field: 'clusterName',
    would: 'everything that the cluster has carries the former name',
  },
  {
    setting: 'talosNetwork',
    path: ['cni', 'type'],
    field: 'the network that Talos brings (cluster.network.cni)',
    would:
      'two networks would share the nodes, or none would serve them, and pods that run would lose their connections',
  },
]

/**
 * Refuses another value of what a cluster is born with. What it has is told by the machine configs that its control
 * planes were given last; where some of them have the new value already, the rest is let through: a run of a version
 * that did not refuse it may have been stopped in between, and the cluster must be able to come to one of the two.
 * Nothing is said where no config can be read: with `state.encrypt: all` and without the key.
 */
export function guardFixedSettings(view: ClusterView): Finding[] {
  const { generation, spec } = view
  if (!generation?.inventory.bootstrapped) return []
  const given = givenConfigs(view)
  const desired = desiredConfig(view)
  if (given.length === 0 || desired === undefined) return []
  const wanted = settingsIn(desired)
  const running = given.map(settingsIn)
  return allFixed.flatMap((fixed): Finding[] => {
    const after = valuesOf(wanted, fixed)
    const befores = running.map((settings) => valuesOf(settings, fixed))
    const [before] = befores
    if (before === undefined || befores.some((each) => isSameOrMore(after, each))) return []
    return [refuse(fixed, before, after, spec)]
  })
}

/** What control planes were given last, as far as anybody can read it. */
export function givenConfigs({
  generation,
  openedConfigs,
}: ClusterView): (readonly ConfigDocument[])[] {
  const known = generation?.inventory.nodes ?? []
  return known.flatMap(({ name, role, configDigest }) => {
    if (role !== 'control-plane' || configDigest === undefined) return []
    const content = generation?.files.get(nodeConfigPath(name))
    const documents = (content && readableDocuments(content)) ?? openedConfigs?.get(name)
    return documents === undefined ? [] : [documents]
  })
}

function desiredConfig(view: ClusterView): readonly ConfigDocument[] | undefined {
  const node = view.nodes.find(({ role }) => role === 'control-plane')
  return node && publicConfig(view.spec, node)
}

function valuesOf(
  settings: ReturnType<typeof settingsIn>,
  { setting }: Fixed,
): readonly string[] | undefined {
  const [found] = settings.get(setting) ?? []
  return found?.values
}

/** A second family of addresses may be added; none is taken away. */
function isSameOrMore(
  after: readonly string[] | undefined,
  before: readonly string[] | undefined,
): boolean {
  return before === undefined || before.every((value, index) => after?.[index] === value)
}

function refuse(
  { path, field, would }: Fixed,
  before: readonly string[],
  after: readonly string[] | undefined,
  { clusterName }: ClusterSpec,
): Finding {
  const [former, latter] = [before.join(', '), after?.join(', ') ?? 'nothing']
  return {
    severity: 'error',
    path,
    message: `${field} of the running cluster ${clusterName} is ${former} and cannot become ${latter}: ${would}`,
    hint: `Keep ${former}; another value takes a new cluster.`,
  }
}
