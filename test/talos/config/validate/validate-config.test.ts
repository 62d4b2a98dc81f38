import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unpatchedPublicConfig } from '../../../../src/talos/config/config-digest.ts'
import { validateConfig } from '../../../../src/talos/config/validate/validate-config.ts'
import { clusterSpec } from '../../../plan/specs.ts'
import { clusterNode } from '../../nodes.ts'
import { acceptedPatches, refusedPatches } from './patch-cases.ts'
import { patchedConfig, plainConfig } from './patched-config.ts'

const minors = [9, 10, 11, 12, 13, 14]

/** What is said of a config with a patch, each as one line. */
function problemsOf(patch: string, minor = 13, role?: 'worker'): string[] {
  return validateConfig(patchedConfig(patch, minor, role), minor).map(
    ({ severity, message, hint }) =>
      `${severity}: ${message}${hint === undefined ? '' : ` -> ${hint}`}`,
  )
}

describe('a field that Talos does not know', () => {
  test('is told with the name that was probably meant', () => {
    expect(problemsOf('machine: {kubelet: {extraArg: {}}}')).toEqual([
      'error: machine.kubelet.extraArg is no field that Talos 1.13 knows -> Did you mean extraArgs?',
    ])
  })

  test('is told with the versions that know it', () => {
    expect(problemsOf('machine: {install: {grubUseUKICmdline: true}}', 11)).toEqual([
      'error: machine.install.grubUseUKICmdline is no field that Talos 1.11 knows -> Remove it: only Talos since 1.12 has it.',
    ])
    const volume =
      '{apiVersion: v1alpha1, kind: ExistingVolumeConfig, name: a, discovery: {volumeSelector: {match: "true"}}, mount: {unheardOf: 1, readOnly: true}}'
    expect(problemsOf(volume)).toEqual([
      'error: ExistingVolumeConfig a: mount.unheardOf is no field that Talos 1.13 knows -> Use one of disableAccessTime, readOnly, secure.',
    ])
  })

  test('as well as a document that it does not have', () => {
    expect(problemsOf('{apiVersion: v1alpha1, kind: LinksConfig, name: eth1}')).toEqual([
      'error: LinksConfig eth1: kind `LinksConfig` is no document that Talos 1.13 knows -> Did you mean LinkConfig?',
    ])
    expect(problemsOf('{apiVersion: v1alpha1, kind: KubeSpanConfig, enabled: true}', 12)).toEqual([
      'error: KubeSpanConfig: kind `KubeSpanConfig` is no document that Talos 1.12 knows -> Remove it: only Talos since 1.13 has it.',
    ])
  })

  test('is a warning only where Talos is newer than what is known of it', () => {
    const [field] = problemsOf('machine: {brandNew: 1}', 15)
    expect(field).toMatch(
      /^warning: machine\.brandNew is no field of Talos 1\.14, the newest that is known here/,
    )
    const [document] = problemsOf('{apiVersion: v1alpha1, kind: BrandNewConfig}', 15)
    expect(document).toMatch(/^warning: .*whether 1\.15 has it is known only to the node/)
  })
})

test('words that programs have for themselves are words like others', () => {
  expect(problemsOf('{apiVersion: v1alpha1, kind: constructor, name: toString}')).toHaveLength(1)
  expect(problemsOf('machine: {type: constructor}')).toEqual([
    'error: machine.type must be controlplane or worker',
  ])
  expect(problemsOf('machine: {kubelet: {valueOf: 1}}')).toHaveLength(1)
  const volume = '{apiVersion: v1alpha1, kind: VolumeConfig, name: constructor}'
  expect(problemsOf(`${volume}\n---\nmachine: {systemDiskEncryption: {}}`)).toHaveLength(1)
})

test('a key of any length, or that looks like a secret, is not repeated', () => {
  const secret = 'a1'.repeat(32)
  const all = problemsOf(`machine: {nodeLabels: {${secret}: b, "a\\nb": c}}`)
  expect(all).toHaveLength(2)
  expect(all.join()).not.toContain(secret)
  for (const each of all) expect(each).not.toContain('\n')
})

test('a value of another type or form is told without itself, for it may be a secret', () => {
  const secret = 'canary-0123456789'
  const patch = `
machine:
  env: {A: [${secret}]}
  time: {bootTimeout: ${secret}}
  acceptedCAs: [{crt: ${secret}}]
  network: {interfaces: [{interface: eth7, mtu: ${secret}, wireguard: {privateKey: ${secret}}}]}
cluster: {controlPlane: {endpoint: "https://${secret} x"}}
`
  const all = problemsOf(patch)
  expect(all).toEqual([
    'error: machine.env.A must be a text, but is a list',
    'error: machine.time.bootTimeout must be a duration, such as 90s or 1h30m',
    'error: machine.acceptedCAs[0].crt must be base64',
    'error: machine.network.interfaces[0].mtu must be a whole number',
    'error: cluster.controlPlane.endpoint must be a URL, such as https://example.org',
    'error: machine.network.interfaces[0].wireguard.privateKey must be a key of 32 bytes in base64',
  ])
})

test('a value that cannot be read is told once, however many rules are about it', () => {
  expect(
    problemsOf('machine: {network: {interfaces: [{interface: eth7, addresses: {a: b}}]}}'),
  ).toEqual(['error: machine.network.interfaces[0].addresses must be a list, but is a mapping'])
})

