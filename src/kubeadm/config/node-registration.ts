import type { JsonObject } from '../../lib/json.ts'
import type { Taint } from '../../spec/cluster-spec.ts'
import type { HostSpec, HostsSpec } from '../../spec/hosts/hosts-spec.ts'
import { criSocket } from './kubeadm-paths.ts'
import { namedArguments } from './named-arguments.ts'

/** What keeps pods of users off control planes. */
export const controlPlaneTaint: Taint = {
  key: 'node-role.kubernetes.io/control-plane',
  effect: 'NoSchedule',
}

/**
 * How a host registers its node. Its taints are always listed: kubeadm takes none for those of a control plane, and an
 * empty list for none.
 */
export function nodeRegistration(spec: HostsSpec, host: HostSpec): JsonObject {
  return {
    name: host.name,
    criSocket,
    taints: nodeTaints(spec, host).map(({ key, value, effect }) => ({
      key,
      ...(value !== undefined && { value }),
      effect,
    })),
    kubeletExtraArgs: namedArguments(kubeletArguments(spec, host)),
  }
}

/** The arguments of the kubelet of a host, beside those that kubeadm gives it. */
export function kubeletArguments(
  { kubernetes }: Pick<HostsSpec, 'kubernetes'>,
  { nodeIp }: Pick<HostSpec, 'nodeIp'>,
): Readonly<Record<string, string>> {
  return { ...kubernetes.kubeletExtraArgs, 'node-ip': nodeIp }
}

/** The taints of a node: its own, and that of control planes where no pods are to run on them. */
export function nodeTaints({ kubeadm }: Pick<HostsSpec, 'kubeadm'>, host: HostSpec): Taint[] {
  const keepsPodsOut = host.role === 'control-plane' && !kubeadm.podsOnControlPlanes
  const hasOwn = host.taints.some(
    ({ key, effect }) => key === controlPlaneTaint.key && effect === controlPlaneTaint.effect,
  )
  return [...(keepsPodsOut && !hasOwn ? [controlPlaneTaint] : []), ...host.taints]
}
