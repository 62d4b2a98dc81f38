/** A patch of which it is known what Talos thinks of it. */
export interface PatchCase {
  readonly why: string
  readonly patch: string
  /** Control plane where nothing is said. */
  readonly role?: 'worker'
  /** The minors of Talos for which it holds; all where nothing is said. */
  readonly since?: number
  readonly until?: number
}

const document = (kind: string, fields: string) =>
  `{apiVersion: v1alpha1, kind: ${kind}, ${fields}}`
const interfaces = (fields: string) =>
  `machine: {network: {interfaces: [{interface: eth5, ${fields}}]}}`
const image = (name: string) => `registry.example/${name}:v1.37.0`
const key = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

export const refusedPatches: readonly PatchCase[] = [
  // What it does not know, and values of a wrong type.
  { why: 'a field that does not exist', patch: 'machine: {kubelet: {extraArg: {}}}' },
  { why: 'a field inside of a list', patch: interfaces('adresses: [10.0.0.1/24]') },
  {
    why: 'a field of a later version',
    patch: 'machine: {install: {grubUseUKICmdline: true}}',
    until: 11,
  },
  { why: 'a document that does not exist', patch: document('LinkConfigs', 'name: eth1') },
  { why: 'a document of a later version', patch: document('LinkConfig', 'name: eth1'), until: 11 },
  {
    why: 'another version of a document',
    patch: '{apiVersion: v1beta1, kind: WatchdogTimerConfig, device: /dev/w}',
  },
  { why: 'a text where a number belongs', patch: interfaces('mtu: "1400"') },
  { why: 'a number that is too large', patch: interfaces('vlans: [{vlanId: 70000}]') },
  { why: 'a number where a duration belongs', patch: 'machine: {time: {bootTimeout: 90}}' },
  { why: 'a duration without a unit', patch: 'machine: {time: {bootTimeout: "90"}}' },
  { why: 'no base64 in a certificate', patch: 'machine: {acceptedCAs: [{crt: "***"}]}' },
  { why: 'a text where true or false belongs', patch: interfaces('dhcp: sometimes') },
  { why: 'a list where a text belongs', patch: 'machine: {env: {A: [b]}}' },
  {
    why: 'a list as an argument',
    patch: 'cluster: {apiServer: {extraArgs: {v: [a, b]}}}',
    until: 12,
  },

  // The machine and the cluster.
  { why: 'a machine without an authority', patch: 'machine: {ca: {$patch: delete}}' },
  {
    why: 'a control plane without the key of Talos',
    patch: 'machine: {ca: {key: {$patch: delete}}}',
  },
  { why: 'a worker with a key of Talos', role: 'worker', patch: 'machine: {ca: {key: YQ==}}' },
  { why: 'a worker with a key of Kubernetes', role: 'worker', patch: 'cluster: {ca: {key: YQ==}}' },
  { why: 'a machine of no type', patch: 'machine: {type: master}' },
  { why: 'no machine', patch: 'machine: {$patch: delete}' },
  { why: 'no cluster', patch: 'cluster: {$patch: delete}' },
  { why: 'a config that is not kept', patch: 'persist: false' },
  { why: 'no endpoint', patch: 'cluster: {controlPlane: {$patch: delete}}' },
  { why: 'an endpoint without a host', patch: 'cluster: {controlPlane: {endpoint: "https://"}}' },
  { why: 'a domain that is none', patch: 'cluster: {network: {dnsDomain: "a b"}}' },
  {
    why: 'manifests of a cloud that is off',
    patch: 'cluster: {externalCloudProvider: {enabled: false, manifests: ["https://a.example"]}}',
  },
  { why: 'etcd on a worker', role: 'worker', patch: 'cluster: {etcd: {subnet: 10.0.0.0/8}}' },
  { why: 'etcd without an authority', patch: 'cluster: {etcd: {ca: {$patch: delete}}}' },
  { why: 'etcd on no subnet', patch: 'cluster: {etcd: {listenSubnets: [10.0.0.0/33]}}' },
  { why: 'two settings of one subnet', patch: 'cluster: {etcd: {subnet: 10.0.0.0/8}}' },
  {
    why: 'two manifests of one name',
    patch: 'cluster: {inlineManifests: [{name: a, contents: a}, {name: a, contents: b}]}',
  },
  { why: 'a manifest without a name', patch: 'cluster: {inlineManifests: [{contents: a}]}' },
  { why: 'discovery without an id', patch: 'cluster: {id: {$patch: delete}}' },
  {
    why: 'a discovery service with a path',
    patch: 'cluster: {discovery: {registries: {service: {endpoint: "https://a.example/b"}}}}',
  },
  { why: 'a CNI that Talos does not have', patch: 'cluster: {network: {cni: {name: cilium}}}' },
  {
    why: 'manifests of no CNI',
    patch: 'cluster: {network: {cni: {name: none, urls: ["https://a.example"]}}}',
  },
  {
    why: 'flannel for another CNI',
    patch: 'cluster: {network: {cni: {name: none, flannel: {extraArgs: [a]}}}}',
  },
  {
    why: 'a CNI from nowhere',
    patch: 'cluster: {network: {cni: {name: custom, urls: ["/path"]}}}',
  },
  {
    why: 'two ways to authorize',
    patch:
      'cluster: {apiServer: {extraArgs: {authorization-mode: RBAC}, authorizationConfig: [{type: RBAC, name: rbac}]}}',
  },
  {
    why: 'an authorizer of no type',
    patch: 'cluster: {apiServer: {authorizationConfig: [{type: ABAC, name: abac}]}}',
  },
  {
    why: 'a resource that is none',
    patch: 'cluster: {scheduler: {resources: {limits: {gpu: 1}}}}',
  },
  {
    why: 'a kubelet without a version',
    patch: 'machine: {kubelet: {image: ghcr.io/siderolabs/kubelet}}',
    since: 11,
  },
  {
    why: 'a Kubernetes that it does not run',
    patch: 'cluster: {apiServer: {image: "registry.k8s.io/kube-apiserver:v1.25.0"}}',
    since: 11,
  },

  // Parts of the machine.
  { why: 'a kubelet in no subnet', patch: 'machine: {kubelet: {nodeIP: {validSubnets: [eth1]}}}' },
  {
    why: 'a field of the kubelet that Talos sets',
    patch: 'machine: {kubelet: {extraConfig: {staticPodPath: /etc}}}',
  },
  { why: 'a label that is none', patch: 'machine: {nodeLabels: {a b: c}}' },
  { why: 'the value of a label that is none', patch: 'machine: {nodeLabels: {a: "b c"}}' },
  { why: 'an annotation that is none', patch: 'machine: {nodeAnnotations: {/a: b}}' },
  {
    why: "an annotation of Talos's own",
    patch: 'machine: {nodeAnnotations: {talos.dev/owned-labels: b}}',
  },
  { why: 'a taint without an effect', patch: 'machine: {nodeTaints: {dedicated: db}}' },
  {
    why: 'DNS that is forwarded to nobody',
    patch: 'machine: {features: {hostDNS: {enabled: false, forwardKubeDNSToHost: true}}}',
    since: 13,
  },
  {
    why: 'access to Talos on a worker',
    role: 'worker',
    patch: 'machine: {features: {kubernetesTalosAPIAccess: {enabled: true}}}',
  },
  {
    why: 'access to Talos in no role',
    patch:
      'machine: {features: {kubernetesTalosAPIAccess: {enabled: true, allowedRoles: [os:root]}}}',
  },
  {
    why: 'access to Talos without roles',
    patch:
      'machine: {features: {rbac: false, kubernetesTalosAPIAccess: {enabled: true, allowedRoles: [os:reader]}}}',
    until: 11,
  },
  {
    why: 'an order of addresses that it does not know',
    patch: 'machine: {features: {nodeAddressSortAlgorithm: v3}}',
  },
  {
    why: 'a partition after one that takes all',
    patch:
      'machine: {disks: [{device: /dev/sdb, partitions: [{mountpoint: /var/a}, {mountpoint: /var/b}]}]}',
  },
  {
    why: 'a registry without settings',
    patch: 'machine: {registries: {mirrors: {docker.io: null}}}',
  },
  {
    why: 'logs in no format',
    patch: 'machine: {logging: {destinations: [{endpoint: "udp://a.example:1"}]}}',
  },
  {
    why: 'logs to nobody',
    patch:
      'machine: {logging: {destinations: [{endpoint: "https://a.example:1", format: json_lines}]}}',
  },
  {
    why: 'encryption without keys',
    patch: 'machine: {systemDiskEncryption: {state: {provider: luks2}}}',
  },
  {
    why: 'two keys in a slot',
    patch:
      'machine: {systemDiskEncryption: {state: {provider: luks2, keys: [{slot: 1, nodeID: {}}, {slot: 1, nodeID: {}}]}}}',
  },
  {
    why: 'a key from nowhere',
    patch: 'machine: {systemDiskEncryption: {ephemeral: {provider: luks2, keys: [{slot: 1}]}}}',
  },
  {
    why: 'one extension twice',
    patch: 'machine: {install: {extensions: [{image: a}, {image: a}]}}',
  },
  {
    why: 'KubeSpan that is too narrow',
    patch: 'machine: {network: {kubespan: {enabled: true, mtu: 1000}}}',
  },
  {
    why: 'KubeSpan without discovery',
    patch:
      '{machine: {network: {kubespan: {enabled: true}}}, cluster: {discovery: {enabled: false}}}',
  },
  {
    why: 'KubeSpan to nowhere',
    patch: 'machine: {network: {kubespan: {enabled: true, filters: {endpoints: [here]}}}}',
  },

  // Interfaces as they were configured before 1.12.
  { why: 'an interface without a name', patch: 'machine: {network: {interfaces: [{dhcp: true}]}}' },
  {
    why: 'an interface of a name and a selector',
    patch: interfaces('deviceSelector: {driver: virtio}'),
  },
  { why: 'an address that is none', patch: interfaces('addresses: [10.0.0.256]') },
  {
    why: 'two ways to give addresses',
    patch: interfaces('cidr: 10.0.0.1/8, addresses: [10.0.0.1/8]'),
  },
  { why: 'a shared address on a worker', role: 'worker', patch: interfaces('vip: {ip: 10.0.0.9}') },
  { why: 'a shared address that is none', patch: interfaces('vip: {ip: here}') },
  { why: 'a route to nowhere', patch: interfaces('routes: [{metric: 5}]') },
  {
    why: 'a route by way of nobody',
    patch: interfaces('routes: [{network: 10.0.0.0/8, gateway: eth0}]'),
  },
  {
    why: 'an address of a VLAN that is none',
    patch: interfaces('vlans: [{vlanId: 5, addresses: [a]}]'),
  },
  {
    why: 'a bond and a bridge in one',
    patch: interfaces('bond: {interfaces: [eth6]}, bridge: {interfaces: [eth7]}'),
  },
  { why: 'a bond of no mode', patch: interfaces('bond: {interfaces: [eth6], mode: fast}') },
  {
    why: 'a rate of a bond that has none',
    patch: interfaces('bond: {interfaces: [eth6], lacpRate: fast}'),
  },
  {
    why: 'a delay that is no multiple',
    patch: interfaces('bond: {interfaces: [eth6], miimon: 100, updelay: 150}'),
  },
  {
    why: 'one interface in two',
    patch:
      'machine: {network: {interfaces: [{interface: br0, bridge: {interfaces: [eth6]}}, {interface: br1, bridge: {interfaces: [eth6]}}]}}',
  },
  {
    why: 'an address on a part of a bridge',
    patch:
      'machine: {network: {interfaces: [{interface: br0, bridge: {interfaces: [eth6]}}, {interface: eth6, dhcp: true}]}}',
  },
  { why: 'a key of WireGuard that is none', patch: interfaces('wireguard: {privateKey: abc}') },
  {
    why: 'a peer of WireGuard in no range',
    patch: interfaces(
      `wireguard: {privateKey: ${key}, peers: [{publicKey: ${key}, allowedIPs: [a]}]}`,
    ),
  },

  // Documents of links and networks.
  { why: 'a link without a name', patch: document('LinkConfig', 'mtu: 1400'), since: 12 },
  {
    why: 'an address without a prefix',
    patch: document('LinkConfig', 'name: eth1, addresses: [{address: 10.0.0.1}]'),
    since: 12,
  },
  {
    why: 'a route from any address',
    patch: document('LinkConfig', 'name: eth1, routes: [{source: 0.0.0.0}]'),
    since: 12,
  },
  {
    why: 'two documents of one link',
    patch: document('BridgeConfig', 'name: eth1, links: [eth7]'),
    since: 12,
  },
  {
    why: 'a VLAN without a parent',
    patch: document('VLANConfig', 'name: a, vlanID: 5'),
    since: 12,
  },
  {
    why: 'a VLAN out of range',
    patch: document('VLANConfig', 'name: a, vlanID: 4095, parent: eth1'),
    since: 12,
  },
  {
    why: 'a bond document of no mode',
    patch: document('BondConfig', 'name: a, links: [eth7]'),
    since: 12,
  },
  {
    why: 'a VRF of a table of the kernel',
    patch: document('VRFConfig', 'name: a, table: main'),
    since: 13,
  },
  { why: 'WireGuard without a key', patch: document('WireguardConfig', 'name: a'), since: 12 },
  {
    why: 'a DUID that is not given',
    patch: document('DHCPv6Config', 'name: eth1, clientIdentifier: duid'),
    since: 12,
  },
  { why: 'an alias for nothing', patch: document('LinkAliasConfig', 'name: a'), since: 12 },
  {
    why: 'an alias of another pattern',
    patch: document('LinkAliasConfig', 'name: "a%s", selector: {match: "true"}'),
    since: 13,
  },
  { why: 'a host name that is given twice', patch: 'machine: {network: {hostname: a}}', since: 12 },
  {
    why: 'a host name beside one that Talos makes',
    patch: document('HostnameConfig', 'auto: stable'),
    since: 12,
  },
  {
    why: 'a host name that is too long',
    patch: document('HostnameConfig', `hostname: ${'a'.repeat(64)}`),
    since: 12,
  },
  {
    why: 'name servers that are given twice',
    patch: `machine: {network: {nameservers: [1.1.1.1]}}\n---\n${document('ResolverConfig', 'nameservers: [{address: 9.9.9.9}]')}`,
    since: 12,
  },
  {
    why: 'time servers that are given twice',
    patch: `machine: {time: {servers: [a]}}\n---\n${document('TimeSyncConfig', 'ntp: {servers: [b]}')}`,
    since: 12,
  },
  {
    why: 'two sources of time',
    patch: document('TimeSyncConfig', 'ntp: {servers: [b]}, ptp: {devices: [/dev/ptp0]}'),
    since: 12,
  },
  {
    why: 'KubeSpan that is given twice',
    patch: `machine: {network: {kubespan: {enabled: false}}}\n---\n${document('KubeSpanConfig', 'enabled: false')}`,
    since: 13,
  },
  {
    why: 'a VIP that is no address',
    patch: document('Layer2VIPConfig', 'name: a, link: eth1'),
    since: 12,
  },
  {
    why: 'a VIP of Hetzner without a token',
    patch: document('HCloudVIPConfig', 'name: 10.0.0.9, link: eth1'),
    since: 12,
  },
  { why: 'a host of no name', patch: document('StaticHostConfig', 'name: 10.0.0.9'), since: 12 },
  { why: 'a probe of nothing', patch: document('TCPProbeConfig', 'name: a'), since: 13 },
  {
    why: 'a black hole that is no range',
    patch: document('BlackholeRouteConfig', 'name: 10.0.0.1'),
    since: 13,
  },
  {
    why: 'a rule of a priority of the kernel',
    patch: document('RoutingRuleConfig', 'name: "32766", table: "5"'),
    since: 13,
  },
  {
    why: 'a rule that leads nowhere',
    patch: document('RoutingRuleConfig', 'name: "100"'),
    since: 13,
  },
  { why: 'a firewall rule without ports', patch: document('NetworkRuleConfig', 'name: a') },
  {
    why: 'ports that overlap',
    patch: document('NetworkRuleConfig', 'name: a, portSelector: {ports: [80-90, 85]}'),
  },
  {
    why: 'ports in the wrong order',
    patch: document('NetworkRuleConfig', 'name: a, portSelector: {ports: [90-80]}'),
  },
  {
    why: 'ports for no one',
    patch: document(
      'NetworkRuleConfig',
      'name: a, portSelector: {ports: [80]}, ingress: [{except: 10.0.0.0/8}]',
    ),
  },
  {
    why: 'an action that it does not know',
    patch: document('NetworkDefaultActionConfig', 'ingress: drop'),
  },

  // Volumes.
  { why: 'a system volume that it does not have', patch: document('VolumeConfig', 'name: DATA') },
  {
    why: 'a volume whose least is more than its most',
    patch: document(
      'VolumeConfig',
      'name: EPHEMERAL, provisioning: {minSize: 20GB, maxSize: 10GB}',
    ),
  },
  {
    why: 'a size that is none',
    patch: document('VolumeConfig', 'name: EPHEMERAL, provisioning: {minSize: large}'),
  },
  {
    why: 'a STATE that grows',
    patch: document('VolumeConfig', 'name: STATE, provisioning: {grow: true}'),
  },
  {
    why: 'encryption by nothing',
    patch: document('VolumeConfig', 'name: EPHEMERAL, encryption: {keys: [{slot: 0, nodeID: {}}]}'),
    since: 11,
  },
  {
    why: 'encryption that is given twice',
    patch: `machine: {systemDiskEncryption: {state: {keys: [{slot: 0, nodeID: {}}]}}}\n---\n${document('VolumeConfig', 'name: STATE, encryption: {provider: luks2, keys: [{slot: 0, nodeID: {}}]}')}`,
    since: 12,
  },
  {
    why: 'a volume on no disk',
    patch: document('UserVolumeConfig', 'name: data, provisioning: {minSize: 1GB}'),
    since: 10,
  },
  {
    why: 'a volume of no size',
    patch: document(
      'UserVolumeConfig',
      'name: data, provisioning: {diskSelector: {match: "true"}}',
    ),
    since: 10,
  },
  {
    why: 'a volume of a bad name',
    patch: document(
      'UserVolumeConfig',
      'name: my_data, provisioning: {diskSelector: {match: "true"}, minSize: 1GB}',
    ),
    since: 10,
  },
  {
    why: 'a directory with a disk',
    patch: document(
      'UserVolumeConfig',
      'name: data, volumeType: directory, provisioning: {minSize: 1GB}',
    ),
    since: 12,
  },
  {
    why: 'a file system that it does not make',
    patch: document(
      'UserVolumeConfig',
      'name: data, provisioning: {diskSelector: {match: "true"}, minSize: 1GB}, filesystem: {type: vfat}',
    ),
    since: 10,
  },
  {
    why: 'an existing volume that is not found',
    patch: document('ExistingVolumeConfig', 'name: data'),
    since: 11,
  },
  {
    why: 'an external volume without a tag',
    patch: document('ExternalVolumeConfig', 'name: data, filesystemType: virtiofs'),
    since: 13,
  },
  {
    why: 'more than all of the swap',
    patch: document('ZswapConfig', 'maxPoolPercent: 101'),
    since: 11,
  },

  // The rest.
  {
    why: 'a variable of no name',
    patch: document('EnvironmentConfig', 'variables: {1a: b}'),
    since: 13,
  },
  { why: 'events to nobody', patch: document('EventSinkConfig', 'endpoint: a.example') },
  {
    why: 'a log of the kernel without a port',
    patch: document('KmsgLogConfig', 'name: a, url: "tcp://a.example"'),
  },
  {
    why: 'SideroLink by another protocol',
    patch: document('SideroLinkConfig', 'apiUrl: "http://a.example"'),
  },
  { why: 'a watchdog without a device', patch: document('WatchdogTimerConfig', 'timeout: 1m') },
  {
    why: 'a watchdog that barks at once',
    patch: document('WatchdogTimerConfig', 'device: /dev/watchdog0, timeout: 5s'),
  },
  {
    why: 'a service of an extension without settings',
    patch: document('ExtensionServiceConfig', 'name: a'),
  },
  {
    why: 'a file without a place',
    patch: document('ExtensionServiceConfig', 'name: a, configFiles: [{content: a}]'),
  },
  {
    why: 'a mirror by another protocol',
    patch: document(
      'RegistryMirrorConfig',
      'name: docker.io, endpoints: [{url: "ftp://a.example"}]',
    ),
    since: 12,
  },
  {
    why: 'two logins of one registry',
    patch: document('RegistryAuthConfig', 'name: docker.io, username: a, auth: b'),
    since: 12,
  },
  {
    why: 'a certificate that is none',
    patch: document('RegistryTLSConfig', 'name: docker.io, ca: abc'),
    since: 12,
  },
  {
    why: 'a rule about images that decides nothing',
    patch: document('ImageVerificationConfig', 'rules: [{image: a}]'),
    since: 13,
  },
  {
    why: 'a rule about images that decides twice',
    patch: document('ImageVerificationConfig', 'rules: [{image: a, skip: true, deny: true}]'),
    since: 13,
  },
  {
    why: 'images that nobody has signed',
    patch: document(
      'ImageVerificationConfig',
      'rules: [{image: a, keyless: {issuer: "https://a.example"}}]',
    ),
    since: 13,
  },
  // Documents that came with 1.14, and the shape that they take the place of.
  ...[
    {
      why: 'a kubelet in both shapes',
      patch: document('KubeletConfig', `image: ${image('kubelet')}`),
    },
    { why: 'a proxy in both shapes', patch: document('KubeProxyConfig', 'enabled: false') },
    { why: 'labels in both shapes', patch: document('KubeNodeConfig', 'labels: {a: b}') },
    {
      why: 'networks in both shapes',
      patch: document(
        'KubeNetworkConfig',
        'podSubnets: [10.0.0.0/16], serviceSubnets: [10.1.0.0/16]',
      ),
    },
    {
      why: 'a resolver of its own in both shapes',
      patch: document('ResolverConfig', 'hostDNS: {enabled: true}'),
    },
    { why: 'a disk in both shapes', patch: document('UnattendedInstallConfig', 'wipe: true') },
    {
      why: 'an API server on a worker',
      role: 'worker' as const,
      patch: document('KubeAPIServerConfig', `image: ${image('kube-apiserver')}`),
    },
    { why: 'a file of Talos itself', patch: document('EtcFileConfig', 'name: resolv.conf') },
    { why: 'a file elsewhere', patch: document('EtcFileConfig', 'name: ../var/a') },
    { why: 'scrubbing without a pause', patch: document('FilesystemScrubConfig', 'interval: 1s') },
    { why: 'a pair with itself', patch: document('VethConfig', 'name: a, peer: {name: a}') },
    {
      why: 'a web probe of nothing',
      patch: document('HTTPProbeConfig', 'name: a, url: "ftp://a.example"'),
    },
    {
      why: 'stripes of a linear volume',
      patch: document(
        'LVMLogicalVolumeConfig',
        'name: a, stripes: 2, provisioning: {volumeGroup: a, maxSize: 10GB}',
      ),
    },
    { why: 'a manifest of a bad name', patch: document('KubeInlineManifestConfig', 'name: A') },
    { why: 'a static pod of nothing', patch: document('KubeStaticPodConfig', 'name: a') },
    {
      why: 'a customization of a bad name',
      patch: document('CRICustomizationConfig', 'name: "a b"'),
    },
  ].map((patch) => ({ ...patch, since: 14 })),
]

