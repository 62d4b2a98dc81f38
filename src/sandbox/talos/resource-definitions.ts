/** What a node tells of a kind of resource that it has, as `talosctl get rd` shows it. */
export interface ResourceDefinition {
  readonly type: string
  readonly displayType: string
  readonly defaultNamespace: string
  /** Short names that a client may use, and all of them: with the long ones. */
  readonly aliases: readonly string[]
  readonly allAliases: readonly string[]
  readonly printColumns: readonly { readonly name: string; readonly jsonPath: string }[]
  readonly sensitivity?: string
}

export const resourceDefinitions: readonly ResourceDefinition[] = [
  define('MachineStatuses.runtime.talos.dev', 'runtime', [
    ['Stage', '{.stage}'],
    ['Ready', '{.status.ready}'],
  ]),
  define('Services.v1alpha1.talos.dev', 'runtime', [
    ['Running', '{.running}'],
    ['Healthy', '{.healthy}'],
    ['Health Unknown', '{.unknown}'],
  ]),
  define('ExtensionStatuses.runtime.talos.dev', 'runtime', [
    ['Name', '{.metadata.name}'],
    ['Version', '{.metadata.version}'],
  ]),
  define('PlatformMetadatas.talos.dev', 'runtime', [
    ['Platform', '{.platform}'],
    ['Type', '{.instanceType}'],
    ['Region', '{.region}'],
    ['Zone', '{.zone}'],
  ]),
  {
    ...define('MachineConfigs.config.talos.dev', 'config', []),
    sensitivity: 'sensitive',
  },
  define('MachineTypes.config.talos.dev', 'config', [['Type', '{}']]),
  define('EtcdMembers.etcd.talos.dev', 'etcd', [['Member ID', '{.memberID}']]),
  define('Nodenames.kubernetes.talos.dev', 'k8s', [['Nodename', '{.nodename}']]),
  define('NodeAddresses.net.talos.dev', 'network', [['Addresses', '{.addresses}']]),
  define('HostnameStatuses.net.talos.dev', 'network', [
    ['Hostname', '{.hostname}'],
    ['Domainname', '{.domainname}'],
  ]),
  define('Members.cluster.talos.dev', 'cluster', [
    ['Hostname', '{.hostname}'],
    ['Machine Type', '{.machineType}'],
    ['OS', '{.operatingSystem}'],
    ['Addresses', '{.addresses}'],
  ]),
  define('Disks.block.talos.dev', 'runtime', [
    ['Size', '{.size}'],
    ['Transport', '{.transport}'],
  ]),
  define('ResourceDefinitions.meta.cosi.dev', 'meta', [['Aliases', '{.aliases}']]),
]

/** Aliases as COSI makes them: the plural and the singular, and the capitals of the name. */
function define(
  type: string,
  defaultNamespace: string,
  columns: readonly (readonly [name: string, jsonPath: string])[],
): ResourceDefinition {
  const [plural = ''] = type.split('.')
  const displayType = plural.replace(/(?<=[sx])es$|s$/, '')
  const capitals = displayType.replace(/[^A-Z]/g, '').toLowerCase()
  const aliases = [plural.toLowerCase(), displayType.toLowerCase(), capitals, `${capitals}s`]
  return {
    type,
    displayType,
    defaultNamespace,
    aliases,
    allAliases: [...aliases, type.toLowerCase()],
    printColumns: columns.map(([name, jsonPath]) => ({ name, jsonPath })),
  }
}
