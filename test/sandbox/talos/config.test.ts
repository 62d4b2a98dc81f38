import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { ConfigRefused } from '../../../src/sandbox/talos/config/config-refused.ts'
import { decodeUserData } from '../../../src/sandbox/talos/config/decode-user-data.ts'
import { needsReboot } from '../../../src/sandbox/talos/config/needs-reboot.ts'
import { readNodeConfig } from '../../../src/sandbox/talos/config/node-config.ts'
import { parseConfig } from '../../../src/sandbox/talos/config/parse-config.ts'
import {
  validateAtRuntime,
  validateConfig,
} from '../../../src/sandbox/talos/config/validate-config.ts'
import { parseTalosVersion } from '../../../src/sandbox/talos/talos-version.ts'
import { type ConfigOptions, createConfig, createSecrets } from './cluster-secrets.ts'

const secrets = createSecrets()

function version(tag: string) {
  const parsed = parseTalosVersion(tag)
  if (parsed === undefined) throw new Error(tag)
  return parsed
}

/** What a node of this version says to a config; empty where it takes it. */
function judge(text: string, tag = 'v1.12.0'): string {
  try {
    const documents = parseConfig(text, version(tag))
    const problems = validateConfig(documents, version(tag))
    return [...problems, ...validateAtRuntime(documents, version(tag))].join('\n')
  } catch (error) {
    if (error instanceof ConfigRefused) return error.message
    throw error
  }
}

function controlPlane(options: ConfigOptions = {}): string {
  return createConfig('controlplane', secrets, options)
}

const hostnameConfig = (fields: string) =>
  `${controlPlane()}---\napiVersion: v1alpha1\nkind: HostnameConfig\n${fields}\n`

test('a generated config is taken by every version whose Kubernetes it names', () => {
  expect(judge(controlPlane(), 'v1.9.0')).toBe('')
  expect(judge(controlPlane(), 'v1.12.0')).toBe('')
  expect(judge(createConfig('worker', secrets), 'v1.10.0')).toBe('')
})

test.each<[string, string, string | RegExp]>([
  ['an empty text', '', 'config not found'],
  ['a text that is no YAML', 'machine: [', /^decode error: yaml: /],
  ['a key given twice', 'machine: {}\nmachine: {}\n', /^decode error: yaml: .*unique/],
  ['an unknown field at the top', `${controlPlane()}nodes: 3\n`, /unknown keys found.*\nnodes: 3/],
  ['an unknown field deep down', controlPlane({ machine: { kubelet: { imge: 'x' } } }), /imge: x/],
  [
    'a text for a list',
    controlPlane({ machine: { certSANs: 'a' } }),
    /certSANs: cannot unmarshal !!str into \[\]string/,
  ],
  [
    'an object for a list',
    controlPlane({ machine: { disks: {} } }),
    /machine.disks: cannot unmarshal !!map/,
  ],
  [
    'a document of an unknown kind',
    `${controlPlane()}---\napiVersion: v1alpha1\nkind: Wish\n`,
    /"Wish" "v1alpha1": not registered/,
  ],
  [
    'a document without apiVersion',
    `${controlPlane()}---\nkind: HostnameConfig\n`,
    /missing apiVersion/,
  ],
  [
    'the same document twice',
    `${controlPlane()}---\n${controlPlane()}`,
    /duplicate document \/v1alpha1\//,
  ],
  [
    'a wrong machine type',
    controlPlane({ machine: { type: 'master' } }),
    'unknown machine type "master"',
  ],
  ['no machine CA', controlPlane({ machine: { ca: undefined } }), /issuing CA is required/],
  ['no machine token', controlPlane({ machine: { token: '' } }), /trustd token is invalid/],
  ['no cluster id', controlPlane({ cluster: { id: undefined } }), /requires .cluster.id/],
  [
    'no cluster secret',
    controlPlane({ cluster: { secret: undefined } }),
    /requires .cluster.secret/,
  ],
  ['no cluster CA', controlPlane({ cluster: { ca: undefined } }), /cluster CA is required/],
  ['no endpoint', controlPlane({ cluster: { controlPlane: {} } }), /endpoint is required/],
  [
    'an endpoint without https',
    controlPlane({ cluster: { controlPlane: { endpoint: 'x:6443' } } }),
    /invalid controlplane endpoint/,
  ],
  [
    'a certificate that is none',
    controlPlane({ cluster: { ca: { crt: 'eA==', key: 'eA==' } } }),
    /failed to parse PEM block \(.cluster.ca\)/,
  ],
  [
    'a CNI that nobody knows',
    controlPlane({ cluster: { network: { cni: { name: 'cilium' } } } }),
    /cni name should be one of/,
  ],
  [
    'a label that Kubernetes refuses',
    controlPlane({ machine: { nodeLabels: { 'a b': 'c' } } }),
    /invalid machine node labels/,
  ],
  [
    'a taint without a known effect',
    controlPlane({ machine: { nodeTaints: { a: 'b:Never' } } }),
    /invalid taint effect/,
  ],
  [
    'persist switched off',
    controlPlane().replace('persist: true', 'persist: false'),
    '.persist should be enabled',
  ],
])('a node refuses %s', (_what, text, expected) => {
  if (typeof expected === 'string') expect(judge(text)).toBe(expected)
  else expect(judge(text)).toMatch(expected)
})

