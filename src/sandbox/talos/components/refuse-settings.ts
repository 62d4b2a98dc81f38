import { cidrHasAddress, parseCidr } from '../../ip-range.ts'
import { atLeast, type TalosVersion } from '../talos-version.ts'
import { componentFlags } from './component-flags.ts'
import type { ComponentName, ComponentSettings } from './component-settings.ts'
import { etcdFlags } from './etcd-flags.ts'
import { valueRefusal } from './refuse-value.ts'
import { removedGates } from './removed-gates.ts'

/** Arguments that Talos gives by itself and lets nobody set: it renders no pod then (facts: MergeDenied). */
const denied: Readonly<Record<string, readonly string[]>> = {
  'kube-apiserver': ['etcd-servers', 'client-ca-file', 'tls-cert-file', 'tls-private-key-file'],
  'kube-controller-manager': ['cluster-signing-cert-file', 'root-ca-file'],
  'kube-scheduler': ['kubeconfig'],
}

export function isDeniedByTalos(
  component: ComponentName,
  { args }: ComponentSettings,
  version: TalosVersion,
): boolean {
  // Its API servers speak TLS 1.3 alone since 1.14.
  const newer = component === 'kube-apiserver' && atLeast(version, 14) ? ['tls-min-version'] : []
  return [...(denied[component] ?? []), ...newer].some((name) => Object.hasOwn(args, name))
}

/**
 * Why a component ends at its start with these settings, as its log says it; undefined where it runs.
 * `nodeCidrs` are the ranges of pods that nodes have: no controller manager lives beside one outside its own.
 */
export function refusalOf(
  component: ComponentName,
  settings: ComponentSettings,
  nodeCidrs: readonly string[] = [],
): string | undefined {
  const { args, version } = settings
  const unknown = unknownFlag(component, Object.keys(args))
  if (unknown !== undefined) {
    return component === 'etcd'
      ? `flag provided but not defined: -${unknown}\n${etcdUsage}`
      : `E1128 run.go:72] "command failed" err="unknown flag: --${unknown}"`
  }
  const wrong = component === 'etcd' ? undefined : valueRefusal(args)
  const number = component === 'etcd' ? etcdNumberRefusal(args) : undefined
  if (number !== undefined) {
    return `${number}\n${etcdUsage}`
  }
  if (wrong !== undefined) return `E1128 run.go:72] "command failed" err="${wrong}"`
  const gate = unknownGate(args['feature-gates'] ?? [], version)
  if (gate !== undefined) {
    return `E1128 run.go:72] "command failed" err="invalid argument for \\"--feature-gates\\" flag: unrecognized feature gate: ${gate}"`
  }
  if (component === 'kube-apiserver') {
    const { exemptNamespaces: names } = settings
    const index = names.findIndex((name, at) => names.indexOf(name) < at)
    if (index >= 0) {
      return `E1128 run.go:72] "command failed" err="failed to initialize admission: couldn't init admission plugin \\"PodSecurity\\": exemptions.namespaces[${index}]: Duplicate value: \\"${names[index]}\\""`
    }
  }
  if (component === 'kube-controller-manager') {
    const outside = nodeCidrs.find((cidr) => !isInside(cidr, settings.podSubnets))
    if (outside !== undefined) {
      return `E1128 controllermanager.go:250] "Error starting controllers" err="failed to start controller node-ipam-controller: cidr ${outside} is out the range of cluster cidr ${settings.podSubnets.join(',')}"`
    }
  }
  return undefined
}

/** Go's package of flags writes it below what is wrong, as etcd has it. */
const etcdUsage = `Usage:

  etcd [flags]
    Start an etcd server.

  etcd --version
    Show the version of etcd.

  etcd -h | --help
    Show the help information about etcd.

  etcd --config-file
    Path to the server configuration file. Note that if a configuration file is provided, other command line flags and environment variables will be ignored.

  etcd gateway
    Run the stateless pass-through etcd TCP connection forwarding proxy.

  etcd grpc-proxy
    Run the stateless etcd v3 gRPC L7 reverse proxy.
`

const etcdNumbers = [
  'election-timeout',
  'heartbeat-interval',
  'max-request-bytes',
  'max-snapshots',
  'max-txn-ops',
  'max-wals',
  'quota-backend-bytes',
  'snapshot-count',
]

/** As Go's own package of flags says it, which etcd uses. */
function etcdNumberRefusal(args: ComponentSettings['args']): string | undefined {
  for (const name of etcdNumbers) {
    const wrong = args[name]?.find((value) => !/^\d+$/.test(value))
    if (wrong !== undefined) {
      return `invalid value "${wrong}" for flag -${name}: parse error`
    }
  }
  return undefined
}

function unknownFlag(component: ComponentName, names: readonly string[]): string | undefined {
  const known = component === 'etcd' ? etcdFlags : componentFlags[component]
  return names.find((name) => known !== undefined && !known.has(name))
}

/** A gate that this minor gave up. */
function unknownGate(values: readonly string[], version: string): string | undefined {
  const minor = Number(/^v?1\.(\d+)/.exec(version)?.[1] ?? 0)
  const gone = Object.entries(removedGates).flatMap(([since, gates]) =>
    Number(since) <= minor ? gates : [],
  )
  const set = values.flatMap((value) => value.split(',')).map((text) => text.split('=')[0] ?? '')
  return set.find((gate) => gone.includes(gate))
}

function isInside(cidr: string, ranges: readonly string[]): boolean {
  const [address = '', ownBits = '0'] = cidr.split('/')
  return ranges.some((text) => {
    const range = parseCidr(text)
    const bits = Number(text.split('/')[1] ?? 0)
    return range !== undefined && cidrHasAddress(range, address) && Number(ownBits) >= bits
  })
}
