import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json, type JsonObject } from '../../../src/lib/json.ts'
import {
  type ChangeEffect,
  changeEffects,
  worstEffect,
} from '../../../src/talos/config/change-effect.ts'
import { diffConfigs } from '../../../src/talos/config/diff-configs.ts'

const base: JsonObject = {
  version: 'v1alpha1',
  machine: {
    type: 'worker',
    token: 'abcdef.0123456789abcdef',
    certSANs: ['a', 'b'],
    kubelet: { extraArgs: { 'rotate-server-certificates': 'true' } },
    install: { disk: '/dev/sda', image: 'installer:v1' },
    sysctls: { 'vm.max_map_count': '262144' },
    features: { rbac: true, kubePrism: { enabled: true, port: 7445 } },
  },
  cluster: { id: 'id', network: { podSubnets: ['10.1.0.0/16', '10.2.0.0/16'] } },
}
const link: JsonObject = { apiVersion: 'v1alpha1', kind: 'LinkConfig', name: 'eth1', mtu: 1450 }

/** The base with other values at these paths; undefined takes one away. */
function withChanges(changes: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.entries(changes).reduce<JsonObject>(
    (document, [path, value]) => put(document, path.split('/'), value),
    base,
  )
}

function put(
  object: JsonObject,
  [key = '', ...rest]: string[],
  value: Json | undefined,
): JsonObject {
  const { [key]: former, ...others } = object
  if (rest.length > 0) {
    return { ...others, [key]: put(isJsonObject(former) ? former : {}, rest, value) }
  }
  return value === undefined ? others : { ...others, [key]: value }
}

const fieldChanges: readonly (readonly [string, Json | undefined, ChangeEffect])[] = [
  ['machine/sysctls/vm.swappiness', '10', 'live'],
  ['machine/nodeLabels/example.com~team', 'shop', 'live'],
  ['machine/kubelet/extraArgs/v', '4', 'restart'],
  ['machine/features/kubePrism/port', 7446, 'restart'],
  ['cluster/apiServer/extraArgs/v', '4', 'restart'],
  ['cluster/etcd/extraArgs/v', '4', 'reboot'],
  ['debug', true, 'live'],
  ['machine/install/image', 'installer:v2', 'nothing'],
  ['machine/features/rbac', false, 'reboot'],
  ['machine/udev/rules', ['SUBSYSTEM'], 'reboot'],
  ['persist', false, 'reboot'],
  ['machine/install/disk', '/dev/sdb', 'reinstall'],
  ['machine/type', 'controlplane', 'reinstall'],
  ['machine/systemDiskEncryption/state/provider', 'luks2', 'reinstall'],
]

describe('two configs that say the same have no difference', () => {
  it('whatever the order of their documents, keys and keyed lists', () => {
    const interfaces = [
      { interface: 'eth0', mtu: 1 },
      { interface: 'eth1', dhcp: true },
    ]
    const one = withChanges({ 'machine/network/interfaces': interfaces })
    const reversed = Object.fromEntries(Object.entries(one).reverse())
    const other = put(reversed, ['machine', 'network', 'interfaces'], interfaces.toReversed())
    expect(diffConfigs([one, link], [link, other])).toEqual([])
  })

  it('whatever is written out although it is empty, or as a number instead of a text', () => {
    const other = withChanges({
      'machine/sysctls/vm.max_map_count': 262144,
      'machine/network': {},
      'machine/pods': [],
      'machine/certSANs': ['b', 'a'],
    })
    expect(diffConfigs([base], [other])).toEqual([])
  })

  it('for any config', () => {
    fc.assert(
      fc.property(fc.array(fc.object({ maxDepth: 4 })), (values) => {
        const documents: JsonObject[] = JSON.parse(JSON.stringify(values))
        expect(diffConfigs(documents, structuredClone(documents))).toEqual([])
      }),
    )
  })
})

it('each field says what it takes', () => {
  for (const [path, value, effect] of fieldChanges) {
    const differences = diffConfigs([base], [withChanges({ [path]: value })])
    expect(differences, path).toHaveLength(1)
    expect(differences[0]?.effect, path).toBe(effect)
  }
})

