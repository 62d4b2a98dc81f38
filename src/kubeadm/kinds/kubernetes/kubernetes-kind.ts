import type { JsonObject } from '../../../lib/json.ts'
import type { FieldChange } from '../../../plan/change.ts'
import type { ClusterRecord } from '../../../plan/record.ts'
import { comparedConfiguration } from '../../cluster/compared-configuration.ts'
import { sharedKubelet, sharedKubeletIn } from '../../cluster/compared-kubelet.ts'
import { runningKubernetes } from '../../cluster/found-cluster.ts'
import { clusterConfiguration } from '../../config/cluster-configuration.ts'
import type { KubeadmKind, KubeadmRequest } from '../kubeadm-kind.ts'

/**
 * The control plane as all hosts share it: the version that it runs, and what the cluster keeps of its configuration. It
 * begins and ends with the cluster.
 */
export const kubernetesKind: KubeadmKind = {
  name: 'kubernetes',
  desire: (request) => {
    const { spec, goal } = request
    const running = runningVersion(request)
    if (running === undefined) return []
    const version = goal === 'spec' ? spec.kubernetes.version : running
    return [toRecord(request, version, clusterConfiguration(spec), sharedKubelet(spec))]
  },
  live: (request) => {
    const { configuration, kubeletConfiguration } = request.found.cluster ?? {}
    const running = runningVersion(request)
    if (running === undefined || configuration === undefined) return []
    const kubelet = sharedKubeletIn(kubeletConfiguration, request.spec)
    return [toRecord(request, running, configuration, kubelet)]
  },
  rules: () => ({
    create: notByItself,
    update: (_before, _after, fields) => ({ action: 'update', ...describeUpdate(fields) }),
    delete: notByItself,
  }),
  versionFields: new Set(['version']),
}

/** Of a cluster that can be asked; of another one nothing is compared. */
function runningVersion({ found }: KubeadmRequest): string | undefined {
  return found.cluster?.configuration === undefined ? undefined : runningKubernetes(found)
}

function toRecord(
  { spec: { clusterName } }: KubeadmRequest,
  version: string,
  configuration: JsonObject,
  kubelet: JsonObject | undefined,
): ClusterRecord {
  const { certSans, apiServer, controllerManager, scheduler } = comparedConfiguration(configuration)
  return {
    kind: 'kubernetes',
    name: clusterName,
    spec: {
      version,
      certSans,
      apiServer,
      controllerManager,
      scheduler,
      ...(kubelet && { kubelet }),
    },
    needs: [],
  }
}

function describeUpdate(fields: readonly FieldChange[]) {
  if (fields.some(({ path }) => path === 'version')) {
    const reason = 'kubeadm upgrades one control plane after the other'
    return { risk: 'restart', reason } as const
  }
  if (isOfKubeletsAlone(fields)) {
    return { risk: 'live', reason: 'kubelets that join are given other settings' } as const
  }
  const reason = 'its configuration changes, and one control plane after the other takes it over'
  return { risk: 'restart', reason } as const
}

/** Whether only that of kubelets differs: no control plane takes anything over. */
export function isOfKubeletsAlone(fields: readonly FieldChange[]): boolean {
  return fields.every(({ path }) => path.startsWith('kubelet'))
}

function notByItself(): never {
  throw new Error('the control plane of a cluster is never created or removed by itself')
}
