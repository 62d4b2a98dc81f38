import { expect, test } from 'vitest'
import { patchFindings } from '../../src/talos/patch-findings.ts'
import { clusterSpec } from '../plan/specs.ts'

const base = clusterSpec()

/** What is found in patches of all nodes, each as `<severity> <where>: <message>`. */
function findings(...patches: string[]): string[] {
  return patchFindings({
    ...base,
    talos: { ...base.talos, version: 'v1.13.9', patches },
    kubernetes: { ...base.kubernetes, version: '1.36.3' },
  }).map(({ severity, place, message }) => `${severity} ${place.at.join('.')}: ${message}`)
}

test.each([
  [
    'an argument of a control plane component',
    'cluster: {apiServer: {extraArgs: {audit-log-maxagee: "7"}}}',
    'error cluster.apiServer.extraArgs.audit-log-maxagee: kube-apiserver has no argument `audit-log-maxagee` in Kubernetes 1.36, and kube-apiserver would not start',
  ],
  [
    'one with several values',
    'cluster: {controllerManager: {extraArgs: {feature-gates: [AllBeta=true, NodeSwap=false]}}}',
    'error cluster.controllerManager.extraArgs.feature-gates: the feature gate NodeSwap is locked to true since Kubernetes 1.34, and kube-controller-manager would not start',
  ],
  [
    'one that Talos sets by itself',
    'cluster: {apiServer: {extraArgs: {etcd-servers: "https://x:2379"}}}',
    'error cluster.apiServer.extraArgs.etcd-servers: Talos sets etcd-servers of kube-apiserver by itself and takes no other',
  ],
  [
    "a feature gate in the kubelet's configuration",
    'machine: {kubelet: {extraConfig: {featureGates: {SizeMemoryBackedVolumes: true}}}}',
    'error machine.kubelet.extraConfig.featureGates.SizeMemoryBackedVolumes: there is no feature gate SizeMemoryBackedVolumes since Kubernetes 1.35',
  ],
  [
    "a field of the kubelet's configuration that there is not",
    'machine: {kubelet: {extraConfig: {maxPodz: 100}}}',
    "error machine.kubelet.extraConfig.maxPodz: the kubelet's configuration has no field `maxPodz` in Kubernetes 1.36, and Talos would give the kubelet none",
  ],
  [
    'one deep in it, in a list',
    'machine: {kubelet: {extraConfig: {registerWithTaints: [{key: a, efect: NoSchedule}], evictionHard: {anything: 5%}}}}',
    "error machine.kubelet.extraConfig.registerWithTaints.0.efect: the kubelet's configuration has no field `registerWithTaints[].efect` in Kubernetes 1.36, and Talos would give the kubelet none",
  ],
  [
    "a value of the kubelet's configuration that is none of its kind",
    'machine: {kubelet: {extraConfig: {maxPods: many}}}',
    "error machine.kubelet.extraConfig.maxPods: the kubelet's configuration takes a whole number in maxPods, and Talos would give the kubelet none",
  ],
  [
    'one of a mapping in it',
    'machine: {kubelet: {extraConfig: {systemReserved: {memory: 1Gi, cpu: 1}}}}',
    "error machine.kubelet.extraConfig.systemReserved.cpu: the kubelet's configuration takes a text in systemReserved, and Talos would give the kubelet none",
  ],
  [
    'one in a list in it',
    'machine: {kubelet: {extraConfig: {shutdownGracePeriodByPodPriority: [{priority: high, shutdownGracePeriodSeconds: 60}]}}}',
    "error machine.kubelet.extraConfig.shutdownGracePeriodByPodPriority.0.priority: the kubelet's configuration takes a whole number in shutdownGracePeriodByPodPriority[].priority, and Talos would give the kubelet none",
  ],
  [
    'a feature gate that is set to a text',
    'machine: {kubelet: {extraConfig: {featureGates: {KubeletPSI: "true"}}}}',
    'error machine.kubelet.extraConfig.featureGates.KubeletPSI: the feature gate KubeletPSI must be set to true or false',
  ],
  [
    'kernel arguments that no node takes from its config',
    'machine: {install: {extraKernelArgs: [a=b]}}',
    'warning machine.install.extraKernelArgs: machine.install.extraKernelArgs does nothing: a node takes its kernel arguments from its image',
  ],
  [
    'the configuration of an admission plugin that there is not',
    'cluster: {apiServer: {admissionControl: [{name: PodSecurty, configuration: {}}]}}',
    'error cluster.apiServer.admissionControl.0.name: there is no admission plugin `PodSecurty` in Kubernetes 1.36',
  ],
])('a patch is told for %s', (_what, patch, expected) => {
  expect(findings('machine: {sysctls: {a: "1"}}', patch)).toEqual([expected])
})

test('values of the kubelet that Talos takes are none, nor those that only the node can judge', () => {
  const good = `machine: {kubelet: {extraConfig: {maxPods: 110, kubeReserved: {cpu: 50m}, evictionHard: {memory.available: 5%},
    cpuCFSQuota: true, cpuManagerReconcilePeriod: 10s, memoryThrottlingFactor: 0.9, tlsCipherSuites: [TLS_AES_128_GCM_SHA256],
    logging: {flushFrequency: 5000000000}, registerWithTaints: [{key: a, effect: NoSchedule}], featureGates: {AllBeta: false},
    reservedMemory: [{numaNode: 0, limits: {memory: 1Gi}}], clusterDNS: null}}}`
  expect(findings(good)).toEqual([])
})

