import type { JsonObject } from '../../../src/lib/json.ts'

/** Patches that are documents of the contract v1.14, each list one after the other: how values of one path are merged. */
export const newPatches: readonly (readonly JsonObject[])[] = [
  [
    {
      kind: 'KubeletConfig',
      config: { maxPods: 200, evictionHard: { 'memory.available': '1Gi' } },
    },
    { kind: 'KubeletConfig', config: { evictionHard: { 'nodefs.available': '5%' } } },
  ],
  [
    { kind: 'KubeletConfig', config: { maxPods: 200 } },
    { kind: 'KubeletConfig', config: { maxPods: 'many' } },
  ],
  [
    { kind: 'KubeletConfig', config: { allowedUnsafeSysctls: ['a'] } },
    { kind: 'KubeletConfig', config: { allowedUnsafeSysctls: ['b'] } },
  ],
  [
    { kind: 'KubeletConfig', extraArgs: { v: ['1', '2'], one: 'x' } },
    { kind: 'KubeletConfig', extraArgs: { v: '3' } },
  ],
  [
    { kind: 'KubeletConfig', extraArgs: { v: ['1', '2'] } },
    { kind: 'KubeletConfig', extraArgs: { v: ['3'] } },
  ],
  [
    { kind: 'KubeletConfig', clusterDNS: ['10.0.0.1'] },
    { kind: 'KubeletConfig', clusterDNS: ['10.0.0.2'] },
  ],
  [{ kind: 'KubeAPIServerConfig', certExtraSANs: ['further.example.com'] }],
  [
    { kind: 'KubeAPIServerConfig', resources: { requests: { cpu: '1' } } },
    { kind: 'KubeAPIServerConfig', resources: { requests: { memory: '1Gi' }, limits: { cpu: 2 } } },
  ],
  [
    { kind: 'KubeAPIServerConfig', resources: { requests: { cpu: '1' } } },
    { kind: 'KubeAPIServerConfig', resources: { requests: { cpu: 2 } } },
  ],
  [
    { kind: 'KubeAPIServerConfig', env: { A: 'b' } },
    { kind: 'KubeAPIServerConfig', env: { A: '', B: 'c' } },
  ],
  [
    {
      kind: 'KubeAdmissionControlConfig',
      name: 'PodSecurity',
      configuration: { exemptions: { namespaces: ['own'] } },
    },
  ],
  [{ kind: 'KubeAuditPolicyConfig', configuration: { rules: [{ level: 'None' }] } }],
  [{ kind: 'KubeAuthenticationConfig', configuration: { anonymous: { enabled: false } } }],
  [
    { kind: 'KubeAuthorizerConfig', name: 'hook', type: 'Webhook', webhook: { timeout: '3s' } },
    { kind: 'KubeAuthorizerConfig', name: 'hook', webhook: { timeout: 3 } },
  ],
  [
    {
      kind: 'KubeEtcdEncryptionConfig',
      config: { resources: [{ resources: ['configmaps'], providers: [{ identity: {} }] }] },
    },
  ],
  [{ kind: 'KubeNetworkConfig', podSubnets: ['10.1.0.0/16'] }],
  [{ kind: 'KubeNodeConfig', labels: { a: 'b' }, nodeIP: { validSubnets: ['!10.0.64.1/32'] } }],
  [
    { kind: 'KubeSchedulerConfig', config: { profiles: [{ schedulerName: 'a' }] } },
    { kind: 'KubeSchedulerConfig', config: { profiles: [{ schedulerName: 'b' }] } },
  ],
  [
    { kind: 'KubeProxyConfig', config: { bindAddressHardFail: true } },
    { kind: 'KubeProxyConfig', config: { bindAddressHardFail: 'yes' } },
  ],
  [
    { kind: 'KubeFlannelCNIConfig', extraArgs: ['--a'] },
    { kind: 'KubeFlannelCNIConfig', extraArgs: ['--b'], backendPort: 0 },
  ],
  [
    { kind: 'KubeAPIServerConfig', apiPort: 7443 },
    { kind: 'KubeAPIServerConfig', apiPort: 0 },
  ],
  [{ kind: 'KubePrismConfig', port: 0 }],
  [
    { kind: 'SysctlConfig', params: { a: '1' } },
    { kind: 'SysctlConfig', params: { a: '2', b: '3' } },
  ],
  [
    { kind: 'CRIBaseRuntimeSpecConfig', overrides: { process: { a: 1 } } },
    { kind: 'CRIBaseRuntimeSpecConfig', overrides: { process: { b: 1 } } },
  ],
  [{ kind: 'KubeNodeConfig', labels: { 'example.com/disk': { $patch: 'delete' } } }],
  [{ kind: 'KubeNodeConfig', labels: { none: { $patch: 'delete' } } }],
  [
    {
      kind: 'KubeNodeConfig',
      taints: { 'node-role.kubernetes.io/control-plane': { $patch: 'delete' } },
    },
  ],
  [{ kind: 'KubeletConfig', config: { none: { $patch: 'delete' } } }],
  [{ kind: 'KubeletConfig', extraArgs: { none: { $patch: 'delete' } } }],
  [{ kind: 'KubeletConfig', clusterDNS: { $patch: 'delete' } }],
  [{ kind: 'KubeAPIServerConfig', env: { none: { $patch: 'delete' } } }],
  [
    { kind: 'SysctlConfig', params: { a: 'b' } },
    { kind: 'SysctlConfig', params: { none: { $patch: 'delete' } } },
  ],
  [
    { kind: 'SysfsConfig', params: { a: 'b' } },
    { kind: 'SysfsConfig', params: { none: { $patch: 'delete' } } },
  ],
  [
    { kind: 'KubeAPIServerConfig', env: { a: 'b' } },
    { kind: 'KubeAPIServerConfig', env: { none: { $patch: 'delete' } } },
  ],
  [
    { kind: 'KubeSchedulerConfig', env: { a: 'b' }, extraArgs: { v: [1] } },
    { kind: 'KubeSchedulerConfig', extraArgs: { v: [2] }, env: { none: { $patch: 'delete' } } },
  ],
  [
    { kind: 'KubeControllerManagerConfig', extraArgs: { v: [1] } },
    { kind: 'KubeControllerManagerConfig', extraArgs: { v: [2], none: { $patch: 'delete' } } },
  ],
  [
    {
      kind: 'KubeExternalManifestConfig',
      name: 'a',
      url: 'https://example.com/a',
      headers: { a: 'b' },
    },
    { kind: 'KubeExternalManifestConfig', name: 'a', headers: { none: { $patch: 'delete' } } },
  ],
  [{ kind: 'KubeFlannelCNIConfig', $patch: 'delete' }],
  [
    { kind: 'KubeAuthenticationConfig', configuration: { jwt: [] } },
    { kind: 'KubeAuthenticationConfig', configuration: null },
  ],
  [{ kind: 'KubeletConfig', config: { a: null } }],
  [
    { kind: 'KubeletConfig', config: { maxPods: 1 } },
    { kind: 'KubeletConfig', config: { maxPods: null } },
  ],
]
