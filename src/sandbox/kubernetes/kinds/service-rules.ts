import type { JsonObject } from '../../../lib/json.ts'
import { cidrHost, cidrSize, formatCidr, parseCidr } from '../../ip-range.ts'
import type { ApiContext } from '../api/api-context.ts'
import { invalid } from '../model/api-error.ts'
import { type KubeObject, withSpec, withStatus } from '../model/kube-object.ts'
import { objectAt, objectsAt, textAt } from '../model/read-json.ts'
import type { KindRules } from './kind-rules.ts'
import { mapped } from './pod-defaults.ts'
import { frozenProblems } from './workload-rules.ts'

export const serviceRules: KindRules = {
  defaults: (service) => {
    const spec = objectAt(service, 'spec')
    const type = textAt(spec, 'type') || 'ClusterIP'
    const outward = type === 'NodePort' || type === 'LoadBalancer'
    return withSpec(service, {
      type,
      sessionAffinity: 'None',
      ...(type === 'ExternalName' ? {} : { internalTrafficPolicy: 'Cluster' }),
      ...(outward ? { externalTrafficPolicy: 'Cluster' } : {}),
      ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: true } : {}),
      ...spec,
      ...mapped(spec, 'ports', portDefaults),
    })
  },
  onCreate: (context, service) => {
    const spec = objectAt(service, 'spec')
    if (textAt(spec, 'type') === 'ExternalName') return withStatus(service, { loadBalancer: {} })
    const clusterIP = allocate(context, service)
    const ports = withNodePorts(context, spec)
    const addressed = withSpec(service, {
      ...spec,
      clusterIP,
      clusterIPs: [clusterIP],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: textAt(spec, 'ipFamilyPolicy') || 'SingleStack',
      ...ports,
    })
    return withStatus(addressed, { loadBalancer: {} })
  },
  validate: (service, before) =>
    before && textAt(before, 'spec', 'clusterIP') !== ''
      ? frozenProblems(before, service, ['clusterIP'])
      : [],
}

function portDefaults(port: JsonObject): JsonObject {
  return { protocol: 'TCP', targetPort: port['port'] ?? 0, ...port }
}

/** The address asked for, or the first free one from the tenth on; `None` stays. */
function allocate(context: ApiContext, service: KubeObject): string {
  const asked = textAt(service, 'spec', 'clusterIP')
  const services = context.store.list('services')
  const taken = new Set(services.map((other) => textAt(other, 'spec', 'clusterIP')))
  const range = parseCidr(context.serviceCidr)
  if (asked === 'None' || range === undefined) return 'None'
  if (asked !== '') {
    if (!taken.has(asked)) return asked
    const message = `Invalid value: ${JSON.stringify([asked])}: failed to allocate IP ${asked}: provided IP is already allocated`
    throw invalid(context.resources.builtin('services'), service.metadata.name, [
      { field: 'spec.clusterIPs', reason: 'FieldValueInvalid', message },
    ])
  }
  for (let index = 11; index < cidrSize(range) - 1; index++) {
    const address = cidrHost(range, index)
    if (!taken.has(address)) return address
  }
  throw new Error(`no address is left in ${formatCidr(range)}`)
}

function withNodePorts(context: ApiContext, spec: JsonObject): JsonObject {
  if (!['NodePort', 'LoadBalancer'].includes(textAt(spec, 'type'))) return {}
  const taken = new Set(
    context.store
      .list('services')
      .flatMap((service) => objectsAt(service, 'spec', 'ports').map((port) => port['nodePort'])),
  )
  let next = 30_000
  const free = () => {
    while (taken.has(next)) next++
    taken.add(next)
    return next
  }
  return mapped(spec, 'ports', (port) => ({ ...port, nodePort: port['nodePort'] ?? free() }))
}
