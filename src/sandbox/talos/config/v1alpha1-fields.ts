/**
 * The fields that a v1alpha1 machine config has (Talos 1.13's own types): `_` names the plain ones,
 * `*` stands for any key of a map, an array of one for a list of such,
 * and a text for an object that has plain fields only. A plain field's suffix is
 * its kind: `[]` list, `{}` free map, `?` boolean, `#` number, none for a string (any scalar will do).
 */
export interface Fields {
  readonly _?: string
  readonly [name: string]: Fields | readonly [Fields | string] | string | undefined
}

const certifiedKey = 'crt key'

const deviceSelector = 'busPath hardwareAddr permanentAddr pciID driver physical?'
const idMapping = 'containerID# hostID# size'
const route = 'network gateway source metric# mtu'
const dhcpOptions = 'routeMetric# ipv4? ipv6? duidv6'
const resources = 'requests{} limits{}'
const volume = 'hostPath mountPath readonly'
const token = 'apiToken'

export const v1alpha1Fields: Fields = {
  _: 'version debug? persist?',
  machine: {
    _: 'type token certSANs[] pods[] env{} sysctls{} sysfs{} baseRuntimeSpecOverrides{} nodeLabels{} nodeAnnotations{} nodeTaints{}',
    ca: certifiedKey,
    acceptedCAs: ['crt'],
    controlPlane: {
      controllerManager: 'disabled?',
      scheduler: 'disabled?',
    },
    kubelet: {
      _: 'image clusterDNS[] extraArgs{} extraConfig{} credentialProviderConfig{} defaultRuntimeSeccompProfileEnabled? registerWithFQDN? skipNodeRegistration? disableManifestsDirectory?',
      extraMounts: [
        {
          _: 'destination type source options[]',
          uidMappings: [idMapping],
          gidMappings: [idMapping],
        },
      ],
      nodeIP: 'validSubnets[]',
    },
    network: {
      _: 'hostname nameservers[] searchDomains[] disableSearchDomain?',
      interfaces: [
        {
          _: 'interface addresses[] cidr mtu dhcp? ignore? dummy?',
          deviceSelector,
          routes: [route],
          bond: {
            _: 'interfaces[] arpIPTarget[] mode xmitHashPolicy lacpRate adActorSystem arpValidate arpAllTargets primary primaryReselect failOverMac adSelect miimon# updelay# downdelay# arpInterval# resendIgmp# minLinks# lpInterval# packetsPerSlave# numPeerNotif# tlbDynamicLb# allSlavesActive# useCarrier? adActorSysPrio# adUserPortKey# peerNotifyDelay#',
            deviceSelectors: [deviceSelector],
          },
          bridge: {
            _: 'interfaces[]',
            stp: 'enabled?',
            vlan: 'vlanFiltering?',
          },
          bridgePort: 'master',
          vlans: [
            {
              _: 'addresses[] cidr dhcp? vlanId# mtu',
              routes: [route],
              vip: {
                _: 'ip',
                equinixMetal: token,
                hcloud: token,
              },
              dhcpOptions,
            },
          ],
          dhcpOptions,
          wireguard: {
            _: 'privateKey listenPort# firewallMark#',
            peers: ['publicKey endpoint persistentKeepaliveInterval allowedIPs[]'],
          },
          vip: {
            _: 'ip',
            equinixMetal: token,
            hcloud: token,
          },
        },
      ],
      extraHostEntries: ['ip aliases[]'],
      kubespan: {
        _: 'enabled? advertiseKubernetesNetworks? allowDownPeerBypass? harvestExtraEndpoints? mtu',
        filters: 'endpoints[] excludeAdvertisedNetworks[]',
      },
    },
    disks: [
      {
        _: 'device',
        partitions: ['size mountpoint'],
      },
    ],
    install: {
      _: 'disk extraKernelArgs[] image bootloader? wipe? legacyBIOSSupport? grubUseUKICmdline?',
      diskSelector: 'size name model serial modalias uuid wwid type busPath',
      extensions: ['image'],
    },
    files: ['content permissions# path op'],
    time: 'disabled? servers[] bootTimeout',
    registries: {
      mirrors: {
        '*': 'endpoints[] overridePath? skipFallback?',
      },
      config: {
        '*': {
          tls: {
            _: 'ca[] insecureSkipVerify?',
            clientIdentity: certifiedKey,
          },
          auth: 'username password auth identityToken',
        },
      },
    },
    systemDiskEncryption: {
      state: {
        _: 'provider cipher keySize# blockSize options[]',
        keys: [
          {
            _: 'nodeID{} slot#',
            static: 'passphrase',
            kms: 'endpoint',
            tpm: 'checkSecurebootStatusOnEnroll?',
          },
        ],
      },
      ephemeral: {
        _: 'provider cipher keySize# blockSize options[]',
        keys: [
          {
            _: 'nodeID{} slot#',
            static: 'passphrase',
            kms: 'endpoint',
            tpm: 'checkSecurebootStatusOnEnroll?',
          },
        ],
      },
    },
    features: {
      _: 'rbac? stableHostname? apidCheckExtKeyUsage? diskQuotaSupport? nodeAddressSortAlgorithm',
      kubernetesTalosAPIAccess: 'enabled? allowedRoles[] allowedKubernetesNamespaces[]',
      kubePrism: 'enabled? port#',
      hostDNS: 'enabled? forwardKubeDNSToHost? resolveMemberNames?',
      imageCache: 'localEnabled?',
    },
    udev: 'rules[]',
    logging: {
      destinations: ['endpoint format extraTags{}'],
    },
    kernel: {
      modules: ['name parameters[]'],
    },
    seccompProfiles: ['name value{}'],
  },
  cluster: {
    _: 'id secret clusterName token aescbcEncryptionSecret secretboxEncryptionSecret extraManifests[] extraManifestHeaders{} allowSchedulingOnMasters? allowSchedulingOnControlPlanes?',
    controlPlane: 'endpoint localAPIServerPort#',
    network: {
      _: 'dnsDomain podSubnets[] serviceSubnets[]',
      cni: {
        _: 'name urls[]',
        flannel: 'extraArgs[] kubeNetworkPoliciesEnabled?',
      },
    },
    ca: certifiedKey,
    acceptedCAs: ['crt'],
    aggregatorCA: certifiedKey,
    serviceAccount: 'key',
    apiServer: {
      _: 'image extraArgs{} env{} certSANs[] disablePodSecurityPolicy? auditPolicy{}',
      extraVolumes: [volume],
      admissionControl: ['name configuration{}'],
      resources,
      authorizationConfig: ['type name webhook{}'],
    },
    controllerManager: {
      _: 'image extraArgs{} env{}',
      extraVolumes: [volume],
      resources,
    },
    proxy: 'disabled? image mode extraArgs{}',
    scheduler: {
      _: 'image extraArgs{} env{} config{}',
      extraVolumes: [volume],
      resources,
    },
    discovery: {
      _: 'enabled?',
      registries: {
        kubernetes: 'disabled?',
        service: 'disabled? endpoint',
      },
    },
    etcd: {
      _: 'image extraArgs{} subnet advertisedSubnets[] listenSubnets[]',
      ca: certifiedKey,
    },
    coreDNS: 'disabled? image',
    externalCloudProvider: 'enabled? manifests[]',
    inlineManifests: ['name contents'],
    adminKubeconfig: 'certLifetime',
  },
}
