import type { BalancerOrder } from '../cloud-hooks.ts'
import { type KubeObject, objectKey, withMeta } from '../model/kube-object.ts'
import { numberAt, objectsAt, textAt } from '../model/read-json.ts'
import { variableOf } from './cloud-settings.ts'
import { type ClusterContext, change, putStatus, removeFinalizer } from './cluster-context.ts'
import type { Controller } from './controller.ts'
import { recordEvent } from './record-event.ts'
import { isOf, readyPodsOf } from './running-workload.ts'

const program = 'hcloud-cloud-controller-manager'
const finalizer = 'service.kubernetes.io/load-balancer-cleanup'

/** The manager's other half: Services of type LoadBalancer get a real one at Hetzner. */
export function loadBalancerController(context: ClusterContext): Controller {
  const { store } = context.api
  const services = () => store.list('services').filter(wantsBalancer).map(objectKey)
  const busy = new Set<string>()
  return {
    name: 'service-load-balancer',
    concerns: ({ resource, object, type }) => {
      if (resource === 'services') return type === 'DELETED' ? [] : [objectKey(object)]
      return resource === 'pods' && isOf(object, program) ? services() : []
    },
    reconcile: (key) => {
      const service = store.get('services', key)
      const concerned = service && (wantsBalancer(service) || isHeld(service)) && !busy.has(key)
      if (concerned && readyPodsOf(context, program).length > 0) act(context, busy, service)
      return undefined
    },
  }
}

function wantsBalancer(service: KubeObject): boolean {
  return textAt(service, 'spec', 'type') === 'LoadBalancer'
}

function isHeld({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(finalizer) === true
}

function act(context: ClusterContext, busy: Set<string>, service: KubeObject): void {
  const wanted = wantsBalancer(service) && service.metadata.deletionTimestamp === undefined
  const hasAddress = objectsAt(service, 'status', 'loadBalancer', 'ingress').length > 0
  const key = objectKey(service)
  const doing = wanted && !hasAddress ? provide : !wanted && isHeld(service) ? release : undefined
  if (!doing) return
  busy.add(key)
  context.world.background(async () => {
    await doing(context, service).finally(() => busy.delete(key))
  })
}

async function provide(context: ClusterContext, service: KubeObject): Promise<void> {
  const key = objectKey(service)
  const order = orderOf(context, service)
  if (order === undefined) {
    const message =
      'Error syncing load balancer: failed to ensure load balancer: neither load-balancer.hetzner.cloud/location nor load-balancer.hetzner.cloud/network-zone set'
    recordPodEvent(context, service, 'Warning', 'SyncLoadBalancerFailed', message)
    return
  }
  change(context, 'services', key, (live) =>
    withMeta(live, { finalizers: [...new Set([...(live.metadata.finalizers ?? []), finalizer])] }),
  )
  const { ipv4 } = await context.cloud.createLoadBalancer(order)
  putStatus(context, 'services', service, {
    loadBalancer: { ingress: [{ ip: ipv4, ipMode: 'VIP' }] },
  })
  recordPodEvent(context, service, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer')
}

/** What the Service's annotations and the manager's variables ask for; undefined without a location. */
function orderOf(context: ClusterContext, service: KubeObject): BalancerOrder | undefined {
  const [manager] = readyPodsOf(context, program)
  const { uid = '', annotations = {} } = service.metadata
  const asked = (name: string) => annotations[`load-balancer.hetzner.cloud/${name}`]
  const setting = (name: string) => variableOf(context, manager, `HCLOUD_LOAD_BALANCERS_${name}`)
  const location = asked('location') || setting('LOCATION')
  if (location === '') return undefined
  const network = variableOf(context, manager, 'HCLOUD_NETWORK')
  const ports = objectsAt(service, 'spec', 'ports').map((port) => ({
    port: numberAt(port, 'port') ?? 0,
    nodePort: numberAt(port, 'nodePort') ?? 0,
  }))
  return {
    serviceUid: uid,
    name: asked('name') || `a${uid.replaceAll('-', '')}`.slice(0, 32),
    location,
    network: network === '' ? undefined : network,
    ports,
    serverIds: targets(context),
  }
}

/** The servers of all nodes that are not kept out of load balancers. */
function targets({ api }: ClusterContext): number[] {
  const excluded = 'node.kubernetes.io/exclude-from-external-load-balancers'
  return api.store
    .list('nodes')
    .filter((node) => node.metadata.labels?.[excluded] === undefined)
    .map((node) => textAt(node, 'spec', 'providerID'))
    .filter((id) => id.startsWith('hcloud://'))
    .map((id) => Number(id.slice('hcloud://'.length)))
}

async function release(context: ClusterContext, service: KubeObject): Promise<void> {
  context.cloud.deleteLoadBalancer(service.metadata.uid ?? '')
  removeFinalizer(context, 'services', objectKey(service), finalizer)
}

function recordPodEvent(
  context: ClusterContext,
  service: KubeObject,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  recordEvent(context.api, service, { type, reason, message, source: 'service-controller' })
}
