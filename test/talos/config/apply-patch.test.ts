import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { applyPatches } from '../../../src/talos/config/apply-patch.ts'
import { formatYamlDocuments } from '../../../src/talos/config/yaml-documents.ts'

function patch(config: readonly JsonObject[], ...texts: string[]): readonly JsonObject[] {
  return applyPatches(
    config,
    texts.map((text, index) => ({ text, source: `talos.patches[${index}]` })),
  )
}

const hostname = { apiVersion: 'v1alpha1', kind: 'HostnameConfig', auto: 'stable' }
const machine = (fields: JsonObject) => [{ version: 'v1alpha1', machine: fields }]

describe('scalars', () => {
  test('the right one wins, false as well, and nothing does not', () => {
    const config = machine({ install: { disk: '/dev/sda', wipe: true, image: 'a' } })
    expect(patch(config, 'machine: {install: {disk: /dev/sdb, wipe: false, image: ""}}')).toEqual(
      machine({ install: { disk: '/dev/sdb', wipe: false, image: 'a' } }),
    )
    expect(patch(config, 'machine: {install: {disk: }}')).toEqual(config)
  })

  test('an empty argument does win, and so does a list of arguments', () => {
    const config = [{ cluster: { apiServer: { extraArgs: { a: '1', b: '2' } } } }]
    expect(patch(config, 'cluster: {apiServer: {extraArgs: {a: "", b: [x, y]}}}')).toEqual([
      { cluster: { apiServer: { extraArgs: { a: '', b: ['x', 'y'] } } } },
    ])
  })

  test('what holds anything must stay of its type', () => {
    const config = machine({ kubelet: { extraConfig: { maxPods: 100 } } })
    expect(() => patch(config, 'machine: {kubelet: {extraConfig: {maxPods: "200"}}}')).toThrow(
      'talos.patches[0]: machine.kubelet.extraConfig.maxPods is a number, and the patch has a string',
    )
  })
})

describe('lists', () => {
  test('append, equal elements too', () => {
    const config = machine({ certSANs: ['a'] })
    expect(patch(config, 'machine: {certSANs: [a, b]}')).toEqual(
      machine({ certSANs: ['a', 'a', 'b'] }),
    )
  })

  test('of subnets replace', () => {
    const config = [{ cluster: { network: { podSubnets: ['10.0.0.0/8'] } } }]
    expect(patch(config, 'cluster: {network: {podSubnets: [10.1.0.0/16]}}')).toEqual([
      { cluster: { network: { podSubnets: ['10.1.0.0/16'] } } },
    ])
  })

  test('of interfaces merge by name or selector, their VLANs by number', () => {
    const config = machine({
      network: {
        interfaces: [
          { interface: 'eth1', mtu: 1450, vlans: [{ vlanId: 5, mtu: 1400 }] },
          { deviceSelector: { driver: 'virtio' }, dhcp: true },
        ],
      },
    })
    const text = `
machine:
  network:
    interfaces:
      - interface: eth1
        vlans: [{vlanId: 5, dhcp: true}, {vlanId: 6}]
      - deviceSelector: {driver: virtio}
        mtu: 1400
      - interface: eth2
`
    expect(patch(config, text)).toEqual(
      machine({
        network: {
          interfaces: [
            {
              interface: 'eth1',
              mtu: 1450,
              vlans: [{ vlanId: 5, mtu: 1400, dhcp: true }, { vlanId: 6 }],
            },
            { deviceSelector: { driver: 'virtio' }, dhcp: true, mtu: 1400 },
            { interface: 'eth2' },
          ],
        },
      }),
    )
  })

  test('that are new in a thing that exists hold each key once', () => {
    const config = machine({ network: { interfaces: [{ interface: 'eth1' }] } })
    const text = `
machine:
  network:
    interfaces:
      - interface: eth1
        vlans: [{vlanId: 5, mtu: 1400}, {vlanId: 5, dhcp: true}]
`
    expect(patch(config, text)).toEqual(
      machine({
        network: {
          interfaces: [{ interface: 'eth1', vlans: [{ vlanId: 5, mtu: 1400, dhcp: true }] }],
        },
      }),
    )
  })

  test('of admission plugins merge by name, and what they hold by key', () => {
    const config = [
      { cluster: { apiServer: { admissionControl: [{ name: 'P', configuration: { a: [1] } }] } } },
    ]
    const text =
      'cluster: {apiServer: {admissionControl: [{name: P, configuration: {a: [2], b: 3}}, {name: Q}]}}'
    expect(patch(config, text)).toEqual([
      {
        cluster: {
          apiServer: {
            admissionControl: [{ name: 'P', configuration: { a: [1, 2], b: 3 } }, { name: 'Q' }],
          },
        },
      },
    ])
  })

  test('of image rules replace the rule for the same image', () => {
    const rules = (list: JsonObject[]) => [
      { apiVersion: 'v1alpha1', kind: 'ImageVerificationConfig', rules: list },
    ]
    const config = rules([{ image: 'a', skip: true }, { image: 'b' }])
    const text = formatYamlDocuments(rules([{ image: 'a', deny: true }]))
    expect(patch(config, text)).toEqual(rules([{ image: 'a', deny: true }, { image: 'b' }]))
  })
})

