import { jsonEquals } from '../../../lib/canonical-json.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { waitFor } from '../../../lib/wait-for.ts'
import type { ApiAction } from '../../api/actions.ts'
import type { ApiLoadBalancer, LoadBalancerServiceBody } from '../../api/load-balancers.ts'
import { type HetznerApplyContext, type ReportStep, requireId } from '../../apply/apply-context.ts'
import { restoreMarks } from '../../apply/restore-marks.ts'
import { type Tolerance, tolerances, tolerate } from '../../apply/tolerate.ts'
import { isHiddenName, newHiddenName } from './load-balancer-name.ts'
import {
  type LoadBalancerSpec,
  liveService,
  liveTarget,
  type ServiceSpec,
} from './load-balancer-record.ts'

/**
 * Brings a load balancer to what is desired, step by step, each only where it is still needed:
 * attached before its public side goes and before it gets targets inside, since Hetzner wants it so.
 */
export async function convergeLoadBalancer(
  loadBalancer: ApiLoadBalancer,
  { name, desired }: { readonly name: string; readonly desired: LoadBalancerSpec },
  context: HetznerApplyContext,
  report: ReportStep,
): Promise<JsonObject> {
  const { loadBalancers, random } = context.client
  const { id } = loadBalancer
  const act = actOn(name, context)
  const isHidden = isHiddenName(loadBalancer.name, name)
  const marks = {
    name: isHidden ? loadBalancer.name : newHiddenName(name, random),
    labels: desired.labels,
  }
  await restoreMarks(
    { kind: 'load-balancer', current: loadBalancer, desired: marks, api: loadBalancers },
    context,
  )
  const attached = await attach(loadBalancer, { name, desired }, context, report)
  if (loadBalancer.load_balancer_type.name !== desired.type) {
    await act(tolerances.changeLoadBalancer, () => loadBalancers.changeType(id, desired.type))
  }
  if (loadBalancer.algorithm.type !== desired.algorithm) {
    await act(tolerances.changeLoadBalancer, () =>
      loadBalancers.changeAlgorithm(id, desired.algorithm),
    )
  }
  if (loadBalancer.public_net.enabled !== desired.publicInterface) {
    report(desired.publicInterface ? 'opening its public side' : 'closing its public side')
    await act(tolerances.changeLoadBalancer, () =>
      desired.publicInterface
        ? loadBalancers.enablePublicInterface(id)
        : loadBalancers.disablePublicInterface(id),
    )
  }
  await convergeTargets(attached, desired, context, act)
  await convergeServices(attached, desired, context, act)
  return {
    id,
    privateIp: desired.privateIp,
    publicIp: desired.publicInterface ? (loadBalancer.public_net.ipv4?.ip ?? null) : null,
  }
}

type Act = (tolerance: Tolerance, start: () => Promise<ApiAction>) => Promise<void>

function actOn(name: string, { client }: HetznerApplyContext): Act {
  return async (tolerance, start) => {
    await tolerate(client, tolerance, async () => {
      await client.waitForActions([await start()], {
        operation: 'change load balancer',
        target: name,
      })
    })
  }
}

/** Its action may end before the address shows; targets inside are refused until it does. */
async function attach(
  loadBalancer: ApiLoadBalancer,
  { name, desired }: { readonly name: string; readonly desired: LoadBalancerSpec },
  context: HetznerApplyContext,
  report: ReportStep,
): Promise<ApiLoadBalancer> {
  const { network, privateIp } = desired
  if (network === null || privateIp === null) return loadBalancer
  const networkId = requireId(context, `network/${network}`)
  const isAttached = ({ private_net }: ApiLoadBalancer) =>
    private_net.some((entry) => entry.network === networkId)
  if (isAttached(loadBalancer)) return loadBalancer
  const { client } = context
  report(`attaching as ${privateIp}`)
  await actOn(name, context)(tolerances.attachLoadBalancer, () =>
    client.loadBalancers.attachToNetwork(loadBalancer.id, networkId, privateIp),
  )
  return waitFor(
    `load balancer ${name} to be in network ${network}`,
    async () => {
      const current = await client.loadBalancers.get(loadBalancer.id)
      return isAttached(current) ? { done: current } : { pending: 'it has no address inside yet' }
    },
    { clock: client.clock, signal: client.signal, everyMs: 1_000, withinMs: 120_000 },
  )
}

async function convergeTargets(
  { id, targets }: ApiLoadBalancer,
  desired: LoadBalancerSpec,
  { client }: HetznerApplyContext,
  act: Act,
): Promise<void> {
  const has = (list: readonly (typeof desired.targets)[number][], one: (typeof list)[number]) =>
    list.some((other) => jsonEquals(other, one))
  const live = targets.map(liveTarget)
  const remove = async (list: readonly (typeof targets)[number][]) => {
    for (const target of list) {
      await act(tolerances.removeTarget, () => client.loadBalancers.removeTarget(id, target))
    }
  }
  const unwanted = targets.filter((one) => !has(desired.targets, liveTarget(one)))
  // Hetzner takes no second target of the same selector, however it is reached.
  const selectors = desired.targets.flatMap((one) => ('selector' in one ? [one.selector] : []))
  const isInTheWay = ({ label_selector }: (typeof targets)[number]) =>
    label_selector ? selectors.includes(label_selector.selector) : false
  await remove(unwanted.filter(isInTheWay))
  // The new ones first: the API stays reachable while one selector takes the place of another.
  for (const target of desired.targets) {
    if (has(live, target) || !('selector' in target)) continue
    await act(tolerances.addTarget, () => client.loadBalancers.addSelectorTarget(id, target))
  }
  await remove(unwanted.filter((one) => !isInTheWay(one)))
}

async function convergeServices(
  { id, services }: ApiLoadBalancer,
  desired: LoadBalancerSpec,
  { client }: HetznerApplyContext,
  act: Act,
): Promise<void> {
  const { loadBalancers } = client
  for (const { listen_port } of services.filter((one) => !(one.listen_port in desired.services))) {
    await act(tolerances.changeLoadBalancer, () => loadBalancers.deleteService(id, listen_port))
  }
  for (const [port, service] of Object.entries(desired.services)) {
    const body = toServiceBody(Number(port), service)
    const current = services.find((one) => String(one.listen_port) === port)
    if (!current) {
      await act(tolerances.addService, () => loadBalancers.addService(id, body))
    } else if (!jsonEquals(liveService(current), service)) {
      await act(tolerances.changeLoadBalancer, () => loadBalancers.updateService(id, body))
    }
  }
}

function toServiceBody(
  listenPort: number,
  { protocol, destinationPort, proxyProtocol, healthCheck: check }: ServiceSpec,
): LoadBalancerServiceBody {
  return {
    protocol,
    listen_port: listenPort,
    destination_port: destinationPort,
    proxyprotocol: proxyProtocol,
    health_check: {
      protocol: check.protocol,
      port: check.port,
      interval: check.interval,
      timeout: check.timeout,
      retries: check.retries,
      ...(check.path === null
        ? {}
        : {
            http: { path: check.path, status_codes: check.statusCodes, tls: check.tls },
          }),
    },
  }
}