export const acceptedPatches: readonly (PatchCase & {
  readonly warns?: boolean
  /** The minor of Talos since which there is a warning. */
  readonly warnsSince?: number
})[] = [
  {
    why: 'a list as an argument',
    patch: 'cluster: {apiServer: {extraArgs: {v: [a, b]}}}',
    since: 13,
  },
  {
    why: 'a pattern of images with a tag',
    patch: document('ImageVerificationConfig', 'rules: [{image: "a.example/b:v1", skip: true}]'),
    since: 13,
    warns: true,
  },
  {
    why: 'a pattern of images with a digest',
    patch: document('ImageVerificationConfig', 'rules: [{image: "a.example/b@x", skip: true}]'),
    since: 13,
    warns: true,
  },
  {
    why: 'a pattern of images without a registry',
    patch: document('ImageVerificationConfig', 'rules: [{image: nginx, skip: true}]'),
    since: 13,
    warns: true,
  },
  {
    why: 'a registry with a port in a pattern of images',
    patch: document('ImageVerificationConfig', 'rules: [{image: "a.example:5000/b", skip: true}]'),
    since: 13,
  },
  {
    why: 'numbers and words as texts',
    patch: 'machine: {sysctls: {a: 1, b: true}, env: {A: 1.5}}',
  },
  { why: 'old words for booleans', patch: interfaces('dhcp: "yes"') },
  { why: 'names in upper case', patch: document('NetworkDefaultActionConfig', 'ingress: BLOCK') },
  {
    why: 'keys without values',
    patch: 'machine: {kubelet: {extraMounts: null, nodeIP: {validSubnets: null}}}',
  },
  {
    why: 'subnets that are excluded',
    patch: 'machine: {kubelet: {nodeIP: {validSubnets: ["!10.1.0.0/16", "fd00::/8"]}}}',
  },
  {
    why: 'sysctls, files, modules and mounts',
    warnsSince: 14,
    patch:
      'machine: {sysctls: {net.core.somaxconn: "1024"}, kernel: {modules: [{name: nbd}]}, files: [{path: /var/a, content: a, op: create, permissions: 420}], kubelet: {extraMounts: [{destination: /var/a, source: /var/a, type: bind, options: [bind]}]}}',
  },
  {
    why: 'a taint',
    patch: 'machine: {nodeTaints: {dedicated: "db:NoSchedule", a.example/b: NoExecute}}',
  },
  {
    why: 'a list as the value of anything',
    patch: 'cluster: {apiServer: {auditPolicy: {rules: [{level: None, users: [a]}]}}}',
  },
  {
    why: 'access to Talos from Kubernetes',
    patch:
      'machine: {features: {kubernetesTalosAPIAccess: {enabled: true, allowedRoles: [os:reader], allowedKubernetesNamespaces: [a]}}}',
  },
  {
    why: 'a CNI of your own',
    patch: 'cluster: {network: {cni: {name: custom, urls: ["https://a.example/cni.yaml"]}}}',
  },
  {
    why: 'a CNI from no manifests',
    patch: 'cluster: {network: {cni: {name: custom}}}',
    warns: true,
  },
  {
    why: 'extensions in the config',
    patch: 'machine: {install: {extensions: [{image: a}]}}',
    warns: true,
  },
  { why: 'an address in the old way', patch: interfaces('cidr: 10.0.0.1/8'), warns: true },
  {
    why: 'another type of the worker',
    role: 'worker',
    patch: 'machine: {type: join}',
    warns: true,
  },
  { why: 'an interface that is ignored', patch: interfaces('ignore: true, addresses: [a]') },
  {
    why: 'a bond',
    patch: interfaces(
      'bond: {interfaces: [eth6, eth7], mode: 802.3ad, lacpRate: fast, miimon: 100, updelay: 200}',
    ),
  },
  {
    why: 'a kubelet of another flavour',
    patch: 'machine: {kubelet: {image: "ghcr.io/siderolabs/kubelet:v1.32.1-slim"}}',
  },
  {
    why: 'KubeSpan',
    patch:
      'machine: {network: {kubespan: {enabled: true, mtu: 1400, filters: {endpoints: [0.0.0.0/0, "::/0"]}}}}',
  },
  {
    why: 'a firewall',
    patch: document(
      'NetworkRuleConfig',
      'name: a, portSelector: {ports: [80, 8000-8010], protocol: tcp}, ingress: [{subnet: 10.0.0.0/8, except: 10.1.0.0/16}]',
    ),
  },
  {
    why: 'sizes in several units',
    patch: document(
      'VolumeConfig',
      'name: EPHEMERAL, provisioning: {minSize: 10 gib, maxSize: 1TB}',
    ),
  },
  {
    why: 'a size as a part of the disk',
    patch: document(
      'VolumeConfig',
      'name: EPHEMERAL, provisioning: {minSize: 100GB, maxSize: 80%}',
    ),
    since: 12,
  },
  {
    why: 'a volume of a user',
    patch: document(
      'UserVolumeConfig',
      'name: data, provisioning: {diskSelector: {match: "disk.size > 10u"}, minSize: 1GB}, filesystem: {type: xfs}',
    ),
    since: 10,
  },
  {
    why: 'a directory',
    patch: document('UserVolumeConfig', 'name: data, volumeType: directory'),
    since: 12,
  },
  {
    why: 'a VLAN',
    patch: document(
      'VLANConfig',
      'name: a, vlanID: 5, parent: eth1, addresses: [{address: 10.9.0.1/24}], routes: [{destination: 10.8.0.0/16, gateway: 10.9.0.254, table: "100"}]',
    ),
    since: 12,
  },
  {
    why: 'a bond without delays',
    patch: document('BondConfig', 'name: a, links: [eth7], bondMode: 802.3ad'),
    since: 12,
    warns: true,
  },
  {
    why: 'a black hole',
    patch: document('BlackholeRouteConfig', 'name: 10.9.0.0/16, metric: 5'),
    since: 13,
  },
  {
    why: 'a service of an extension',
    patch: document('ExtensionServiceConfig', 'name: a, environment: [A=b]'),
  },
  {
    why: 'a mirror',
    patch: document(
      'RegistryMirrorConfig',
      'name: docker.io, endpoints: [{url: "https://a.example", overridePath: true}]',
    ),
    since: 12,
  },
  {
    why: 'a watchdog',
    patch: document('WatchdogTimerConfig', 'device: /dev/watchdog0, timeout: 1m30s'),
  },
  {
    why: 'roots that are trusted',
    patch: document('TrustedRootsConfig', 'name: a, certificates: abc'),
  },
  {
    why: 'images that are verified',
    patch: document(
      'ImageVerificationConfig',
      'rules: [{image: "a.example/*", keyless: {issuer: "https://a.example", subject: b}}, {image: "*", deny: true}]',
    ),
    since: 13,
  },
  ...[
    {
      why: 'an isolated node',
      patch: document('SecurityProfileConfig', 'workloadIsolation: true'),
    },
    { why: 'disks that are trimmed', patch: document('FilesystemTrimConfig', 'interval: 168h') },
    {
      why: 'sysctls as a document',
      patch: document('SysctlConfig', 'params: {vm.max_map_count: "262144"}'),
    },
    { why: 'a module as a document', patch: document('KernelModuleConfig', 'name: nbd') },
    {
      why: 'a file as a document',
      patch: document('EtcFileConfig', 'name: a/b.conf, contents: c'),
    },
    {
      why: 'a way to /var without programs',
      patch: document('VolumeConfig', 'name: EPHEMERAL, mount: {secure: true}'),
    },
    {
      why: 'a manifest as a document',
      patch: document('KubeInlineManifestConfig', 'name: a, manifest: ""'),
    },
    { why: 'a pair of links', patch: document('VethConfig', 'name: a, peer: {name: b}') },
    {
      why: 'a probe of the web',
      patch: document('HTTPProbeConfig', 'name: a, url: "https://a.example", interval: 10s'),
    },
  ].map((patch) => ({ ...patch, since: 14 })),
]
