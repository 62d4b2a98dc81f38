import type { AddonSurroundings } from '../../addons/addon-surroundings.ts'
import { endpointHost, endpointPort } from '../../kubeadm/config/control-plane-endpoint.ts'
import { controlPlaneTaint } from '../../kubeadm/config/node-registration.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'

/**
 * What addons find on hosts that exist: of their network, their kernel and their network cards nothing is known that the
 * file does not say.
 */
export function hostsSurroundings(spec: HostsSpec): AddonSurroundings {
  const { hosts } = spec
  const controlPlanes = hosts.filter(({ role }) => role === 'control-plane')
  const taints = (of: HostsSpec['hosts']) =>
    of.flatMap((host) => host.taints).filter(({ key }) => key !== controlPlaneTaint.key)
  return {
    apiServer: { host: endpointHost(spec), port: endpointPort(spec) },
    controlPlanes: controlPlanes.length,
    taints: {
      controlPlanes: taints(controlPlanes),
      // Whether control planes have it depends on there being workers: with the first one no addon must change.
      allNodes: [controlPlaneTaint, ...taints(hosts)],
    },
    servingCertificates: {
      nodeNames: `^(${hosts.map(({ name }) => name).join('|')})$`,
      // No cloud gives a node further addresses: a kubelet asks for the one that it was started with.
      addressRanges: hosts.map(({ nodeIp }) => `${nodeIp}/32`),
    },
    podNetwork: { type: 'tunnel' },
    operatingSystem: { allowsModules: true },
    acceleratesServices: false,
  }
}
