import type { JsonObject } from '../../lib/json.ts'
import { encodeText } from './base64.ts'
import type { ConfigContext } from './config-input.ts'
import { diskEncryptionSection } from './disk-encryption.ts'
import { legacyNetworkSection } from './network.ts'
import { installerImage } from './schematic.ts'

/** Hetzner's first disk, on every type of server. */
const installDisk = '/dev/sda'
export const kubePrismPort = 7445
const excludeFromLoadBalancers = 'node.kubernetes.io/exclude-from-external-load-balancers'

/** `machine` of the v1alpha1 document. */
export function machineSection(context: ConfigContext): JsonObject {
  const { spec, node, secrets, contract, controlPlane, certSans } = context
  const labels = {
    // With no workers the control planes carry the load, and so must get it from load balancers.
    ...(controlPlane && !schedulesOnControlPlanes(context) && { [excludeFromLoadBalancers]: '' }),
    ...node.labels,
  }
  return {
    type: controlPlane ? 'controlplane' : 'worker',
    token: secrets.trustdInfo.token,
    ca: certificateAndKey(secrets.certs.os, controlPlane),
    ...(secrets.certs.osAccepted && {
      acceptedCAs: [{ crt: encodeText(secrets.certs.osAccepted.crt) }],
    }),
    certSANs: certSans,
    kubelet: kubeletSection(context),
    ...legacyNetworkSection(context),
    install: {
      disk: installDisk,
      image: installerImage(spec),
      wipe: false,
      ...(contract.unifiedKernelArguments && { grubUseUKICmdline: true }),
    },
    ...legacyTimeSection(context),
    ...legacyRegistriesSection(context),
    features: featuresSection(context),
    ...diskEncryptionSection(context),
    ...notEmpty('nodeLabels', labels),
    ...notEmpty('nodeAnnotations', node.annotations),
    ...notEmpty('nodeTaints', controlPlane ? taintMap(context) : {}),
  }
}

/** Whether workloads run on control planes: only when there is nothing else to run them on. */
export function schedulesOnControlPlanes({ spec }: ConfigContext): boolean {
  return spec.workers.every((pool) => pool.count === 0 && (pool.autoscaling?.max ?? 0) === 0)
}

/** A certificate and its key in base64; workers get the certificate alone. */
export function certificateAndKey(
  { crt, key }: { crt: string; key: string },
  withKey: boolean,
): JsonObject {
  return { crt: encodeText(crt), key: withKey ? encodeText(key) : '' }
}

/** `{ [key]: value }`, or nothing when there is nothing in it. */
export function notEmpty(key: string, value: JsonObject): JsonObject {
  return Object.keys(value).length > 0 ? { [key]: value } : {}
}

function kubeletSection({ spec, node, controlPlane }: ConfigContext): JsonObject {
  const { version, kubeletExtraArgs } = spec.kubernetes
  return {
    image: `ghcr.io/siderolabs/kubelet:v${version}`,
    // Serving certificates signed by the cluster, for which the CSR approver is there.
    extraArgs: { 'rotate-server-certificates': 'true', ...kubeletExtraArgs },
    // A kubelet may not change taints of its node, only register with them (NodeRestriction), so that
    // `nodeTaints`, which Talos applies as the kubelet, never works on a worker.
    ...(!controlPlane &&
      node.taints.length > 0 && {
        extraConfig: {
          registerWithTaints: node.taints.map(({ key, value, effect }) => ({
            key,
            ...(value !== undefined && { value }),
            effect,
          })),
        },
      }),
    // Both interfaces have addresses; without this a node may register with its public one.
    nodeIP: { validSubnets: [spec.network.nodeRange] },
    defaultRuntimeSeccompProfileEnabled: true,
    disableManifestsDirectory: true,
  }
}

function featuresSection({ spec, contract }: ConfigContext): JsonObject {
  return {
    ...(contract.legacyFeatures && {
      rbac: true,
      stableHostname: true,
      apidCheckExtKeyUsage: true,
    }),
    diskQuotaSupport: true,
    kubePrism: { enabled: true, port: kubePrismPort },
    // Cilium's masquerading in BPF cannot reach the host's resolver at its link-local address.
    hostDNS: { enabled: true, forwardKubeDNSToHost: spec.cni.type !== 'cilium' },
  }
}

function legacyTimeSection({ spec, contract }: ConfigContext): JsonObject {
  const { timeServers } = spec.talos
  if (contract.networkDocuments || timeServers.length === 0) return {}
  return { time: { servers: timeServers } }
}

function legacyRegistriesSection({ spec, contract }: ConfigContext): JsonObject {
  const mirrors = Object.entries(spec.talos.registryMirrors)
  if (contract.networkDocuments || mirrors.length === 0) return {}
  return {
    registries: {
      mirrors: Object.fromEntries(mirrors.map(([host, endpoints]) => [host, { endpoints }])),
    },
  }
}

function taintMap({ node }: ConfigContext): JsonObject {
  return Object.fromEntries(
    node.taints.map(({ key, value, effect }) => [key, value ? `${value}:${effect}` : effect]),
  )
}