describe('documents', () => {
  test('of the same kind and name merge, others are added', () => {
    const link = (name: string, fields: JsonObject) => ({
      apiVersion: 'v1alpha1',
      kind: 'LinkConfig',
      name,
      ...fields,
    })
    const text = formatYamlDocuments([link('eth1', { up: true }), link('eth2', {})])
    expect(patch([{ version: 'v1alpha1' }, link('eth1', { mtu: 1450 })], text)).toEqual([
      { version: 'v1alpha1' },
      link('eth1', { mtu: 1450, up: true }),
      link('eth2', {}),
    ])
  })

  test('can be deleted, and one that is not there is deleted already', () => {
    const text = 'apiVersion: v1alpha1\nkind: HostnameConfig\n$patch: delete\n'
    expect(patch([{ version: 'v1alpha1' }, hostname], text)).toEqual([{ version: 'v1alpha1' }])
    expect(patch([{ version: 'v1alpha1' }], text)).toEqual([{ version: 'v1alpha1' }])
  })
})

describe('deletion', () => {
  test('takes a field, a key, an element, and merges what else is there', () => {
    const config = machine({
      sysctls: { a: '1', b: '2' },
      network: { interfaces: [{ interface: 'eth0' }, { interface: 'eth1' }] },
      time: { servers: ['x'] },
    })
    const text = `
machine:
  sysctls:
    a: {$patch: delete}
    c: "3"
  network:
    interfaces:
      - interface: eth1
        $patch: delete
  time:
    $patch: delete
`
    expect(patch(config, text)).toEqual(
      machine({ sysctls: { b: '2', c: '3' }, network: { interfaces: [{ interface: 'eth0' }] } }),
    )
  })

  test('makes room for a value that could not stand beside the old one', () => {
    const text = `
apiVersion: v1alpha1
kind: HostnameConfig
auto: {$patch: delete}
hostname: mine
`
    expect(patch([hostname], text)).toEqual([
      { apiVersion: 'v1alpha1', kind: 'HostnameConfig', hostname: 'mine' },
    ])
  })

  test.for([
    ['machine: {sysctls: {a: {$patch: delete}}}', 'machine.sysctls.a is not there'],
    ['machine: {network: {interfaces: [{interface: e, $patch: delete}]}}', 'is not there'],
    ['machine: {time: {servers: {$patch: delete}}}', 'machine.time.servers is not there'],
    ['$patch: delete', 'the machine config itself cannot be deleted'],
    ['machine: {pods: [{$patch: delete}]}', 'which element of machine.pods'],
    ['machine: {a: [{b: 1, c: {$patch: delete}}]}', 'nothing inside of an element'],
  ])('%s: %s', ([text = '', reason = '']) => {
    expect(() => patch(machine({ sysctls: { b: '1' } }), text)).toThrow(reason)
  })
})

describe('a JSON patch', () => {
  const config = [
    { version: 'v1alpha1', machine: { certSANs: ['a', 'b'], sysctls: { 'a/b': '1' } } },
    hostname,
  ]

  test('changes the machine config itself, whatever other documents there are', () => {
    const operations = [
      { op: 'test', path: '/machine/certSANs/0', value: 'a' },
      { op: 'remove', path: '/machine/certSANs/0' },
      { op: 'add', path: '/machine/certSANs/-', value: 'c' },
      { op: 'replace', path: '/machine/sysctls/a~1b', value: '2' },
      { op: 'replace', path: '/machine/sysctls/new', value: '3' },
      { op: 'copy', from: '/machine/certSANs', path: '/machine/kept' },
      { op: 'move', from: '/version', path: '/moved' },
    ]
    expect(patch(config, JSON.stringify(operations))).toEqual([
      {
        machine: { certSANs: ['b', 'c'], sysctls: { 'a/b': '2', new: '3' }, kept: ['b', 'c'] },
        moved: 'v1alpha1',
      },
      hostname,
    ])
    expect(config[0]).toHaveProperty('version')
  })

  test('changes one of two places, though both hold the same list', () => {
    const names = ['a']
    const [patched] = patch(
      [{ machine: { certSANs: names }, cluster: { apiServer: { certSANs: names } } }],
      '[{op: add, path: /machine/certSANs/-, value: b}]',
    )
    expect(patched).toEqual({
      machine: { certSANs: ['a', 'b'] },
      cluster: { apiServer: { certSANs: ['a'] } },
    })
  })

  test('stands in order with patches that merge', () => {
    const patched = patch(
      config,
      'machine: {certSANs: [c]}',
      '[{op: remove, path: /machine/certSANs/2}]',
      'machine: {certSANs: [d]}',
    )
    expect(patched[0]).toHaveProperty('machine.certSANs', ['a', 'b', 'd'])
  })

  test.for([
    ['[{op: remove, path: /machine/gone}]', 'operation 1: nothing is at /machine/gone'],
    ['[{op: add, path: /a/b, value: 1}]', 'operation 1: nothing is at /a/b'],
    ['[{op: add, path: /machine/certSANs/7, value: 1}]', 'nothing is at /machine/certSANs/7'],
    ['[{op: replace, path: "", value: {}}]', 'nothing is at the top'],
    ['[{op: move, from: /gone, path: /a}]', 'nothing is at /gone or /a'],
    ['[{op: replace, path: /machine/certSANs/2, value: c}]', 'nothing is at /machine/certSANs/2'],
    ['[{op: replace, path: /machine/certSANs/-, value: c}]', 'nothing is at /machine/certSANs/-'],
    ['[{op: test, path: /version, value: secret}]', 'another value is at /version'],
    ['[{op: add, path: /a, value: 1}, {op: add, path: /b}]', 'operation 2: an operation has op'],
    ['[{op: put, path: /a, value: 1}]', 'an operation has op'],
    ['[{op: remove, path: machine}]', 'nothing is at machine'],
    ['[remove]', 'an operation has op'],
  ])('%s: %s', ([text = '', reason = '']) => {
    expect(() => patch(config, text)).toThrow(reason)
    expect(() => patch(config, text)).not.toThrow('secret')
  })
})

