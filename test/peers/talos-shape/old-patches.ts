import fc from 'fast-check'
import type { JsonObject } from '../../../src/lib/json.ts'

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const words = fc.dictionary(
  word.map((key) => `example.com/${key}`),
  word,
  { maxKeys: 3 },
)
const args = fc.dictionary(
  fc.constantFrom('v', 'profiling', 'leader-elect'),
  fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 2 })),
  { maxKeys: 2 },
)
const resources = fc.constantFrom(
  { requests: { cpu: '100m', memory: '64Mi' } },
  { limits: { memory: '1Gi' } },
)
const component = fc.record(
  { extraArgs: args, env: fc.dictionary(word, word, { maxKeys: 2 }), resources },
  { requiredKeys: [] },
)
const flag = fc.boolean()

const kubelet = fc.record(
  {
    extraArgs: args,
    extraConfig: fc.constantFrom<JsonObject>(
      { maxPods: 200 },
      { featureGates: { KubeletSeparateDiskGC: true } },
    ),
    clusterDNS: fc.constant(['10.0.96.11']),
    registerWithFQDN: flag,
    skipNodeRegistration: flag,
    nodeIP: fc.constant({ validSubnets: ['!10.0.64.3/32'] }),
    credentialProviderConfig: fc.constant({
      apiVersion: 'kubelet.config.k8s.io/v1',
      providers: [],
    }),
  },
  { requiredKeys: [] },
)

const authorizers = fc.subarray(
  [
    { name: 'own-node', type: 'Node' },
    { name: 'own-rbac', type: 'RBAC' },
    {
      name: 'hook',
      type: 'Webhook',
      webhook: {
        timeout: '3s',
        failurePolicy: 'NoOpinion',
        connectionInfo: { type: 'InClusterConfig' },
      },
    },
  ],
  { minLength: 1 },
)
const apiServer = fc
  .tuple(
    component,
    fc.record(
      {
        certSANs: fc.constant(['further.example.com']),
        auditPolicy: fc.constant({
          apiVersion: 'audit.k8s.io/v1',
          kind: 'Policy',
          rules: [{ level: 'None' }],
        }),
        admissionControl: fc.constant([
          {
            name: 'PodSecurity',
            configuration: { exemptions: { namespaces: ['storage'] } },
          },
          { name: 'EventRateLimit', configuration: { limits: [] } },
        ]),
        authorizationConfig: authorizers,
        disablePodSecurityPolicy: flag,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([one, other]) => ({ ...one, ...other }))

const cluster = fc.record(
  {
    apiServer,
    controllerManager: component,
    scheduler: fc
      .tuple(component, fc.constantFrom({}, { config: { profiles: [{ schedulerName: 'own' }] } }))
      .map(([one, other]) => ({ ...one, ...other })),
    proxy: fc.record(
      { disabled: flag, mode: fc.constant('nftables'), extraArgs: args },
      { requiredKeys: [] },
    ),
    coreDNS: fc.record(
      { disabled: flag, image: fc.constant('registry.k8s.io/coredns/coredns:v1.14.7') },
      { requiredKeys: [] },
    ),
    network: fc.constantFrom<JsonObject>(
      { cni: { name: 'flannel' } },
      { cni: { name: 'flannel', flannel: { extraArgs: ['--iface=eth1'] } } },
      {
        podSubnets: ['10.0.128.0/17', 'fd00:10::/56'],
        serviceSubnets: ['10.0.96.0/19', 'fd00:11::/112'],
      },
    ),
    allowSchedulingOnControlPlanes: flag,
    discovery: fc.constantFrom<JsonObject>(
      { enabled: false },
      { registries: { service: { disabled: true } } },
      { registries: { service: { endpoint: 'https://discovery.example.com/' } } },
    ),
    controlPlane: fc.constant({ localAPIServerPort: 7443 }),
    inlineManifests: fc.constant([{ name: 'own', contents: 'kind: List' }]),
    extraManifests: fc.constant(['https://example.com/manifest.yaml']),
    etcd: fc.constant({ extraArgs: { 'snapshot-count': '5000' } }),
  },
  { requiredKeys: [] },
)

const machine = fc.record(
  {
    kubelet,
    nodeLabels: words,
    nodeAnnotations: words,
    nodeTaints: words.map((each) =>
      Object.fromEntries(Object.keys(each).map((key) => [key, 'a:NoSchedule'])),
    ),
    sysctls: fc.constant({ 'vm.max_map_count': '262144' }),
    sysfs: fc.constant({ 'devices.system.cpu.cpu0.cpufreq.scaling_governor': 'performance' }),
    kernel: fc.constant({ modules: [{ name: 'nbd' }] }),
    udev: fc.constant({ rules: ['KERNEL=="null"'] }),
    baseRuntimeSpecOverrides: fc.constant({ process: { noNewPrivileges: false } }),
    controlPlane: fc.record(
      {
        controllerManager: fc.record({ disabled: flag }),
        scheduler: fc.record({ disabled: flag }),
      },
      { requiredKeys: [] },
    ),
    features: fc.record(
      {
        kubePrism: fc.record({ enabled: flag, port: fc.constantFrom(7445, 7446) }),
        hostDNS: fc.record({ enabled: fc.constant(true), resolveMemberNames: flag }),
        imageCache: fc.record({ localEnabled: flag }),
        nodeAddressSortAlgorithm: fc.constant('v2'),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

/** A patch of the v1alpha1 document, each of whose settings has a place in the documents of 1.14. */
export const oldPatch = fc.record({ machine, cluster }, { requiredKeys: [] })
