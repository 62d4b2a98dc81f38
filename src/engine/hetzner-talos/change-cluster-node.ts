import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { networkAgents, waitForNodeAgents } from '../../kubernetes/node-agents.ts'
import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import { restartedComponents } from '../../talos/config/change-effect.ts'
import { generateMachineConfig } from '../../talos/config/machine-config.ts'
import { type NodeComponent, nodeComponents } from '../../talos/config/node-component.ts'
import { configureNode } from '../../talos/configure-node.ts'
import { type PendingChange, pendingChange } from '../../talos/pending-change.ts'
import { returnToService, takeOutOfService } from '../node-service.ts'
import { nodeSteps, plainSteps } from '../run-step.ts'
import { type ConfigureClusterNodeOptions, configureClusterNode } from './configure-cluster-node.ts'
import { type TalosNodeService, talosNodeService } from './talos-node-service.ts'
import { healthBefore, waitForComponents } from './wait-for-components.ts'

export interface ChangeClusterNodeOptions
  extends Omit<ConfigureClusterNodeOptions, 'beforeHandOver' | 'afterHandOver'> {
  /** The fields that the plan changes, as it shows them. */
  readonly fields: readonly string[]
  readonly kubernetes: () => Promise<KubernetesClient>
  /** Returns when nothing is wrong with etcd. */
  readonly waitForHealthyEtcd: (report: (message: string) => void) => Promise<void>
  /** Returns when etcd can do without this node, which may be the one of which it is broken. */
  readonly waitForSparedEtcd: (report: (message: string) => void) => Promise<void>
  /** The config that the state has of the node: what a run that was cut off may have changed already. */
  readonly recorded: () => Promise<string | undefined>
  readonly run: string
}

/**
 * Gives a node that runs another machine config, and looks at what that touched before it is recorded: every
 * component that it restarts is healthy again on this node. What takes a reboot is drained before and takes
 * pods again after. A node that does not come up gets its former config back, where the policy says so. Throws
 * `node-change-failed` then; what the node refused, or what never began, is thrown as it is.
 */
export async function changeClusterNode(options: ChangeClusterNodeOptions): Promise<void> {
  const { spec, node, secrets, named, decided, access, addresses, clock, signal, progress } =
    options
  const config = generateMachineConfig({ spec, node, secrets, named, addresses: decided })
  const client = access.talos(addresses.of(node.name).address)
  const pending = await pendingChange(client, config, node.role)
  const identity = { name: node.name, isControlPlane: node.role === 'control-plane' }
  const report = (message: string) => progress.step(`${node.name}: ${message}`)
  const before = pending && (await healthBefore(client, identity))
  const restarts = restartsOf(pending)
  const former = isHandedOver(pending) ? before : undefined
  const service = mustReboot(options, pending) ? await serviceOf(options, client) : undefined
  if (service) await takeOutOfService(service, options.waitForSparedEtcd)
  else if (identity.isControlPlane) await options.waitForSparedEtcd(report)
  await configureClusterNode({
    ...options,
    async afterHandOver() {
      try {
        const { redactor } = access
        const wait = { client, node: identity, redactor, clock, signal, onPending: report }
        if (service) await returnToService(unnamed(service))
        else {
          await waitForComponents({ ...wait, restarts, before, former })
          await seeNetwork(options, restarts)
        }
        if (identity.isControlPlane) await options.waitForHealthyEtcd(report)
      } catch (error) {
        throw await failed(error, { ...options, config, pending, service })
      }
    },
  })
}

/** Whether the node runs something else until it is handed this config, as far as is known. */
function isHandedOver(pending: PendingChange | undefined): pending is PendingChange {
  return pending !== undefined && pending.differences.length > 0
}

/** What is to be looked at: all of it where nobody knows any more what was changed. */
function restartsOf(pending: PendingChange | undefined): readonly NodeComponent[] {
  return isHandedOver(pending) ? restartedComponents(pending.differences) : nodeComponents
}

/** What an agent of the network works with on its node: the kubelet runs it, and the API server gives it its orders. */
const networkNeeds: readonly NodeComponent[] = ['kubelet', 'kube-apiserver']

