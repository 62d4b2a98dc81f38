import { timestampMs } from '@bufbuild/protobuf/wkt'
import { status } from '@grpc/grpc-js'
import { parse } from 'yaml'
import { isJsonObject } from '../lib/json.ts'
import type { ServiceInfo } from './api/gen/machine/machine_pb.js'
import type { ResourceType } from './api/methods/resource-methods.ts'
import { talosApi } from './api/talos-api.ts'
import type { TalosCaller } from './api/talos-caller.ts'
import { statusCode } from './api/talos-status.ts'
import type { NodeComponent } from './config/node-component.ts'
import { kubeletRefusal } from './kubelet-refusal.ts'
import { countExits, type PodExits, renderingOf } from './pod-exits.ts'
import { serviceProblem } from './service-health.ts'
import {
  type ComponentProblem,
  instanceOf,
  type StaticPodState,
  staticPodProblem,
} from './static-pod-health.ts'

/** What a node says of the components of Kubernetes on it, and of its etcd. */
export interface NodeHealth {
  readonly problems: readonly ComponentProblem[]
  /** By component: another text when Talos has decided again what it is to run with. */
  readonly decided: ReadonlyMap<string, string>
  /** By static pod: how often it ended, and how much of that is not of what it is to run with now. */
  readonly exits: ReadonlyMap<string, PodExits>
  /** Of all of them together: another text when any was restarted. */
  readonly instances: string
}

const settingTypes = {
  'kube-apiserver': 'APIServerConfigs.kubernetes.talos.dev',
  'kube-controller-manager': 'ControllerManagerConfigs.kubernetes.talos.dev',
  'kube-scheduler': 'SchedulerConfigs.kubernetes.talos.dev',
} as const
type StaticComponent = keyof typeof settingTypes

/**
 * Asks a node about its components through its own Talos API: it answers for its kubelet's static pods also
 * where no Kubernetes API does. What static pods did before they were rendered again is told apart by the look
 * before this one. Failures are those of the caller.
 */
export async function nodeHealth(
  client: TalosCaller,
  node: { readonly name: string; readonly isControlPlane: boolean },
  last?: NodeHealth,
): Promise<NodeHealth> {
  const components: StaticComponent[] = node.isControlPlane
    ? ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']
    : []
  const [pods, kubelet, { services }] = await Promise.all([
    Promise.all(components.map((component) => staticPodState(client, component, node.name))),
    kubeletState(client),
    talosApi(client).machine.serviceList(),
  ])
  const watched = node.isControlPlane ? ['kubelet', 'etcd'] : ['kubelet']
  const served = watched.map((id) => {
    const service = services.find((one) => one.id === id)
    if (id === 'kubelet' && kubelet.refusal) return kubelet.refusal
    const since = id === 'kubelet' ? kubelet.decidedAt : undefined
    if (service) return serviceProblem(service, since)
    return { component: id, reason: 'it is not there', isFinal: false }
  })
  const exits = new Map(
    pods.map((pod) => [pod.component, countExits(pod, last?.exits.get(pod.component))]),
  )
  const problems = [
    ...served,
    ...pods.map((pod) => staticPodProblem(pod, exits.get(pod.component)?.former)),
  ]
  const starts = services.filter(({ id }) => watched.includes(id)).map(lastStart)
  return {
    problems: problems.filter((problem) => problem !== undefined),
    decided: new Map([
      ['kubelet', kubelet.decided],
      ...pods.map((pod) => [pod.component, renderingOf(pod)] as const),
    ]),
    exits,
    instances: JSON.stringify([starts, pods.map(instanceOf)]),
  }
}

interface KubeletState {
  /** Another text when Talos has decided again what it runs with, or that it can make nothing of its settings. */
  readonly decided: string
  readonly decidedAt: number | undefined
  readonly refusal: ComponentProblem | undefined
}

async function kubeletState(client: TalosCaller): Promise<KubeletState> {
  const [asked, spec] = await Promise.all([
    read(client, { namespace: 'k8s', type: 'KubeletConfigs.kubernetes.talos.dev' }, 'kubelet'),
    read(client, { namespace: 'k8s', type: 'KubeletSpecs.kubernetes.talos.dev' }, 'kubelet'),
  ])
  const isBehind = asked !== undefined && asked.updatedAt > (spec?.updatedAt ?? 0)
  const refusal = isBehind ? await kubeletRefusal(client, asked.updatedAt) : undefined
  const decided = spec?.version ?? ''
  return {
    decided: refusal?.isFinal ? `${decided}, not ${asked?.version}` : decided,
    decidedAt: spec?.updatedAt,
    refusal,
  }
}

/** What a node holds of one of the static pods of its control plane. */
export async function staticPodState(
  client: TalosCaller,
  component: StaticComponent,
  node: string,
): Promise<StaticPodState> {
  const settings = { namespace: 'controlplane', type: settingTypes[component] }
  const [final, plain, pod, resource] = await Promise.all([
    // Since Talos 1.14 pods are rendered from what several documents come to.
    read(client, settings, `final-${component}`),
    read(client, settings, component),
    read(client, { namespace: 'k8s', type: 'StaticPods.kubernetes.talos.dev' }, component),
    read(
      client,
      { namespace: 'k8s', type: 'StaticPodStatuses.kubernetes.talos.dev' },
      `kube-system/${component}-${node}`,
    ),
  ])
  const config = final ?? plain
  return {
    component,
    configVersion: config?.version,
    isEnabled: !(isJsonObject(config?.spec) && config.spec['enabled'] === false),
    rendered: pod && { configVersion: configVersionOf(pod.spec), at: pod.updatedAt },
    status: resource?.spec,
  }
}

export function isStaticComponent(component: NodeComponent | string): component is StaticComponent {
  return Object.hasOwn(settingTypes, component)
}

interface ReadResource {
  readonly version: string
  readonly updatedAt: number
  readonly spec: unknown
}

async function read(
  client: TalosCaller,
  type: ResourceType,
  id: string,
): Promise<ReadResource | undefined> {
  try {
    const { resource } = await talosApi(client).resources.get(type, id)
    const { version = '', updated } = resource?.metadata ?? {}
    const spec: unknown = parse(resource?.spec?.yamlSpec ?? '', { prettyErrors: false })
    return { version, updatedAt: updated ? timestampMs(updated) : 0, spec }
  } catch (error) {
    if (statusCode(error) === status.NOT_FOUND) return undefined
    throw error
  }
}

function configVersionOf(pod: unknown): string {
  const metadata = isJsonObject(pod) ? pod['metadata'] : undefined
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined
  const version = isJsonObject(annotations) ? annotations['talos.dev/config-version'] : undefined
  return typeof version === 'string' ? version : ''
}

function lastStart({ id, state, events }: ServiceInfo): string {
  const started = events?.events.filter((event) => event.state === 'Running').at(-1)
  return `${id} ${state} ${started?.ts?.seconds ?? ''}`
}
