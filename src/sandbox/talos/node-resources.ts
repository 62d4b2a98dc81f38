import { bootstrapManifests } from './bootstrap-manifests.ts'
import { staticPodResources } from './components/static-pod-resources.ts'
import { machineServices } from './machine-services.ts'
import { platformMetadata } from './platform-metadata.ts'
import { resourceDefinitions } from './resource-definitions.ts'
import type { TalosNode } from './talos-node.ts'

/** A COSI resource as far as reading it goes. */
export interface NodeResource {
  readonly namespace: string
  readonly type: string
  readonly id: string
  readonly spec: unknown
  /** Where it keeps them by itself; worked out from when it is looked at where absent. */
  readonly stamp?: { readonly version: number; readonly at: number }
}

/** The resource types that a node knows here: where they live, and whether only os:admin may read them. */
export const resourceTypes: Readonly<
  Record<string, { readonly namespace: string; readonly sensitive: boolean }>
> = {
  'MachineStatuses.runtime.talos.dev': { namespace: 'runtime', sensitive: false },
  'Services.v1alpha1.talos.dev': { namespace: 'runtime', sensitive: false },
  'ExtensionStatuses.runtime.talos.dev': { namespace: 'runtime', sensitive: false },
  'PlatformMetadatas.talos.dev': { namespace: 'runtime', sensitive: false },
  'MachineConfigs.config.talos.dev': { namespace: 'config', sensitive: true },
  'MachineTypes.config.talos.dev': { namespace: 'config', sensitive: false },
  // Sensitive, since the bootstrap token is among them.
  'Manifests.kubernetes.talos.dev': { namespace: 'controlplane', sensitive: true },
  'EtcdMembers.etcd.talos.dev': { namespace: 'etcd', sensitive: false },
  'APIServerConfigs.kubernetes.talos.dev': { namespace: 'controlplane', sensitive: false },
  'ControllerManagerConfigs.kubernetes.talos.dev': { namespace: 'controlplane', sensitive: false },
  'SchedulerConfigs.kubernetes.talos.dev': { namespace: 'controlplane', sensitive: false },
  'StaticPods.kubernetes.talos.dev': { namespace: 'k8s', sensitive: false },
  'StaticPodStatuses.kubernetes.talos.dev': { namespace: 'k8s', sensitive: false },
  'KubeletConfigs.kubernetes.talos.dev': { namespace: 'k8s', sensitive: false },
  'KubeletSpecs.kubernetes.talos.dev': { namespace: 'k8s', sensitive: false },
  'Nodenames.kubernetes.talos.dev': { namespace: 'k8s', sensitive: false },
  'NodeAddresses.net.talos.dev': { namespace: 'network', sensitive: false },
  'HostnameStatuses.net.talos.dev': { namespace: 'network', sensitive: false },
  'Members.cluster.talos.dev': { namespace: 'cluster', sensitive: false },
  'Disks.block.talos.dev': { namespace: 'runtime', sensitive: false },
  'ResourceDefinitions.meta.cosi.dev': { namespace: 'meta', sensitive: false },
}

/** Every resource that a node has now. */
export function nodeResources(node: TalosNode): NodeResource[] {
  const always = [
    resource('MachineStatuses.runtime.talos.dev', 'machine', {
      stage: node.stage.name,
      status: { ready: node.stage.unmet.length === 0, unmetConditions: node.stage.unmet },
    }),
    resource('ExtensionStatuses.runtime.talos.dev', 'schematic', {
      image: 'schematic',
      metadata: {
        name: 'schematic',
        version: node.schematic,
        author: 'Image Factory',
        description:
          'Virtual extension which specifies the schematic of the image built with Image Factory.',
        compatibility: {},
        extraInfo: '',
      },
    }),
    resource('PlatformMetadatas.talos.dev', 'platformmetadata', platformMetadata(node)),
    resource('HostnameStatuses.net.talos.dev', 'hostname', {
      hostname: node.hostname,
      domainname: '',
    }),
    resource('Disks.block.talos.dev', 'sda', {
      dev_path: '/dev/sda',
      size: 40_960_000_000,
      transport: 'virtio',
    }),
    ...['default', 'current', 'accumulative', 'routed'].map((id) => nodeAddress(node, id)),
    ...services(node),
    ...resourceDefinitions.map((definition) =>
      resource('ResourceDefinitions.meta.cosi.dev', definition.type.toLowerCase(), definition),
    ),
  ]
  return node.config === undefined ? always : [...always, ...configured(node)]
}

function resource(type: string, id: string, spec: unknown): NodeResource {
  return { namespace: resourceTypes[type]?.namespace ?? '', type, id, spec }
}

function nodeAddress(node: TalosNode, id: string): NodeResource {
  const addresses = node.addresses.map((address) => `${address}/32`)
  const chosen = id === 'default' ? addresses.slice(-1) : addresses
  return resource('NodeAddresses.net.talos.dev', id, { addresses: chosen })
}

/** A service that does not run has no resource. */
function services(node: TalosNode): NodeResource[] {
  return machineServices(node)
    .filter(({ state }) => state === 'Running')
    .map(({ id, healthy }) =>
      resource('Services.v1alpha1.talos.dev', id, {
        running: true,
        healthy: healthy === true,
        unknown: healthy === undefined,
      }),
    )
}

function configured(node: TalosNode): NodeResource[] {
  const { configs, config, etcd } = node
  const list = [
    resource('MachineConfigs.config.talos.dev', 'v1alpha1', configs.active?.text ?? ''),
    resource('MachineConfigs.config.talos.dev', 'persistent', configs.persisted ?? ''),
    resource(
      'MachineTypes.config.talos.dev',
      'machine-type',
      config?.controlPlane ? 'controlplane' : 'worker',
    ),
    resource('Nodenames.kubernetes.talos.dev', 'nodename', {
      nodename: node.hostname,
      hostnameVersion: '1',
      skipNodeRegistration: false,
    }),
    ...members(node),
    ...manifests(node),
    ...staticPodResources(node),
    ...node.kubelet.decisions.resources(),
  ]
  const memberId = etcd.running === undefined ? undefined : etcd.data?.memberId
  if (memberId === undefined) return list
  const spec = { memberID: memberId.toString(16).padStart(16, '0') }
  return [...list, resource('EtcdMembers.etcd.talos.dev', 'local', spec)]
}

/** What a control plane brings into the cluster: each resource is a list of objects. */
function manifests({ config, version }: TalosNode): NodeResource[] {
  if (!config?.controlPlane) return []
  return bootstrapManifests(config, version).map(({ id, objects }) =>
    resource('Manifests.kubernetes.talos.dev', id, objects),
  )
}

/** The nodes of the cluster that the discovery service knows. */
function members(node: TalosNode): NodeResource[] {
  if (node.cluster === undefined) return []
  return node.state.nodesOf(node.cluster).map((other) =>
    resource('Members.cluster.talos.dev', other.hostname, {
      nodeId: `node-${other.machine.serverId}`,
      addresses: other.addresses,
      hostname: other.hostname,
      machineType: other.config?.controlPlane ? 'controlplane' : 'worker',
      operatingSystem: `Talos (${other.version.tag})`,
      ...(other.config?.controlPlane ? { controlPlane: { port: 6443 } } : {}),
    }),
  )
}