test('what the first releases of a minor refuse, and later ones do not, is a warning', () => {
  const patch = '{apiVersion: v1alpha1, kind: HostnameConfig, hostname: {$patch: delete}}'
  const message = 'HostnameConfig: hostname is needed where auto is not stable'
  expect(problemsOf(patch, 13)).toEqual([`warning: ${message}`])
  expect(problemsOf(patch, 12)).toEqual([`error: ${message}`])
})

test('a name like no other is a warning where the release is newer than the tables, a slip is not', () => {
  const severities = (patch: string, release: number) =>
    validateConfig(patchedConfig(patch, 13), 13, release).map(({ severity }) => severity)
  for (const newName of [
    'machine: {quantumThings: {}}',
    '{apiVersion: v1alpha1, kind: QuantumThings}',
  ]) {
    expect(severities(newName, 9)).toEqual(['error'])
    expect(severities(newName, 10)).toEqual(['warning'])
  }
  expect(severities('machine: {kubelt: {}}', 10)).toEqual(['error'])
  expect(severities('machine: {seccompProfiles: 7}', 10)).toEqual(['error'])
})

test('what does not go together names both', () => {
  const [problem] = validateConfig(patchedConfig('machine: {network: {hostname: a}}', 12), 12)
  expect(problem?.message).toBe(
    'HostnameConfig: hostname and machine.network.hostname exclude each other',
  )
  expect(problem?.places).toEqual([
    { kind: 'HostnameConfig', name: '', path: ['hostname'] },
    { kind: '', name: '', path: ['machine', 'network', 'hostname'] },
  ])
})

// The peers of test/peers/talos-versions hold these tables to Talos's own machinery of each minor.
describe.each(minors)('for Talos 1.%i', (minor) => {
  const holds = ({ since = 9, until = 14 }) => minor >= since && minor <= until

  test.each(refusedPatches.filter(holds))('is refused: $why', ({ patch, role }) => {
    const problems = validateConfig(patchedConfig(patch, minor, role), minor)
    expect(problems.filter(({ severity }) => severity === 'error')).not.toEqual([])
  })

  test.each(acceptedPatches.filter(holds))('is taken: $why', ({ patch, role, ...rest }) => {
    const warns = rest.warns ?? minor >= (rest.warnsSince ?? 99)
    const problems = validateConfig(patchedConfig(patch, minor, role), minor)
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(problems.length > 0).toBe(warns)
  })

  test('nothing is said of what we make ourselves', () => {
    expect(validateConfig(plainConfig(minor), minor)).toEqual([])
    expect(validateConfig(plainConfig(minor, 'worker'), minor)).toEqual([])
  })
})

describe('whatever a spec asks for', () => {
  const base = clusterSpec()
  const word = fc.stringMatching(/^[a-z]{1,10}$/)
  const host = word.map((name) => `${name}.example.com`)
  const labels = fc.dictionary(
    word.map((key) => `example.com/${key}`),
    word,
    { maxKeys: 3 },
  )
  const asked = fc.record({
    minor: fc.constantFrom(...minors),
    role: fc.constantFrom('control-plane' as const, 'worker' as const),
    clusterName: word,
    certSans: fc.array(host, { maxLength: 2 }),
    diskEncryption: fc.boolean(),
    nameservers: fc.uniqueArray(fc.ipV4(), { maxLength: 3 }),
    timeServers: fc.uniqueArray(host, { maxLength: 2 }),
    mirrors: fc.uniqueArray(host, { maxLength: 2 }),
    labels,
    annotations: labels,
    taint: fc.constantFrom('NoSchedule' as const, 'NoExecute' as const),
    publicIpv4: fc.boolean(),
    publicIpv6: fc.boolean(),
    hasCcm: fc.boolean(),
    endpoint: fc.constantFrom(
      { type: 'loadBalancer' as const },
      { type: 'vip' as const, address: '10.0.32.9' },
      { type: 'floatingIp' as const },
      { type: 'dns' as const, name: 'api.example.com' },
    ),
  })

  test('the config without patches is one that the node takes', () => {
    const law = fc.property(asked, (input) => {
      const { minor, role, endpoint, mirrors, taint, hasCcm } = input
      const { clusterName, certSans, diskEncryption, nameservers, timeServers } = input
      const spec = clusterSpec({
        clusterName,
        endpoint,
        talos: {
          ...base.talos,
          version: `v1.${minor}.0`,
          diskEncryption,
          nameservers,
          timeServers,
          registryMirrors: Object.fromEntries(mirrors.map((name) => [name, [`https://${name}`]])),
        },
        kubernetes: { ...base.kubernetes, version: `1.${minor + 23}.0`, certSans },
        addons: { ...base.addons, hcloudCcm: { ...base.addons.hcloudCcm, enabled: hasCcm } },
      })
      const { publicIpv4, publicIpv6, annotations } = input
      const taints = [{ key: 'dedicated', value: 'a', effect: taint }]
      const node = clusterNode({
        role,
        labels: input.labels,
        annotations,
        taints,
        publicIpv4,
        publicIpv6,
      })
      expect(validateConfig(unpatchedPublicConfig(spec, node), minor)).toEqual([])
    })
    fc.assert(law, { numRuns: 300 })
  })
})