describe('what is no patch', () => {
  test.for([
    ['[{op: add, path: /machine, value: 1}]\n---\nmachine: {}', 'stands by itself'],
    ['kind: LinkConfig\nname: eth0', 'needs both apiVersion and kind'],
    ['machines: {}', 'machines is no part of a machine config'],
    ['machine: {}\n---\ncluster: {}', 'stands in it twice'],
    ['just text', 'each document must be a mapping'],
    ['machine: {a: 1, a: 2}', 'line 1: the same key appears twice'],
    ['machine:\n\ta: 1', 'line 2: tabs cannot indent YAML'],
    ['machine: {a: *gone}', 'an alias refers to nothing'],
  ])('%j: %s', ([text = '', reason = '']) => {
    expect(() => patch(machine({}), text)).toThrow(reason)
  })

  test('the code is that of a mistake in the file', () => {
    expect(() => patch(machine({}), 'machine: []')).toThrow(
      expect.objectContaining({ code: 'spec-invalid', target: 'talos.patches[0]' }),
    )
  })
})

describe('several documents in one patch', () => {
  const config = [...machine({ type: 'worker' }), hostname]
  const deletion = 'apiVersion: v1alpha1\nkind: HostnameConfig\n$patch: delete\n'
  const addition = 'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: mine\n'

  test('one that is deleted may be added again', () => {
    expect(patch(config, `${deletion}---\n${addition}`)).toEqual([
      ...machine({ type: 'worker' }),
      { apiVersion: 'v1alpha1', kind: 'HostnameConfig', hostname: 'mine' },
    ])
  })

  test('empty ones say nothing', () => {
    const text = `---\n# nothing\n---\n${deletion}---\n---\n`
    expect(patch(config, text)).toEqual(machine({ type: 'worker' }))
    expect(patch(config, '# nothing')).toEqual(config)
  })

  test('two of one identity are refused', () => {
    expect(() => patch(config, `${addition}---\n${addition}`)).toThrow('stands in it twice')
  })
})

describe('laws', () => {
  const scalar = fc.oneof(fc.string({ minLength: 1 }), fc.boolean(), fc.integer({ min: 1 }))
  const key = fc.stringMatching(/^[a-z]{1,4}$/)
  const tree = fc.letrec<{ node: JsonObject }>((tie) => ({
    node: fc.dictionary(key, fc.oneof({ maxDepth: 3 }, scalar, tie('node')), { maxKeys: 3 }),
  })).node
  const config = tree.map((fields) => machine(fields))

  test('an empty patch changes nothing', () => {
    fc.assert(
      fc.property(config, (documents) => {
        expect(patch(documents, '')).toEqual(documents)
        expect(patch(documents, 'machine: {}')).toEqual(documents)
      }),
    )
  })

  test('merging a config into itself changes nothing where there are no lists', () => {
    fc.assert(
      fc.property(config, (documents) => {
        expect(patch(documents, formatYamlDocuments(documents))).toEqual(documents)
      }),
    )
  })

  test('after a patch was merged, merging it again changes nothing where there are no lists', () => {
    fc.assert(
      fc.property(config, tree, (documents, fields) => {
        const text = formatYamlDocuments(machine(fields))
        const once = attempt(() => patch(documents, text))
        if (once !== undefined) expect(patch(once, text)).toEqual(once)
      }),
    )
  })

  test('what is patched is never changed itself', () => {
    fc.assert(
      fc.property(config, tree, (documents, fields) => {
        const before = JSON.stringify(documents)
        attempt(() => patch(documents, formatYamlDocuments(machine(fields))))
        expect(JSON.stringify(documents)).toBe(before)
      }),
    )
  })

  /** A mapping may meet a scalar in generated trees, which is refused. */
  function attempt<T>(run: () => T): T | undefined {
    try {
      return run()
    } catch {
      return undefined
    }
  }
})
