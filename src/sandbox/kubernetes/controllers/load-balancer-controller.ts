import { type KubeObject, objectKey, withMeta } from '../model/kube-object.ts'
import { numberAt, objectsAt, textAt } from '../model/read-json.ts'
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
      const running = readyPodsOf(context, program).length > 0
      if (service && running && !busy.has(key)) act(context, busy, service)
      return undefined
    },
  }
}

function wantsBalancer(service: KubeObject): boolean {
  return textAt(service, 'spec', 'type') === 'LoadBalancer'
}

function act(context: ClusterContext, busy: Set<string>, service: KubeObject): void {
  const { finalizers = [], deletionTimestamp } = service.metadata
  const isHeld = finalizers.includes(finalizer)
  const wanted = wantsBalancer(service) && deletionTimestamp === undefined
  const hasAddress = objectsAt(service, 'status', 'loadBalancer', 'ingress').length > 0
  const key = objectKey(service)
  const doing = wanted && !hasAddress ? provide : !wanted && isHeld ? release : undefined
  if (!doing) return
  busy.add(key)
  context.world.background(async () => {
    await doing(context, service).finally(() => busy.delete(key))
  })
}

async function provide(context: ClusterContext, service: KubeObject): Promise<void> {
  const key = objectKey(service)
  change(context, 'services', key, (live) =>
    withMeta(live, { finalizers: [...new Set([...(live.metadata.finalizers ?? []), finalizer])] }),
  )
  const { uid = '', name, namespace = '', annotations = {} } = service.metadata
  const ports = objectsAt(service, 'spec', 'ports').map((port) => ({
    port: numberAt(port, 'port') ?? 0,
    nodePort: numberAt(port, 'nodePort') ?? 0,
  }))
  const make = context.cloud?.createLoadBalancer
  if (!make) return
  const { ipv4 } = await make({ uid, name, namespace, annotations, ports })
  putStatus(context, 'services', service, {
    loadBalancer: { ingress: [{ ip: ipv4, ipMode: 'VIP' }] },
  })
  recordEvent(context.api, service, {
    type: 'Normal',
    reason: 'EnsuredLoadBalancer',
    message: 'Ensured load balancer',
    source: 'service-controller',
  })
}

async function release(context: ClusterContext, service: KubeObject): Promise<void> {
  await context.cloud?.deleteLoadBalancer?.(service.metadata.uid ?? '')
  removeFinalizer(context, 'services', objectKey(service), finalizer)
}
