import { apiServerPort } from '../../spec/hosts/api-server-port.ts'
import type { HostsEndpoint } from '../../spec/hosts/hosts-spec.ts'
import { parseVersion } from '../../spec/tables/version-matrix.ts'
import { kubernetesFolder } from './kubeadm-paths.ts'
import { renderDocuments } from './render-documents.ts'

/** When a manifest is written: before the first control plane is initialised, or on one that has been. */
export type KubeVipStage = 'before-init' | 'after'

interface KubeVipPlace {
  /** Without v. */
  readonly kubernetesVersion: string
  /** Of this host: the way to the address may be another one on each. */
  readonly interface: string
  readonly stage: KubeVipStage
}

/** From this minor of Kubernetes on, `kubeadm init` reaches its own API server and waits for no virtual IP. */
const firstWithLocalInit = 36

/**
 * The static pod that holds the virtual IP. `admin.conf` has no rights before kubeadm has given it some, which up to
 * Kubernetes 1.35 it does through the virtual IP: until then kube-vip needs `super-admin.conf`, which is on the first
 * control plane alone and is taken away from kube-vip right after.
 */
export function kubeVipManifest(
  endpoint: Extract<HostsEndpoint, { type: 'virtualIp' }>,
  place: KubeVipPlace,
): string {
  const environment = {
    vip_arp: 'true',
    port: String(apiServerPort),
    vip_interface: place.interface,
    vip_subnet: '32',
    cp_enable: 'true',
    cp_namespace: 'kube-system',
    vip_leaderelection: 'true',
    vip_leasename: 'plndr-cp-lock',
    vip_leaseduration: '5',
    vip_renewdeadline: '3',
    vip_retryperiod: '1',
    address: endpoint.address,
    prometheus_server: ':2112',
  }
  const mountPath = `${kubernetesFolder}/admin.conf`
  return renderDocuments([
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'kube-vip', namespace: 'kube-system' },
      spec: {
        containers: [
          {
            name: 'kube-vip',
            image: `ghcr.io/kube-vip/kube-vip:${endpoint.kubeVip}`,
            imagePullPolicy: 'IfNotPresent',
            args: ['manager'],
            env: [
              ...Object.entries(environment).map(([name, value]) => ({ name, value })),
              { name: 'vip_nodename', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
            ],
            securityContext: { capabilities: { add: ['NET_ADMIN', 'NET_RAW'], drop: ['ALL'] } },
            volumeMounts: [{ name: 'kubeconfig', mountPath }],
          },
        ],
        // The kubeconfig names the virtual IP, which only this pod brings: it asks its own host instead.
        hostAliases: [{ ip: '127.0.0.1', hostnames: ['kubernetes'] }],
        hostNetwork: true,
        // Without a type, a file that is not there yet would become a folder.
        volumes: [{ name: 'kubeconfig', hostPath: { path: kubeconfigOf(place), type: 'File' } }],
      },
    },
  ])
}

function kubeconfigOf({ kubernetesVersion, stage }: KubeVipPlace): string {
  const minor = parseVersion(kubernetesVersion)?.minor ?? 0
  const name = stage === 'before-init' && minor < firstWithLocalInit ? 'super-admin' : 'admin'
  return `${kubernetesFolder}/${name}.conf`
}