/** Sees that the network's agent serves the node after what it works with was restarted; nothing where that is not ours. */
async function seeNetwork(
  { spec, node, clock, signal, progress, kubernetes }: ChangeClusterNodeOptions,
  restarts: readonly NodeComponent[],
): Promise<void> {
  const { type } = spec.cni
  if (type === 'none' || !networkNeeds.some((need) => restarts.includes(need))) return
  const onPending = (message: string) => progress.step(`${node.name}: ${message}`)
  const wait = { clock, signal, withinMs: networkWithinMs, onPending }
  try {
    await waitForNodeAgents(await kubernetes(), node.name, wait, networkAgents[type])
  } catch (error) {
    // That no API server answers is not for this node's config: its own is healthy by now.
    if (!isClusterError(error, 'kubernetes-unreachable')) throw error
    onPending('Kubernetes cannot be asked for the agent of its network')
  }
}

/** How long the network's agent may take to be Ready again, in milliseconds. */
const networkWithinMs = 5 * 60_000

function mustReboot(
  { mode }: ChangeClusterNodeOptions,
  pending: PendingChange | undefined,
): boolean {
  if (mode === 'no-reboot') return false
  if (pending === undefined) return true
  return pending.differences.some(({ effect }) => effect === 'reboot' || effect === 'reinstall')
}

async function serviceOf(
  options: ChangeClusterNodeOptions,
  client: TalosNodeService['client'],
): Promise<TalosNodeService> {
  const { spec, node, clock, signal, progress, run } = options
  return talosNodeService({
    name: node.name,
    isControlPlane: node.role === 'control-plane',
    client,
    spec,
    kubernetes: await options.kubernetes(),
    redactor: options.access.redactor,
    clock,
    signal,
    progress,
    run,
    step: nodeSteps('apply', node.name, progress),
  })
}

/** What fails in it is told as the change that failed. */
function unnamed(service: TalosNodeService): TalosNodeService {
  return { ...service, step: plainSteps(service.name, service.progress) }
}

interface FailedChange extends ChangeClusterNodeOptions {
  /** The one that does not work. */
  readonly config: string
  readonly pending: PendingChange | undefined
  readonly service: TalosNodeService | undefined
}

async function failed(error: unknown, change: FailedChange): Promise<unknown> {
  const { spec, signal, node, fields } = change
  if (!isClusterError(error) || error.code === 'interrupted' || signal.aborted) return error
  const reverted = spec.policy.onFailedChange === 'revert' ? await revert(change) : undefined
  const shown = fields.length > 4 ? [...fields.slice(0, 4), `${fields.length - 4} more`] : fields
  const about = shown.length === 0 ? '' : ` (${shown.join(', ')})`
  const outcome =
    reverted ?? 'it keeps the config that does not work, as policy.onFailedChange has it'
  return new ClusterError(
    'node-change-failed',
    `${node.name} is not healthy after its machine config changed${about}: ${error.message}; ${outcome}`,
    {
      operation: 'change the machine config of',
      target: node.name,
      hint: 'Correct these fields in the cluster file and apply again. The nodes after this one keep their former config.',
      evidence: error.evidence,
      cause: error,
    },
  )
}

/** Puts the former config back and waits until the node is healthy with it; returns what came of it. */
async function revert(change: FailedChange): Promise<string> {
  const { node, access, addresses, clock, signal, progress, config, pending, service } = change
  const former = isHandedOver(pending) ? pending.former : await change.recorded()
  if (former === undefined || former === config) {
    return 'nobody knows its former config, so it keeps this one'
  }
  const report = (message: string) => progress.step(`${node.name}: ${message}`)
  report('putting its former config back')
  const { address } = addresses.of(node.name)
  const client = access.talos(address)
  const identity = { name: node.name, isControlPlane: node.role === 'control-plane' }
  try {
    // Talos takes the former config up some time after it was handed it; what it shows until then failed.
    const failing = await healthBefore(client, identity)
    await configureNode({
      name: node.name,
      address,
      config: former,
      credentials: await access.credentials(),
      clock,
      signal,
      onPending: report,
    })
    if (service) await returnToService(unnamed(service))
    else {
      await waitForComponents({
        client,
        node: identity,
        restarts: restartsOf(pending),
        before: undefined,
        former: failing,
        redactor: access.redactor,
        clock,
        signal,
        onPending: report,
      })
    }
    return 'its former config was put back, and it is healthy again'
  } catch (error) {
    if (!isClusterError(error) || signal.aborted) throw error
    return `putting its former config back did not help: ${error.message}`
  }
}
