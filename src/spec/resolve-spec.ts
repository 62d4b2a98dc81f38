import type { ClusterSpec, Endpoint, FirewallRule, NodePool } from './cluster-spec.ts'
import { resolveNetwork } from './derive-ranges.ts'
import { type PoolInFile, poolsInFile } from './pools-in-file.ts'
import type { ClusterFile } from './schema/schema.ts'
import { workloadKinds } from './schema/schema-upgrade.ts'
import { networkZoneOf } from './tables/locations.ts'
import { findServerType, type ServerTypeCatalogue } from './tables/server-types.ts'
import type { Path } from './yaml/yaml-source.ts'

/**
 * The spec that a file means: what it leaves out is derived from what it says. Total: it answers for
 * files that the checks refuse too, so that the checks can judge what would come of them.
 */
export function resolveSpec(
  file: ClusterFile,
  catalogue: ServerTypeCatalogue,
  textAt: TextAt,
): ClusterSpec {
  const { hetzner, talos } = file
  const [controlPlane, ...workers] = poolsInFile(file).map((pool) =>
    resolvePool(pool, file, catalogue, textAt),
  )
  const patchTexts = (field: 'patches' | 'controlPlanePatches' | 'workerPatches') =>
    talos[field].map((patch, index) => patchText(patch, ['talos', field, index], textAt))
  if (controlPlane === undefined) throw new Error('a file has a control plane')
  return {
    clusterName: file.clusterName,
    hetzner: {
      ...hetzner,
      networkZone: hetzner.networkZone ?? networkZoneOf(hetzner.region) ?? '',
    },
    network: resolveNetwork(file.network),
    firewall: { ...file.firewall, extraRules: file.firewall.extraRules.map(resolveRule) },
    loadBalancer: {
      type: file.loadBalancer.type,
      location: file.loadBalancer.location ?? hetzner.region,
      privateOnly: file.loadBalancer.privateOnly ?? !admitsEverybody(file.firewall.kubernetesApi),
    },
    endpoint: resolveEndpoint(file.endpoint),
    controlPlane,
    workers,
    talos: {
      ...talos,
      patches: patchTexts('patches'),
      controlPlanePatches: patchTexts('controlPlanePatches'),
      workerPatches: patchTexts('workerPatches'),
    },
    kubernetes: file.kubernetes,
    cni: file.cni,
    addons: file.addons,
    state: resolveState(file.state),
    upgrade: resolveUpgrade(file.upgrade),
    policy: file.policy,
  }
}

export function resolveState({
  branch,
  recipients,
  signer = [],
  encrypt,
  alongside,
  repository,
}: ClusterFile['state']): ClusterSpec['state'] {
  const signers = typeof signer === 'string' ? [signer] : signer
  return {
    branch,
    recipients,
    signers,
    encrypt,
    alongside,
    ...(repository !== undefined && { repository }),
  }
}

export function resolveUpgrade({
  gateMinutes,
  maxUnavailable,
  workloads,
  conditions,
}: ClusterFile['upgrade']): ClusterSpec['upgrade'] {
  const gates = workloads.map((text) => {
    const [kind = '', namespace = '', name = ''] = text.split('/')
    return { apiVersion: 'apps/v1', kind: workloadKinds[kind] ?? kind, namespace, name }
  })
  return { gates: [...gates, ...conditions], gateMinutes, maxUnavailable }
}

/** Whether these ranges hold every IPv4 or every IPv6 address. */
export function admitsEverybody(ranges: readonly string[]): boolean {
  return ranges.some((range) => range.endsWith('/0'))
}

function resolvePool(
  { pool, role, name, path }: PoolInFile,
  file: ClusterFile,
  catalogue: ServerTypeCatalogue,
  textAt: TextAt,
): NodePool {
  const group = role === 'control-plane' ? 'controlPlane' : 'workers'
  const autoscaling = 'autoscaling' in pool ? pool.autoscaling : undefined
  return {
    name,
    role,
    count: pool.count,
    type: pool.type,
    arch: pool.arch ?? findServerType(pool.type, catalogue)?.architecture ?? 'amd64',
    locations: pool.locations ?? [file.hetzner.region],
    labels: pool.labels,
    annotations: pool.annotations,
    taints: pool.taints,
    patches: pool.patches.map((patch, index) =>
      patchText(patch, [...path, 'patches', index], textAt),
    ),
    publicIpv4: file.network.publicIpv4[group],
    publicIpv6: file.network.publicIpv6[group],
    ...(autoscaling && { autoscaling }),
  }
}

function resolveRule(rule: ClusterFile['firewall']['extraRules'][number]): FirewallRule {
  const { description, direction, protocol, port, sources, destinations } = rule
  return {
    ...(description !== undefined && { description }),
    direction,
    protocol,
    ...(port !== undefined && { port: String(port) }),
    sources: sources ?? [],
    destinations: destinations ?? [],
  }
}

function resolveEndpoint(endpoint: ClusterFile['endpoint']): Endpoint {
  return endpoint
}

/** A part of the file as a text of its own, spelled as the file spells it. */
export type TextAt = (path: Path) => string

/** What is written in place becomes a text, in which every value stands as the user has spelled it. */
export function patchText(patch: string | object, path: Path, textAt: TextAt): string {
  return typeof patch === 'string' ? patch : textAt(path)
}
