import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { generateMachineConfig } from '../../../src/talos/config/machine-config.ts'
import { installerImage } from '../../../src/talos/config/schematic.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../../../src/talos/config/secrets-bundle-yaml.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { clusterNode } from '../../talos/nodes.ts'
import { testPki } from '../../talos/pki-environment.ts'
import { differences, documentsOf } from './config-differences.ts'
import { type Machinery, startMachinery } from './machinery.ts'

let machinery: Machinery
let secrets: SecretsBundle
beforeAll(async () => {
  machinery = await startMachinery()
  secrets = await generateSecretsBundle(testPki)
})
afterAll(() => machinery[Symbol.asyncDispose]())

const base = clusterSpec()
const word = fc.stringMatching(/^[a-z]{1,10}$/)
const words = fc.array(word, { maxLength: 3 })
const host = fc.tuple(word, word).map((parts) => `${parts.join('.')}.example.com`)
const name = fc.tuple(word, word).map((parts) => parts.join('-'))
const labels = fc.dictionary(
  word.map((key) => `example.com/${key}`),
  word,
  { maxKeys: 3 },
)
const args = fc.dictionary(fc.constantFrom('v', 'profiling', 'audit-log-maxage'), word, {
  maxKeys: 2,
})

/** What decides about a config, and what machinery is told of it. */
const plain = fc.record({
  version: fc.constantFrom('v1.9.6', 'v1.10.9', 'v1.11.6', 'v1.12.4', 'v1.13.0'),
  role: fc.constantFrom('control-plane' as const, 'worker' as const),
  clusterName: name,
  kubernetes: fc.constantFrom('1.31.4', '1.32.0'),
  certSans: fc.array(host, { maxLength: 3 }),
})

/** What Hetzner's networks and our own choices change in any config; the list is explained in configs.test.ts. */
const ours =
  /^(cluster\.(externalCloudProvider|network\.cni|network\.podSubnets|network\.serviceSubnets|etcd\.advertisedSubnets|proxy\.disabled|apiServer\.certSANs)|machine\.(features\.hostDNS\.forwardKubeDNSToHost|kubelet\.extraArgs|kubelet\.nodeIP|network\.hostname|network\.interfaces)|(DHCPv4Config|LinkConfig) eth[01]|HostnameConfig\.(auto|hostname)):/

test("for any cluster it is machinery's own config, but for what Hetzner wants", async () => {
  const property = fc.asyncProperty(plain, async (input) => {
    const { version, role, clusterName, kubernetes, certSans } = input
    const spec = clusterSpec({
      clusterName,
      talos: { ...base.talos, version },
      kubernetes: { ...base.kubernetes, version: kubernetes, certSans },
    })
    const own = generateMachineConfig({ spec, node: clusterNode({ role }), secrets })
    const { text = '', error } = await machinery.ask({
      op: 'generate',
      bundle: formatSecretsBundle(secrets),
      cluster: {
        name: clusterName,
        endpoint: 'https://10.0.32.254:6443',
        kubernetesVersion: kubernetes,
        contract: version.replace(/\.\d+$/, ''),
        machineType: role === 'worker' ? 'worker' : 'controlplane',
        installDisk: '/dev/sda',
        installImage: installerImage(spec),
        sans: [...new Set(['10.0.32.254', '127.0.0.1', ...certSans])],
      },
    })
    expect(error).toBeUndefined()
    const other = differences(documentsOf(text), documentsOf(own)).filter(
      (each) => !ours.test(each),
    )
    expect(other).toEqual([])
  })
  await fc.assert(property, { numRuns: 200 })
})

test('whatever the spec asks for, machinery finds the config valid', async () => {
  const more = fc.record({
    diskEncryption: fc.boolean(),
    nameservers: fc.uniqueArray(fc.ipV4(), { maxLength: 3 }),
    timeServers: fc.uniqueArray(host, { maxLength: 2 }),
    mirrors: words,
    labels,
    annotations: labels,
    taints: fc.array(
      fc.record({
        key: word,
        value: word,
        effect: fc.constantFrom('NoSchedule' as const, 'NoExecute' as const),
      }),
      { maxLength: 2 },
    ),
    apiServerExtraArgs: args,
    publicIpv4: fc.boolean(),
    publicIpv6: fc.boolean(),
  })
  const property = fc.asyncProperty(plain, more, async (input, options) => {
    const { version, role, clusterName, kubernetes, certSans } = input
    const { diskEncryption, nameservers, timeServers, apiServerExtraArgs } = options
    const mirrors = options.mirrors.map((each) => [`${each}.io`, [`https://${each}.example`]])
    const spec = clusterSpec({
      clusterName,
      talos: {
        ...base.talos,
        version,
        diskEncryption,
        nameservers,
        timeServers,
        registryMirrors: Object.fromEntries(mirrors),
      },
      kubernetes: { ...base.kubernetes, version: kubernetes, certSans, apiServerExtraArgs },
    })
    const { labels: nodeLabels, annotations, taints, publicIpv4, publicIpv6 } = options
    const node = clusterNode({
      role,
      labels: nodeLabels,
      annotations,
      taints,
      publicIpv4,
      publicIpv6,
    })
    const config = generateMachineConfig({ spec, node, secrets })
    expect(await machinery.ask({ op: 'validate', config, mode: 'cloud' })).toEqual({})
  })
  await fc.assert(property, { numRuns: 200 })
})
