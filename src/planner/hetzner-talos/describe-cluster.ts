import { urlHost } from '../../lib/url-host.ts'
import { knownEndpointHost } from '../../plan/cluster-endpoint.ts'
import type { ClusterRecord } from '../../plan/record.ts'
import { type NodeStatus, withV } from '../cluster-status.ts'
import type { ClusterView } from './cluster-view.ts'

/**
 * The name that people gave the API, else the public side of its load balancer, else a control plane's address from
 * outside, else what nodes use.
 */
export function describeEndpoint({ spec, hetzner }: ClusterView): string | undefined {
  const { endpoint } = spec
  const publicIps = hetzner.records.flatMap(({ kind, spec: { role }, facts }) =>
    kind === 'load-balancer' || (kind === 'server' && role === 'control-plane')
      ? [{ kind, address: textOf(facts?.['publicIp']) }]
      : [],
  )
  const addressOf = (wanted: string) =>
    publicIps.find(({ kind, address }) => kind === wanted && address !== null)?.address
  const host =
    endpoint.type === 'dns'
      ? endpoint.name
      : (addressOf('load-balancer') ?? addressOf('server') ?? knownEndpointHost(spec))
  return host === undefined ? undefined : `https://${urlHost(host)}:6443`
}

export function describeNodes(view: ClusterView): NodeStatus[] {
  const { nodes, generation, hetzner, running } = view
  const known = new Map(generation?.inventory.nodes.map((node) => [node.name, node]))
  const servers = new Map(
    hetzner.records.flatMap((record) => (record.kind === 'server' ? [[record.name, record]] : [])),
  )
  const asked = new Set(nodes.map(({ name }) => name))
  const former = [...known.values()].filter(({ name }) => !asked.has(name))
  return [...nodes, ...former].map(({ name, role, pool, privateIp }) => {
    const server = servers.get(name)
    const node = known.get(name)
    const seen = running?.versions?.get(name)
    const talos = (seen?.isCurrent ? seen.talos : undefined) ?? node?.talosVersion
    const kubelet = (seen?.isCurrent ? seen.kubelet : undefined) ?? node?.kubernetesVersion
    return {
      name,
      role,
      pool,
      address: textOf(server?.facts?.['publicIp']) ?? textOf(server?.facts?.['publicIpv6']),
      internalAddress: privateIp,
      machine: describeServer(server),
      system: talos === undefined ? null : `Talos ${withV(talos)}`,
      kubernetes: kubelet === undefined ? null : withV(kubelet),
      ready: seen?.isReady ?? (running?.unregistered?.has(name) ? false : null),
      because: whyNot(view, name),
      cordonedBy: running?.cordoned?.get(name) ?? null,
      certificatesEnd: null,
    }
  })
}

function describeServer(server: ClusterRecord | undefined): NodeStatus['machine'] {
  const { id } = server?.facts ?? {}
  const state =
    server === undefined ? 'missing' : server.spec['power'] === 'off' ? 'off' : 'running'
  return {
    kind: 'server',
    state,
    id: typeof id === 'number' ? String(id) : null,
    type: textOf(server?.spec['serverType']),
    place: textOf(server?.spec['location']),
  }
}

function whyNot({ nodes, running }: ClusterView, name: string): string | null {
  if (!nodes.some((node) => node.name === name)) return 'the file does not ask for it any more'
  if (running?.maintenance?.has(name)) return 'it stands in maintenance mode, without its config'
  if (running?.unregistered?.has(name)) return 'it runs, and Kubernetes does not know it'
  const unread = running?.unread.get(name)
  return running?.versions?.get(name)?.notReadyBecause ?? unread ?? null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
