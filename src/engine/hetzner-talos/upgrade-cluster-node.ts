import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import type { Clock } from '../../lib/clock.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { Redactor } from '../../lib/redactor.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { compareVersions, parseVersion } from '../../spec/tables/version-matrix.ts'
import { readBootId } from '../../talos/api/node-file.ts'
import { getVersion } from '../../talos/api/node-version.ts'
import { readSchematic } from '../../talos/api/schematic.ts'
import type { TalosConnection } from '../../talos/api/talos-caller.ts'
import type { ControlPlane } from '../../talos/control-plane.ts'
import { etcdProblems } from '../../talos/etcd/etcd-health.ts'
import { waitForHealthyEtcd } from '../../talos/etcd/wait-for-healthy-etcd.ts'
import { upgradeTalosNode, waitForTalosVersion } from '../../talos/upgrade-talos-node.ts'
import { returnToService, takeOutOfService } from '../node-service.ts'
import { nodeSteps, upgradeStep } from '../run-step.ts'
import { type TalosNodeService, talosNodeService } from './talos-node-service.ts'

export interface UpgradeNodeOptions {
  readonly name: string
  readonly client: TalosConnection
  readonly spec: ClusterSpec
  /** 64 hex digits. */
  readonly schematic: string
  /** The installer image, with the schematic. */
  readonly image: string
  readonly controlPlanes: readonly ControlPlane[]
  readonly kubernetes: KubernetesClient
  readonly redactor: Redactor
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
  readonly run: string
  /** Writes down what is about to be done, with the Talos that the node runs until then. */
  readonly writeDown: (running: string) => Promise<void>
}

/** How long etcd may take to be healthy again after a member was away, in milliseconds. */
const etcdWithinMs = 5 * 60_000

/**
 * Rolls one node into another Talos version or image: gates open and etcd healthy, cordon, drain, upgrade, a
 * changed boot id and the new version, its components healthy, Ready, uncordon, etcd healthy again. Begins where an earlier try
 * stopped: a node that runs this version of this schematic already is only checked to be healthy. Throws
 * `upgrade-gate-closed`, `etcd-unhealthy`, `drain-blocked`, `talos-upgrade-failed`, `component-unhealthy` or `wait-timeout`, each
 * with node and step; the cluster then stays as it is, and a node of which the installation was started stays cordoned.
 */
export async function upgradeClusterNode(options: UpgradeNodeOptions): Promise<void> {
  const { name, client, spec, schematic, clock, signal, progress } = options
  const at = { node: name, progress }
  const { tag } = await upgradeStep({ ...at, step: 'ask for its version' }, () =>
    getVersion(client),
  )
  refuseOlder(name, tag, spec.talos.version)
  const isThere = tag === spec.talos.version && (await readSchematic(client)) === schematic
  if (!isThere) {
    await options.writeDown(tag)
    await rollNode(options, tag)
  }
  await returnToService(serviceOf(options))
  await upgradeStep({ ...at, step: 'wait until etcd is healthy again' }, (onPending) =>
    waitForHealthyEtcd(options.controlPlanes, { clock, signal, withinMs: etcdWithinMs, onPending }),
  )
}

/** The last look before it: somebody may have upgraded the node by hand, which no plan knew. */
function refuseOlder(name: string, from: string, to: string): void {
  const [running, wanted] = [parseVersion(from), parseVersion(to)]
  if (!running || !wanted || compareVersions(wanted, running) >= 0) return
  throw new ClusterError(
    'talos-upgrade-failed',
    `${name} runs ${from}, and Talos does not go back to ${to}`,
    {
      operation: 'upgrade',
      target: name,
      hint: `Write ${from} or a newer one into talos.version.`,
    },
  )
}

async function rollNode(options: UpgradeNodeOptions, fromVersion: string): Promise<void> {
  const { name, client, spec, image, clock, signal, progress } = options
  const { version } = spec.talos
  const at = { node: name, progress }
  await takeOutOfService(serviceOf(options), () => requireHealthyEtcd(options))
  await upgradeStep({ ...at, step: `install Talos ${version}` }, async (report) => {
    const formerBootId = await readBootId(client)
    await upgradeTalosNode(client, { image, fromVersion, onProgress: report })
    await waitForTalosVersion(client, { version, formerBootId, clock, signal, onPending: report })
    await requireSchematic(options)
  })
}

function serviceOf(options: UpgradeNodeOptions): TalosNodeService {
  const { name, progress } = options
  return talosNodeService({
    ...options,
    isControlPlane: options.controlPlanes.some((node) => node.name === name),
    step: nodeSteps('upgrade', name, progress),
  })
}

/** An image without the schematic has neither its extensions nor its kernel arguments: better one node stands still than all. */
async function requireSchematic({
  client,
  name,
  spec,
  schematic,
}: UpgradeNodeOptions): Promise<void> {
  const found = await readSchematic(client)
  if (found === schematic) return
  throw new ClusterError(
    'talos-upgrade-failed',
    `it runs Talos ${spec.talos.version} of another image than was installed: schematic ${found ?? 'unknown'} and not ${schematic}`,
    {
      target: name,
      hint: 'Look at `hcloud-talos talos get extensions`, and at what registry mirror serves the installer: its extensions or kernel arguments may be missing.',
    },
  )
}

async function requireHealthyEtcd({ controlPlanes, name }: UpgradeNodeOptions): Promise<void> {
  const problems = await etcdProblems(controlPlanes)
  if (problems.length === 0) return
  throw new ClusterError('etcd-unhealthy', `etcd is not healthy: ${problems.join('; ')}`, {
    operation: 'upgrade',
    target: name,
    hint: 'Fix etcd first: `hcloud-talos talos etcd status` shows what is wrong.',
  })
}
