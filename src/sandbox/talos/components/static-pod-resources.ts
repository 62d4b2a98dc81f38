import type { NodeResource } from '../node-resources.ts'
import type { TalosNode } from '../talos-node.ts'
import type { StaticComponent } from './component-settings.ts'
import type { StaticPod } from './static-pods.ts'

const settingTypes: Readonly<Record<StaticComponent, string>> = {
  'kube-apiserver': 'APIServerConfigs.kubernetes.talos.dev',
  'kube-controller-manager': 'ControllerManagerConfigs.kubernetes.talos.dev',
  'kube-scheduler': 'SchedulerConfigs.kubernetes.talos.dev',
}

/** What a node says of its static pods: what they are to run with, how they are rendered, and how they are. */
export function staticPodResources(node: TalosNode): NodeResource[] {
  return node.staticPods.all().flatMap((pod) => [
    {
      namespace: 'controlplane',
      type: settingTypes[pod.component],
      id: pod.component,
      spec: { image: pod.settings.version, extraArgs: pod.settings.args, enabled: true },
      stamp: { version: pod.configVersion, at: pod.renderedAt },
    },
    {
      namespace: 'k8s',
      type: 'StaticPods.kubernetes.talos.dev',
      id: pod.component,
      spec: renderedPod(pod),
      stamp: { version: pod.renderedVersion, at: pod.renderedAt },
    },
    {
      namespace: 'k8s',
      type: 'StaticPodStatuses.kubernetes.talos.dev',
      id: `kube-system/${pod.component}-${node.hostname}`,
      spec: podStatus(pod),
    },
  ])
}

function renderedPod({ component, renderedVersion }: StaticPod) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: component,
      namespace: 'kube-system',
      annotations: { 'talos.dev/config-version': String(renderedVersion) },
    },
  }
}

function podStatus({ component, containerId, startedAt, exits, lastStartedAt }: StaticPod) {
  const isUp = startedAt !== undefined
  const time = (at: number) => new Date(Math.floor(at / 1_000) * 1_000).toISOString()
  const ended = lastStartedAt !== undefined && {
    terminated: {
      exitCode: 1,
      reason: 'Error',
      startedAt: time(lastStartedAt),
      containerID: containerId,
    },
  }
  const waiting = exits > 0 ? 'CrashLoopBackOff' : 'ContainerCreating'
  return {
    phase: 'Running',
    containerStatuses: [
      {
        name: component,
        ready: isUp,
        started: isUp,
        restartCount: exits,
        containerID: containerId,
        state: isUp
          ? { running: { startedAt: time(startedAt) } }
          : {
              waiting: {
                reason: waiting,
                message: `back-off restarting failed container ${component}`,
              },
            },
        lastState: ended || {},
      },
    ],
  }
}
