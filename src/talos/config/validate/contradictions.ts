import { jsonEquals } from '../../../lib/canonical-json.ts'
import type { ClusterSpec } from '../../../spec/cluster-spec.ts'
import type { ConfigDocument } from '../config-document.ts'
import { type ClusterSetting, clusterSettings, settingsIn } from '../fixed-settings.ts'
import type { ConfigPlace, ConfigProblem } from './config-problem.ts'

/** The field of the cluster file that says each, and what goes by the file. */
const fields: Readonly<Record<ClusterSetting, { readonly field: string; readonly by: string }>> = {
  podRange: { field: 'network.podRange', by: 'routes at Hetzner and addons go' },
  serviceRange: { field: 'network.serviceRange', by: 'the checks of ranges go' },
  dnsDomain: { field: 'network.dnsDomain', by: 'all nodes go' },
  clusterName: { field: 'clusterName', by: 'kubeconfigs and the state go' },
  endpoint: { field: 'endpoint', by: 'certificates, kubeconfigs and the load balancer go' },
  talosNetwork: { field: 'cni.type', by: 'Cilium is installed' },
  hostname: { field: 'the name of the node', by: 'plans, drains and addons go' },
}

/**
 * Where patches have brought a config to say something else than the cluster file, `base` being the config before
 * any patch: one of the two would be wrong about the cluster. Another family of addresses beside the file's range is
 * no contradiction, nor is a network of Talos's own where the file leaves the network to its user.
 */
export function contradictionProblems(
  config: readonly ConfigDocument[],
  base: readonly ConfigDocument[],
  spec: Pick<ClusterSpec, 'cni'>,
): ConfigProblem[] {
  const [written, meant] = [settingsIn(config), settingsIn(base)]
  return clusterSettings.flatMap((setting) => {
    if (setting === 'talosNetwork' && spec.cni.type === 'none') return []
    const [wanted] = meant.get(setting) ?? []
    if (wanted === undefined) return []
    const found = written.get(setting) ?? []
    const others = found.filter((each) => !agrees(each.values, wanted.values))
    const places = found.length === 0 ? [wanted.place] : others.map(({ place }) => place)
    return places.map((place) => problemOf(setting, place, found.length === 0))
  })
}

function agrees(values: readonly string[], wanted: readonly string[]): boolean {
  const plain = (all: readonly string[]) => all.map((each) => each.trim().replace(/\/+$/, ''))
  const ours = plain(values).filter((value) => !isIpv6Range(value))
  return jsonEquals(ours, plain(wanted))
}

function isIpv6Range(value: string): boolean {
  return value.includes(':') && /^[0-9a-f:.]+\/\d+$/i.test(value)
}

function problemOf(setting: ClusterSetting, place: ConfigPlace, isGone: boolean): ConfigProblem {
  const { field, by } = fields[setting]
  const { kind, path } = place
  const subject = `${kind === '' ? '' : `${kind}: `}${path.join('.')}`
  const owner = setting === 'hostname' ? field : `${field} of the cluster file`
  return {
    severity: 'error',
    places: [place],
    message: `${subject} is ${isGone ? 'taken away, and is' : 'not'} ${owner}, by which ${by}`,
    hint:
      setting === 'hostname'
        ? 'Remove it: nodes are named after the cluster, their pool and their slot.'
        : `Remove it, and set ${field} in the cluster file.`,
  }
}