test.each([
  ['maxPods: "110"', 'Write it without quotes.'],
  ['maxPods: 1.5', 'Write a whole number.'],
  ['clusterDomain: 1.10', 'Write it in quotes.'],
  ['serializeImagePulls: "true"', 'Write it without quotes.'],
  ['evictionHard: none', 'Write a mapping.'],
  ['tlsCipherSuites: a', 'Write a list.'],
  ['tlsCipherSuites: [a, 1]', 'Write it in quotes.'],
  ['syncFrequency: often', 'Write a duration, such as 90s or 1h30m.'],
  ['syncFrequency: 10', 'Write a duration, such as 90s or 1h30m.'],
])('a hint says what to write instead of %s', (setting, hint) => {
  const problems = patchFindings({
    ...base,
    talos: {
      ...base.talos,
      version: 'v1.13.9',
      patches: [`machine: {kubelet: {extraConfig: {${setting}}}}`],
    },
    kubernetes: { ...base.kubernetes, version: '1.36.3' },
  })
  expect(problems.map((each) => each.hint)).toEqual([hint])
})

test.each([
  ['quota-backend-byte', 'etcd has no argument `quota-backend-byte` in etcd 3.6'],
  ['enable-v2', 'etcd has no argument enable-v2 since etcd 3.6'],
])('an argument that etcd does not know is told: %s', (flag, message) => {
  const [first] = findings(`cluster: {etcd: {extraArgs: {${flag}: "1"}}}`)
  expect(first).toBe(`error cluster.etcd.extraArgs.${flag}: ${message}, and etcd would not start`)
})

test('a component whose image a patch takes elsewhere is judged by that version', () => {
  const args = 'extraArgs: {concurrent-service-syncs: "3"}'
  expect(findings(`cluster: {controllerManager: {${args}}}`)).toEqual([])
  expect(
    findings(
      `cluster: {controllerManager: {image: "mirror.example/kube-controller-manager:v1.33.1", extraArgs: {controller-shutdown-timeout: 9s}}}`,
    ),
  ).toEqual([
    expect.stringContaining('no argument controller-shutdown-timeout before Kubernetes 1.35'),
    expect.stringContaining('pins kube-controller-manager to another version'),
  ])
})

test('a secret in a field that takes no text is an error, and one of a form is not', () => {
  const reference = `"\${secret:key}"`
  expect(
    findings(
      `machine: {kubelet: {disableManifestsDirectory: ${reference}}}`,
      `cluster: {proxy: {disabled: ${reference}}, externalCloudProvider: {manifests: ${reference}}}`,
      `machine: {time: {bootTimeout: ${reference}}, registries: {mirrors: {a: {endpoints: [${reference}]}}}}`,
    ),
  ).toEqual([
    'error machine.kubelet.disableManifestsDirectory: machine.kubelet.disableManifestsDirectory must be true or false',
    'error cluster.externalCloudProvider.manifests: cluster.externalCloudProvider.manifests must be a list, but is a text',
    'error cluster.proxy.disabled: cluster.proxy.disabled must be true or false',
  ])
  expect(findings(`machine: {install: {wipe: ${reference}}}`)).toEqual([
    'error machine.install.wipe: machine.install.wipe must be true or false',
  ])
})

test('etcd has such arguments too', () => {
  const patches = ['cluster: {etcd: {extraArgs: {data-dir: /elsewhere}}}']
  const controlPlane = { ...base.controlPlane, patches }
  expect(patchFindings({ ...base, controlPlane }).map(({ message }) => message)).toEqual([
    'Talos sets data-dir of etcd by itself and takes no other',
  ])
})

test('workers are not told of what only control planes run', () => {
  const [pool] = base.workers
  if (!pool) throw new Error('no pool')
  const patches = ['cluster: {scheduler: {extraArgs: {nothing: "1"}}}']
  expect(patchFindings({ ...base, workers: [{ ...pool, patches }] })).toEqual([])
})

test('what Talos sets by itself since 1.14 is free before', () => {
  const patches = [
    'cluster: {apiServer: {extraArgs: {tls-min-version: VersionTLS12}}}',
    'cluster: {etcd: {extraArgs: {tls-min-version: TLS1.2, feature-gates: "CompactHashCheck=true"}}}',
    'cluster: {etcd: {extraArgs: {listen-client-http-urls: "https://127.0.0.1:2390"}}}',
    'cluster: {etcd: {extraArgs: {listen-metrics-urls: "http://127.0.0.1:2381"}}}',
  ]
  const findingsAt = (version: string) => {
    const controlPlane = { ...base.controlPlane, patches }
    const spec = { ...base, controlPlane, talos: { ...base.talos, version } }
    return patchFindings(spec).map(({ place }) => place.at.slice(1).join('.'))
  }
  expect(findingsAt('v1.13.9')).toEqual([])
  expect(findingsAt('v1.14.1')).toEqual([
    'apiServer.extraArgs.tls-min-version',
    'etcd.extraArgs.tls-min-version',
    'etcd.extraArgs.feature-gates',
    'etcd.extraArgs.listen-client-http-urls',
  ])
})
