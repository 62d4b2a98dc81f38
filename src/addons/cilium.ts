import type { JsonObject } from '../lib/json.ts'
import type { CatalogueAddon } from './addon.ts'
import type { AddonSurroundings, PodNetwork } from './addon-surroundings.ts'
import { controlPlaneOnly, tolerateAll, tolerateTaints } from './placement.ts'

/** The pod network, and the replacement of kube-proxy. What is not set is as the chart has it. */
export const cilium: CatalogueAddon = {
  name: 'cilium',
  title: 'Cilium',
  chart: 'cilium',
  repository: 'https://helm.cilium.io',
  versions: [
    {
      version: '1.20.0',
      kubernetes: { from: '1.33', to: '1.36' },
      sha256: 'c5f013912360d1a334f44ef25f36da59ba3414cdb48f466ee12d0c4fdff27883',
    },
    {
      version: '1.19.6',
      kubernetes: { from: '1.32', to: '1.35' },
      sha256: '21c43cf53841f9ab0375047d95aa4c64051ea52bbd2c679416e6408f5f1c9179',
    },
    {
      version: '1.18.12',
      kubernetes: { from: '1.30', to: '1.33' },
      sha256: '5923f9d9fcb11bc4692ad52353cc791b935d96e09ba0c535c5a8b88ea8a37572',
    },
  ],
  namespace: 'kube-system',
  namespaceLabels: {},
  wave: 1,
  needs: [],
  brings: 'ready',
  usesHetzner: false,
  // Without its network no pod reaches another: as bad for what runs as a drain of every node.
  removalRisk: 'drain',
  probes: [{ type: 'workloads' }],
  enabled: (spec) => spec.cni.type === 'cilium',
  userValues: (spec) => spec.cni.values,
  values: (spec, { surroundings }) => ({
    ipam: { mode: 'kubernetes' },
    k8s: { requireIPv4PodCIDR: true },
    k8sServiceHost: surroundings.apiServer.host,
    k8sServicePort: surroundings.apiServer.port,
    kubeProxyReplacement: true,
    kubeProxyReplacementHealthzBindAddr: '0.0.0.0:10256',
    ...routing(surroundings.podNetwork),
    bpf: { masquerade: true, datapathMode: 'veth' },
    // Not on unknown network cards: with some drivers even best-effort cuts a node off (cilium/cilium#40259).
    ...(surroundings.acceleratesServices && { loadBalancer: { acceleration: 'best-effort' } }),
    dnsProxy: { enableTransparentMode: true },
    ...privileges(surroundings.operatingSystem),
    ...hubbleCertificates(surroundings),
    // The chart's default makes new certificates at each rendering: every plan would show a change.
    hubble: {
      tls: { auto: { method: 'cronJob' } },
      // Only where it is another than the chart's: what is said to no purpose makes every cluster differ.
      ...(spec.network.dnsDomain !== 'cluster.local' && {
        peerService: { clusterDomain: spec.network.dnsDomain },
      }),
    },
    operator: {
      // Its pods refuse to share a node, so more than there are nodes would stay Pending for ever.
      replicas: Math.min(2, surroundings.controlPlanes),
      nodeSelector: controlPlaneOnly,
      // It must start on nodes that nothing has initialized yet; since 1.19 the chart's own list is
      // closed, and taints of a pool would keep it out.
      tolerations: tolerateAll,
    },
  }),
}

/** A tunnel is the chart's default, and finds out by itself what packets may measure with its own header. */
function routing(network: PodNetwork): JsonObject {
  if (network.type === 'tunnel') return {}
  return {
    routingMode: 'native',
    ipv4NativeRoutingCIDR: network.range,
    // Never left to detection: it picks the public interface (1500), while the private network
    // carries less, and larger packets between nodes vanish without a word.
    MTU: network.mtu,
    // Only for native routing: with a tunnel the agent does not start with it.
    installNoConntrackIptablesRules: true,
  }
}

function privileges({
  cgroupRoot,
  allowsModules,
}: AddonSurroundings['operatingSystem']): JsonObject {
  return {
    ...(cgroupRoot !== undefined && {
      cgroup: { autoMount: { enabled: false }, hostRoot: cgroupRoot },
    }),
    ...(!allowsModules && { securityContext: { capabilities: withoutModules } }),
  }
}

/** The chart's own lists without SYS_MODULE. */
const withoutModules = {
  ciliumAgent: [
    'CHOWN',
    'KILL',
    'NET_ADMIN',
    'NET_RAW',
    'IPC_LOCK',
    'SYS_ADMIN',
    'SYS_RESOURCE',
    'DAC_OVERRIDE',
    'FOWNER',
    'SETGID',
    'SETUID',
  ],
  cleanCiliumState: ['NET_ADMIN', 'SYS_ADMIN', 'SYS_RESOURCE'],
}

/** The job that makes hubble's certificates must find a node, whichever of them are tainted. */
function hubbleCertificates({ taints }: AddonSurroundings): JsonObject {
  const tolerations = tolerateTaints(taints.allNodes)
  return tolerations.length > 0 ? { certgen: { tolerations } } : {}
}