test('a worker must not carry what only control planes hold', () => {
  const text = createConfig('worker', secrets, {
    machine: { ca: parse(controlPlane()).machine.ca },
    cluster: { ca: parse(controlPlane()).cluster.ca, etcd: {} },
  })
  expect(judge(text)).toBe(
    [
      'issuing Talos API CA key is not allowed on non-controlplane nodes (.machine.ca)',
      'issuing Kubernetes API CA key is not allowed on non-controlplane nodes (.cluster.ca)',
      'etcd config is only allowed on control plane machines',
    ].join('\n'),
  )
})

test('a key that does not belong to its certificate is noticed', () => {
  const { ca } = parse(controlPlane()).machine
  const { ca: other } = parse(createConfig('controlplane', createSecrets())).machine
  expect(judge(controlPlane({ machine: { ca: { crt: ca.crt, key: other.key } } }))).toBe(
    'key does not belong to the certificate (.machine.ca)',
  )
})

test('a Kubernetes that this Talos does not support is refused by name', () => {
  expect(judge(controlPlane({ kubernetes: '1.36.0' }), 'v1.12.0')).toContain(
    'kubelet image is not valid: version of Kubernetes 1.36.0 is too new to be used with Talos 1.12.0',
  )
  expect(judge(controlPlane({ kubernetes: '1.29.9' }), 'v1.12.0')).toContain('is too old')
  expect(judge(controlPlane({ kubernetes: '1.30.0' }), 'v1.12.0')).toBe('')
  expect(judge(controlPlane({ kubernetes: '1.36.9' }), 'v1.13.0')).toBe('')
})

test('a HostnameConfig is compared with itself, the version, and the rest of the config', () => {
  expect(judge(hostnameConfig('auto: stable'))).toBe('')
  expect(judge(hostnameConfig('auto: "off"\nhostname: a'))).toBe('')
  expect(judge(hostnameConfig('auto: stable\nhostname: a'))).toBe(
    "HostnameConfig: 'auto' and 'hostname' cannot be set at the same time",
  )
  expect(judge(hostnameConfig('auto: "off"'))).toBe(
    "HostnameConfig: either 'auto' or 'hostname' must be set",
  )
  const newer = controlPlane({ kubernetes: '1.35.0' })
  const offAlone = `${newer}---\napiVersion: v1alpha1\nkind: HostnameConfig\nauto: "off"\n`
  expect(judge(offAlone, 'v1.13.3')).toBe('')
  expect(judge(hostnameConfig('auto: stable'), 'v1.11.0')).toMatch(/not registered/)
  const both = `${controlPlane({ hostname: 'a' })}---\napiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n`
  expect(judge(both)).toBe('HostnameConfig: static hostname is already set in v1alpha1 config')
})

test('a field that came with 1.12 is unknown before', () => {
  const text = controlPlane({ machine: { install: { disk: '/dev/sda', grubUseUKICmdline: true } } })
  expect(judge(text, 'v1.11.0')).toMatch(/unknown keys found.*\n.*\n.*\n.*grubUseUKICmdline: true/)
  expect(judge(text, 'v1.12.0')).toBe('')
})

test('what a node reads from its config has the defaults filled in', () => {
  const text = createConfig('controlplane', secrets, {
    machine: { nodeLabels: { zone: 'a' }, nodeTaints: { dedicated: 'db:NoExecute' } },
  })
  const documents = parseConfig(text, version('v1.12.0'))
  expect(readNodeConfig(text, documents)).toMatchObject({
    controlPlane: true,
    kubeletVersion: 'v1.32.0',
    cniName: 'flannel',
    labels: { zone: 'a', 'node-role.kubernetes.io/control-plane': '' },
    taints: [
      { key: 'dedicated', value: 'db', effect: 'NoExecute' },
      { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
    ],
    nodeIpSubnets: ['10.0.64.0/19'],
    adminCertLifetimeMs: 31_536_000_000,
  })
})

test('only some changes need a reboot', () => {
  const documents = (options: ConfigOptions) =>
    parseConfig(controlPlane(options), version('v1.12.0'))
  const current = documents({})
  expect(needsReboot(current, documents({ machine: { nodeLabels: { a: 'b' } } }))).toBe(false)
  expect(needsReboot(current, documents({ cluster: { clusterName: 'other' } }))).toBe(false)
  expect(needsReboot(current, documents({ machine: { env: { A: 'b' } } }))).toBe(true)
  expect(
    needsReboot(current, documents({ machine: { features: { diskQuotaSupport: false } } })),
  ).toBe(true)
})

test('user data that is YAML already is not taken for base64', () => {
  expect(decodeUserData(undefined)).toBeUndefined()
  expect(decodeUserData('  \n')).toBeUndefined()
  expect(decodeUserData('machine: {}')).toBe('machine: {}')
  expect(decodeUserData(Buffer.from(stringify({ a: 1 })).toString('base64'))).toBe('a: 1\n')
})
