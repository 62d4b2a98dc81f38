import { describe, expect, test } from 'vitest'
import { patchFaults } from '../../../../src/talos/config/validate/patch-steps.ts'
import { validateConfig } from '../../../../src/talos/config/validate/validate-config.ts'
import { plainConfig } from './patched-config.ts'

/** What is wrong with patches, each as `<patch> <where>: <message>`. */
function faults(patches: readonly string[], minor = 13): string[] {
  const named = patches.map((text, index) => ({ text, source: String(index) }))
  return patchFaults(plainConfig(minor), named, (config) => validateConfig(config, minor)).map(
    ({ patch, place, message }) => {
      const where = [place.kind, place.name, ...place.path].filter((part) => part !== '')
      return `${patch.source} ${where.join('.')}: ${message}`
    },
  )
}

describe('a problem is that of the patch that brought it up', () => {
  test('whatever comes before and after', () => {
    expect(
      faults([
        'machine: {sysctls: {a: "1"}}',
        'machine: {kubelt: {}}',
        'machine: {sysctls: {b: "1"}}',
      ]),
    ).toEqual(['1 machine.kubelt: machine.kubelt is no field that Talos 1.13 knows'])
  })

  test('and of the last that did so, when another had fixed it', () => {
    expect(faults(['persist: false', 'persist: true', 'persist: false'])).toEqual([
      '2 persist: persist must be true',
    ])
  })

  test('but not told at all when a later patch fixes it', () => {
    expect(faults(['persist: false', 'persist: true'])).toEqual([])
  })

  test('also where it took something away', () => {
    expect(faults(['machine: {sysctls: {a: "1"}}', 'cluster: {id: {$patch: delete}}'])).toEqual([
      '1 cluster.id: cluster.id is needed by the discovery service',
    ])
  })

  test('all problems of all patches are told, also beside one that cannot be merged', () => {
    expect(
      faults([
        'machine: {kubelt: {}, type: master}',
        'machine: {kubelet: 7}',
        '{apiVersion: v1alpha1, kind: VLANConfig, name: a, vlanID: 5000}',
      ]),
    ).toEqual([
      '1 machine.kubelet: machine.kubelet is a mapping, and the patch has a number',
      '0 machine.kubelt: machine.kubelt is no field that Talos 1.13 knows',
      '0 machine.type: machine.type must be controlplane or worker',
      '2 VLANConfig.a.vlanID: VLANConfig a: vlanID must be between 1 and 4094',
      '2 VLANConfig.a: VLANConfig a: parent is needed',
    ])
  })
})

describe('and it is told with the part of the patch that it is about', () => {
  const device = (name: string, rest = '') => `{interface: ${name}${rest}}`
  const network = (...devices: string[]) =>
    `machine: {network: {interfaces: [${devices.join(', ')}]}}`

  test('in a list that the merge appends to', () => {
    const route = (to: string) => `{destination: ${to}}`
    const link = (...routes: string[]) =>
      `{apiVersion: v1alpha1, kind: LinkConfig, name: eth1, routes: [${routes.join(', ')}]}`
    const good = '10.9.0.0/16'
    expect(faults([link(route(good)), link(route(good), route('here'))])).toEqual([
      '1 LinkConfig.eth1.routes.1.destination: LinkConfig eth1: routes[2].destination must be a range of addresses, such as 10.0.0.0/16',
    ])
  })

  test('in a list whose elements have keys', () => {
    const patches = [
      network(device('eth7'), device('eth8')),
      network(device('eth9'), device('eth7', ', mtuu: 1')),
    ]
    expect(faults(patches, 11)).toEqual([
      '1 machine.network.interfaces.1.mtuu: machine.network.interfaces[2].mtuu is no field that Talos 1.11 knows',
    ])
  })

  test('in a list that is replaced', () => {
    const rule = (...subnets: string[]) =>
      `{apiVersion: v1alpha1, kind: NetworkRuleConfig, name: a, portSelector: {ports: [80]}, ingress: [${subnets.map((each) => `{subnet: ${each}}`).join(', ')}]}`
    expect(faults([rule('10.0.0.0/8', '10.1.0.0/16'), rule('10.0.0.0/8', 'here')])).toEqual([
      '1 NetworkRuleConfig.a.ingress.1.subnet: NetworkRuleConfig a: ingress[1].subnet must be a range of addresses, such as 10.0.0.0/16',
    ])
  })

  test('beside elements that it deletes', () => {
    const patches = [
      network(device('eth7'), device('eth8')),
      network(device('eth8', ', $patch: delete'), device('eth9', ', mtuu: 1')),
    ]
    expect(faults(patches, 11)).toEqual([
      '1 machine.network.interfaces.1.mtuu: machine.network.interfaces[3].mtuu is no field that Talos 1.11 knows',
    ])
  })

  test('of two things that exclude each other, the one that it has', () => {
    expect(faults(['machine: {network: {hostname: mine}}'], 12)).toEqual([
      '0 machine.network.hostname: HostnameConfig: hostname and machine.network.hostname exclude each other',
    ])
  })

  test('in a JSON patch, the operation, and what of its value', () => {
    const add = (path: string, value: string) => `{op: add, path: ${path}, value: ${value}}`
    const sysctls = add('/machine/sysctls', '{}')
    const unknown = add('/machine/network', '{interfaces: [{interface: eth7}, {mtuu: 1}]}')
    expect(faults([`[${sysctls}, ${unknown}]`], 13)).toEqual([
      '0 1.value.interfaces.1.mtuu: machine.network.interfaces[1].mtuu is no field that Talos 1.13 knows',
      '0 1.value.interfaces.1: machine.network.interfaces[1] needs interface or deviceSelector',
    ])
    const appended = add('/machine/network/interfaces/-', '{interface: eth8, mtu: wide}')
    expect(faults([`[${sysctls}, ${appended}]`], 11)).toEqual([
      '0 1.value.mtu: machine.network.interfaces[2].mtu must be a whole number',
    ])
    expect(faults([`[{op: remove, path: /cluster/id}, ${sysctls}]`])).toEqual([
      '0 0: cluster.id is needed by the discovery service',
    ])
  })

  test('as deep as it goes, where something is missing', () => {
    expect(
      faults([
        '{apiVersion: v1alpha1, kind: UserVolumeConfig, name: data, provisioning: {minSize: 1GB}}',
      ]),
    ).toEqual([
      '0 UserVolumeConfig.data.provisioning: UserVolumeConfig data: provisioning.diskSelector.match is needed',
    ])
  })
})

test('what no patch brought up keeps nobody from a cluster: the node has the last word', () => {
  const broken = plainConfig(13).map((document) => ({ ...document, persist: false }))
  expect(patchFaults(broken, [], (config) => validateConfig(config, 13))).toEqual([])
})