it('documents of their own are taken up live, but for what is decided when a disk is made', () => {
  const volume = { apiVersion: 'v1alpha1', kind: 'VolumeConfig', name: 'STATE' }
  const encrypted = { ...volume, encryption: { provider: 'luks2' } }
  expect(diffConfigs([base, link], [base, { ...link, mtu: 1400 }])).toEqual([
    { path: 'LinkConfig[eth1].mtu', before: 1450, after: 1400, effect: 'live', restarts: [] },
  ])
  expect(diffConfigs([base, link], [base])).toMatchObject([
    { path: 'LinkConfig[eth1]', before: 'present', after: undefined },
    { path: 'LinkConfig[eth1].mtu', effect: 'live', restarts: [] },
  ])
  expect(diffConfigs([base, volume], [base, encrypted])).toMatchObject([
    { path: 'VolumeConfig[STATE].encryption.provider', effect: 'reinstall', restarts: [] },
  ])
})

it('the order of a list counts where Talos reads it', () => {
  const subnets = ['10.2.0.0/16', '10.1.0.0/16']
  const [difference] = diffConfigs([base], [withChanges({ 'cluster/network/podSubnets': subnets })])
  expect(difference).toMatchObject({ path: 'cluster.network.podSubnets', after: subnets })
})

it('more changes never take less', () => {
  fc.assert(
    fc.property(fc.subarray([...fieldChanges]), fc.subarray([...fieldChanges]), (some, others) => {
      const effectOf = (changes: typeof some) => {
        const all = Object.fromEntries(changes.map(([path, value]) => [path, value]))
        return changeEffects.indexOf(
          worstEffect(diffConfigs([base], [withChanges(all)]).map(({ effect }) => effect)),
        )
      }
      expect(effectOf([...some, ...others])).toBeGreaterThanOrEqual(effectOf(some))
    }),
  )
})

describe('of a secret only that it differs is told', () => {
  const canary = 'xqz-canary-7731'
  const secretPaths = [
    'machine/token',
    'machine/ca/key',
    'machine/env/HTTPS_PROXY',
    'machine/registries/config/ghcr.io/auth/password',
    'cluster/secretboxEncryptionSecret',
    'cluster/etcd/ca/key',
    'machine/network/wireguard/privateKey',
  ]

  it('whether it is new, another, or gone', () => {
    for (const path of secretPaths) {
      const [one, two] = [withChanges({ [path]: canary }), withChanges({ [path]: `${canary}-2` })]
      const plain = withChanges({ [path]: undefined })
      for (const [before, after] of [
        [one, two],
        [plain, one],
        [one, plain],
      ] as const) {
        const differences = diffConfigs([before], [after])
        expect(differences, path).toHaveLength(1)
        expect(JSON.stringify(differences), path).not.toContain('canary')
        expect(JSON.stringify(differences), path).toContain('hidden')
      }
    }
  })

  it('also inside of lists, and where a key or a password stands in an unsuspected field', () => {
    const file = { path: '/etc/x', permissions: 0o600, content: canary }
    const pem = `-----BEGIN PRIVATE KEY-----\n${canary}\n-----END PRIVATE KEY-----\n`
    const after = withChanges({
      'machine/files': [file],
      'machine/pods': [{ spec: { containers: [{ env: [{ name: 'A', value: canary }] }] } }],
      'machine/sysctls/a': pem,
      'machine/sysctls/b': Buffer.from(pem).toString('base64'),
      'machine/registries/mirrors/x/endpoints': [`https://user:${canary}@mirror.example`],
    })
    const text = JSON.stringify(diffConfigs([base], [after]))
    expect(text).not.toContain('canary')
    expect(text).not.toContain(Buffer.from(canary).toString('base64').slice(4, 16))
    expect(text).toContain('machine.files[/etc/x].permissions')
  })
})

it('what nodes say cannot break a line of the plan, or move a terminal', () => {
  const after = withChanges({
    'machine/sysctls/a': 'x\n\u001b[2Jy\u009b',
    'machine/sysctls/\u001bk': '1',
  })
  const text = diffConfigs([base], [after]).map(({ path, after: value }) => `${path} ${value}`)
  expect(text.join('')).not.toMatch(/\p{C}/u)
})
