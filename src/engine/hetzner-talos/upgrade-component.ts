import type { KubernetesClient } from '../../kubernetes/kubernetes-client.ts'
import { type NodeWait, waitForNodeWell } from '../../kubernetes/nodes.ts'
import { waitForStaticPod } from '../../kubernetes/static-pods.ts'
import { waitForServedVersion } from '../../kubernetes/wait-for-served-version.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import {
  configuredVersion,
  differingComponents,
  runningVersion,
} from '../../plan/running-kubernetes.ts'
import type { ClusterAccess } from '../../run/hetzner-talos/cluster-access.ts'
import type { NodeAddresses } from '../../run/hetzner-talos/node-addresses.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { type Component, type ControlPlaneComponent, components } from '../../spec/component.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import { componentImages } from '../../talos/config/component-images.ts'
import { configMarks } from '../../talos/config/config-digest.ts'
import type { DecidedAddresses } from '../../talos/config/config-input.ts'
import { generateMachineConfig } from '../../talos/config/machine-config.ts'
import type { SecretsBundle } from '../../talos/config/secrets-bundle.ts'
import { configureNode } from '../../talos/configure-node.ts'
import { specAsRunning } from '../../talos/desire.ts'
import { nodeSteps, upgradeStep } from '../run-step.ts'
import { waitForGates } from '../wait-for-gates.ts'
import { waitForReportedVersion } from './wait-for-reported-version.ts'

export interface UpgradeComponentOptions {
  /** The file's spec: the version that it names is the one to come to. */
  readonly spec: ClusterSpec
  readonly component: Component
  readonly node: ClusterNode
  readonly secrets: SecretsBundle
  /** Values of the secrets that the spec refers to. */
  readonly named: NamedSecrets
  readonly decided: DecidedAddresses
  readonly access: ClusterAccess
  readonly addresses: NodeAddresses
  readonly recorder: StateRecorder
  readonly kubernetes: KubernetesClient
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly progress: PhaseProgress
}

/** How long a component may take to run and be well in its new version, in milliseconds: as long as talosctl waits. */
const runsWithinMs = 5 * 60_000

/**
 * Gives one node the spec's version of one component of Kubernetes: a config that differs in nothing but
 * images, applied without a reboot, and the component seen to run from it. The new version is written
 * down before the node gets it, so that no apply in between would take it back. May be repeated: a node
 * that runs it already is only checked to be healthy. Throws `talos-refused`, `wait-timeout`,
 * `upgrade-gate-closed`, each with node and step.
 */
export async function upgradeComponent(options: UpgradeComponentOptions): Promise<void> {
  const { spec, component, node, recorder, kubernetes, clock, signal, progress } = options
  const at = { node: node.name, progress }
  const version = spec.kubernetes.version
  const step = nodeSteps('upgrade', node.name, progress)
  await waitForGates({ spec, kubernetes, clock, signal, step })
  const next = await writeDown(options)
  await upgradeStep({ ...at, step: `take ${component} to ${version}` }, (report) =>
    configure(options, next, report),
  )
  await upgradeStep({ ...at, step: `see ${component} ${version} run` }, (report) =>
    waitUntilItRuns(options, next, report),
  )
  const known = knownNode(options)
  if (known.arriving === undefined) return
  recorder.recordNode(`${component} ${version} runs on ${node.name}`, {
    ...known,
    arriving: undefined,
  })
}

/** The spec as it applies to the node from now on, once that is on the state branch. */
async function writeDown(options: UpgradeComponentOptions): Promise<ClusterSpec> {
  const { spec, component, node, recorder } = options
  const known = knownNode(options)
  const { version } = spec.kubernetes
  const next = withComponent(options, specAsRunning(spec, known, recorder.inventory))
  const from = runningVersion(known, component)
  if (from === version || from === undefined) return next
  recorder.recordNode(
    `${component} ${version} for ${node.name}`,
    {
      ...known,
      kubernetesVersion: next.kubernetes.version,
      components: next.kubernetes.components,
      ...configMarks(next, node),
      arriving: { component, from },
    },
    { text: configOf(options, next, 'as references') },
  )
  await recorder.flush()
  return next
}

/** `running` with one component at the file's version, and with kube-proxy along with the scheduler where Cilium is. */
function withComponent(options: UpgradeComponentOptions, running: ClusterSpec): ClusterSpec {
  const { spec, component, node } = options
  const { version } = spec.kubernetes
  const kubelet = component === 'kubelet' ? version : running.kubernetes.version
  const changed: Component[] =
    component === 'kube-scheduler' && spec.cni.type === 'cilium'
      ? [component, 'kube-proxy']
      : [component]
  const known = knownNode(options)
  const versions = components.flatMap((name) =>
    name === 'kubelet'
      ? []
      : [[name, changed.includes(name) ? version : (configuredVersion(known, name) ?? version)]],
  )
  const differing =
    node.role === 'control-plane'
      ? differingComponents(Object.fromEntries(versions), kubelet)
      : undefined
  return {
    ...running,
    kubernetes: { ...spec.kubernetes, version: kubelet, components: differing },
  }
}

async function configure(
  options: UpgradeComponentOptions,
  spec: ClusterSpec,
  report: (message: string) => void,
): Promise<void> {
  const { node, access, addresses, clock, signal } = options
  await configureNode({
    name: node.name,
    address: addresses.of(node.name).address,
    config: configOf(options, spec),
    credentials: await access.credentials(),
    mode: 'no-reboot',
    clock,
    signal,
    onPending: report,
  })
}

async function waitUntilItRuns(
  options: UpgradeComponentOptions,
  spec: ClusterSpec,
  onPending: (message: string) => void,
): Promise<void> {
  const { component, node, kubernetes, clock, signal } = options
  const { cni, kubernetes: wanted } = options.spec
  const image = componentImages(spec, node)[component]
  // The pods of kube-proxy are replaced with the bootstrap manifests.
  if (image === undefined || component === 'kube-proxy') return
  const wait = { clock, signal, withinMs: runsWithinMs, onPending }
  if (component !== 'kubelet') {
    await waitForStaticPod(kubernetes, { component, node: node.name, image }, wait)
    await seeVersion(options, component, wait)
    return
  }
  // Not what the image is called: what the kubelet reports.
  const kubelet = { name: node.name, kubeletVersion: `v${wanted.version}` }
  await waitForNodeWell(kubernetes, kubelet, { ...wait, network: cni.type !== 'none' })
}

/** Neither the image's name nor what Talos rendered says what runs. */
async function seeVersion(
  { spec, node, access, addresses, signal }: UpgradeComponentOptions,
  component: Exclude<ControlPlaneComponent, 'kube-proxy'>,
  wait: NodeWait,
): Promise<void> {
  const awaited = { node: node.name, version: `v${spec.kubernetes.version}` }
  const { address } = addresses.of(node.name)
  if (component !== 'kube-apiserver') {
    return waitForReportedVersion(access.talos(address), component, awaited, wait)
  }
  const api = access.kubernetesOf({ name: node.name, address }, signal)
  try {
    await waitForServedVersion(api, awaited, wait)
  } finally {
    api.close()
  }
}

function configOf(
  { node, secrets, decided, ...options }: UpgradeComponentOptions,
  spec: ClusterSpec,
  named: NamedSecrets | 'as references' = options.named,
): string {
  return generateMachineConfig({ spec, node, secrets, named, addresses: decided })
}

function knownNode({ node, recorder }: UpgradeComponentOptions) {
  const known = recorder.inventory.nodes.find(({ name }) => name === node.name)
  if (!known) throw new Error(`the inventory does not know ${node.name}`)
  return known
}
