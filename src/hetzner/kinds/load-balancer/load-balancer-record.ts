import { z } from 'zod'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import { loadBalancerPrivateIp } from '../../../plan/cluster-endpoint.ts'
import type { DiffRules } from '../../../plan/diff-records.ts'
import type { ClusterRecord } from '../../../plan/record.ts'
import type { ClusterSpec } from '../../../spec/cluster-spec.ts'
import type {
  ApiLoadBalancer,
  ApiLoadBalancerService,
  ApiLoadBalancerTarget,
} from '../../api/load-balancers.ts'
import { type HetznerCatalogue, loadBalancerPrice } from '../../catalogue.ts'
import type { OwnResource } from '../../own-resources.ts'
import {
  type ClusterIdentity,
  controlPlaneSelector,
  ownLabels,
  resourceLabels,
} from '../../ownership.ts'
import {
  type NetworkNames,
  networkNeeds,
  ownFacts,
  priced,
  protectionFact,
} from '../record-parts.ts'
import { hiddenName, shownName } from './load-balancer-name.ts'

const serviceSchema = z.object({
  protocol: z.string(),
  destinationPort: z.number(),
  proxyProtocol: z.boolean(),
  healthCheck: z.object({
    protocol: z.string(),
    port: z.number(),
    /** Seconds, as are all of Hetzner's. */
    interval: z.number(),
    timeout: z.number(),
    retries: z.number(),
    path: z.string().nullable(),
    statusCodes: z.array(z.string()),
    tls: z.boolean(),
  }),
})
export type ServiceSpec = z.infer<typeof serviceSchema>

const targetSchema = z.union([
  z.object({ selector: z.string(), usePrivateIp: z.boolean() }),
  z.object({ server: z.number() }),
  z.object({ ip: z.string() }),
])
export type TargetSpec = z.infer<typeof targetSchema>

export const loadBalancerSpecSchema = z.object({
  name: z.string(),
  type: z.string(),
  location: z.string(),
  network: z.string().nullable(),
  privateIp: z.string().nullable(),
  publicInterface: z.boolean(),
  algorithm: z.string(),
  /** By listen port. */
  services: z.record(z.string(), serviceSchema),
  targets: z.array(targetSchema),
  labels: z.record(z.string(), z.string()),
})
export type LoadBalancerSpec = z.infer<typeof loadBalancerSpecSchema>

/** The one in front of the Kubernetes API, where the spec's endpoint is a load balancer. */
export function desireLoadBalancer(
  spec: ClusterSpec,
  identity: ClusterIdentity,
  catalogue: HetznerCatalogue,
): ClusterRecord[] {
  if (spec.endpoint.type !== 'loadBalancer') return []
  const { type, location, privateOnly } = spec.loadBalancer
  const loadBalancer: LoadBalancerSpec = {
    name: hiddenName(spec.clusterName),
    type,
    location,
    network: spec.hetzner.network ?? spec.clusterName,
    privateIp: loadBalancerPrivateIp(spec),
    publicInterface: !privateOnly,
    algorithm: 'round_robin',
    services: { 6443: kubernetesApiService },
    targets: [{ selector: controlPlaneSelector(identity), usePrivateIp: true }],
    labels: resourceLabels(identity, 'load-balancer'),
  }
  return [
    {
      kind: 'load-balancer',
      name: spec.clusterName,
      spec: loadBalancer,
      needs: spec.hetzner.network === undefined ? [`network/${spec.clusterName}`] : [],
      ...priced(loadBalancerPrice(catalogue, type, location)),
    },
  ]
}

/** An API server that is well asks strangers who they are: 401. */
const kubernetesApiService: ServiceSpec = {
  protocol: 'tcp',
  destinationPort: 6443,
  proxyProtocol: false,
  healthCheck: {
    protocol: 'http',
    port: 6443,
    interval: 3,
    timeout: 2,
    retries: 2,
    path: '/version',
    statusCodes: ['401'],
    tls: true,
  },
}

export function liveLoadBalancer(
  own: OwnResource<ApiLoadBalancer>,
  networks: NetworkNames,
  catalogue: HetznerCatalogue,
): ClusterRecord {
  const loadBalancer = own.item
  const type = loadBalancer.load_balancer_type.name
  const location = loadBalancer.location.name
  const attached = networks.attachment(loadBalancer.private_net)
  const spec: LoadBalancerSpec = {
    name: shownName(own),
    type,
    location,
    network: attached?.name ?? null,
    privateIp: attached?.ip ?? null,
    publicInterface: loadBalancer.public_net.enabled,
    algorithm: loadBalancer.algorithm.type,
    services: Object.fromEntries(
      loadBalancer.services.map((service) => [String(service.listen_port), liveService(service)]),
    ),
    targets: loadBalancer.targets
      .map(liveTarget)
      .sort((a, b) => canonicalJson(a).localeCompare(canonicalJson(b), 'en')),
    labels: ownLabels(loadBalancer.labels),
  }
  return {
    kind: 'load-balancer',
    name: own.name,
    spec,
    needs: networkNeeds(attached),
    ...priced(loadBalancerPrice(catalogue, type, location)),
    facts: {
      ...ownFacts(own),
      ...protectionFact(loadBalancer),
      privateIp: attached?.ip ?? null,
      publicIp: loadBalancer.public_net.enabled ? (loadBalancer.public_net.ipv4?.ip ?? null) : null,
    },
  }
}

export function liveService(service: ApiLoadBalancerService): ServiceSpec {
  const { health_check: check } = service
  return {
    protocol: service.protocol,
    destinationPort: service.destination_port,
    proxyProtocol: service.proxyprotocol ?? false,
    healthCheck: {
      protocol: check.protocol,
      port: check.port,
      interval: check.interval,
      timeout: check.timeout,
      retries: check.retries,
      path: check.http?.path ?? null,
      statusCodes: [...(check.http?.status_codes ?? [])].sort(),
      tls: check.http?.tls ?? false,
    },
  }
}

export function liveTarget(target: ApiLoadBalancerTarget): TargetSpec {
  if (target.label_selector) {
    const { selector } = target.label_selector
    return { selector, usePrivateIp: target.use_private_ip ?? false }
  }
  return target.server ? { server: target.server.id } : { ip: target.ip?.ip ?? '' }
}

/** Whether its making was cut short: there, but without a part that every one gets. */
export function isUnfinishedLoadBalancer({ spec }: ClusterRecord): boolean {
  const { privateIp, services, targets } = loadBalancerSpecSchema.parse(spec)
  return privateIp === null || Object.keys(services).length === 0 || targets.length === 0
}

export const loadBalancerRules: DiffRules = {
  create: () => ({ risk: 'additive', reason: 'the Kubernetes API needs an address that stays' }),
  delete: () => ({ risk: 'quorum', reason: 'the endpoint is no longer a load balancer' }),
  update: ({ spec }, _after, fields) => {
    // One that is in no network, because that was deleted, only has to be put into another.
    const fixed = spec['privateIp'] === null ? ['location'] : ['location', 'network', 'privateIp']
    return fields.some(({ path, byHand }) => fixed.includes(path) && !byHand)
      ? {
          action: 'replace',
          risk: 'replace',
          reason: 'its location and address inside cannot be changed in place',
        }
      : { action: 'update', risk: 'live', reason: 'changed in place' }
  },
}
