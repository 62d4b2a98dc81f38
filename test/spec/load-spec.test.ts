import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasErrors } from '../../src/lib/finding.ts'
import { defaultClusterFile } from '../../src/spec/default-cluster-file.ts'
import { loadHostsSpec } from '../../src/spec/hosts/load-hosts-spec.ts'
import { loadSpec } from '../../src/spec/load-spec.ts'
import { builtInServerTypes } from '../../src/spec/tables/built-in-server-types.ts'
import { findingsOf, sampleAnd, sampleFile, sampleWith, showFinding } from './sample-file.ts'

const exampleFolder = new URL('../../examples/', import.meta.url)
const examples = readdirSync(exampleFolder).filter((name) => name.endsWith('.yaml'))

function example(name: string): string {
  return readFileSync(new URL(name, exampleFolder), 'utf8')
}

describe('The file of the author', () => {
  const { spec, findings } = loadSpec(example('as-written.yaml'))

  it('loads, and means what it says', () => {
    expect(spec).toMatchObject({
      clusterName: 'talos-k8s',
      hetzner: { region: 'hel1', networkZone: 'eu-central', sshKeys: ['my-key'] },
      controlPlane: { name: 'control-plane', count: 3, type: 'cpx21', arch: 'amd64' },
      workers: [{ name: 'workers', role: 'worker', count: 3, type: 'cpx21', locations: ['hel1'] }],
      talos: { version: 'v1.9.0' },
      kubernetes: { version: '1.32.0' },
      cni: { type: 'cilium' },
    })
  })

  it('is told that cpx21 cannot be ordered in hel1 any more, and what to take', () => {
    const instead =
      'Take cpx22 instead (2 cores, 4 GB of memory, 80 GB of disk; cpx21 has 3 cores, 4 GB of memory, 80 GB of disk).'
    const reason =
      'cpx21 cannot be ordered in hel1 any more (since 2026-01-01); no new node can be made of it there'
    expect(findings.map(showFinding).filter((line) => line.includes('cpx21'))).toEqual([
      `10:11 warning: nodes.controlPlane.type: ${reason} -> ${instead}`,
      `14:11 warning: nodes.workers.type: ${reason} -> ${instead}`,
    ])
  })

  it('is told that nobody but the runs can read its secrets, and nothing else', () => {
    const others = findings.map(showFinding).filter((line) => !line.includes('cpx21'))
    expect(others).toHaveLength(1)
    expect(others[0]).toMatch(/^1:1 warning: state.recipients names no recipient/)
  })
})

describe('Files that are given to people', () => {
  it.each(examples)('the example %s loads', (name) => {
    const text = example(name)
    const { spec, findings } = text.includes('\nhosts:') ? loadHostsSpec(text) : loadSpec(text)
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(spec).toBeDefined()
  })

  it('the full-featured example has nothing to complain about', () => {
    expect(findingsOf(example('production.yaml'))).toEqual([])
  })

  it('what init writes loads, with its name, region and schema', () => {
    const text = defaultClusterFile({ clusterName: 'shop', region: 'nbg1', schema: 'x.json' })
    const { spec } = loadSpec(text)
    expect(spec).toMatchObject({ clusterName: 'shop', hetzner: { region: 'nbg1' } })
    expect(text).toMatch(/^# yaml-language-server: \$schema=x\.json\n/)
    expect(loadSpec(defaultClusterFile()).spec?.clusterName).toBe('my-cluster')
  })
})

describe('What a file leaves out', () => {
  it('is derived from what it says, or has its default', () => {
    expect(loadSpec(sampleFile)).toMatchObject({
      findings: [],
      spec: {
        hetzner: { region: 'hel1', networkZone: 'eu-central', sshKeys: [] },
        network: {
          cidr: '10.0.0.0/16',
          nodeRange: '10.0.64.0/19',
          podRange: '10.0.128.0/17',
          serviceRange: '10.0.96.0/19',
          loadBalancerRange: '10.0.32.0/24',
          dnsDomain: 'cluster.local',
        },
        firewall: { kubernetesApi: [], talosApi: [], runnerAccess: true, extraRules: [] },
        loadBalancer: { type: 'lb11', location: 'hel1', privateOnly: true },
        endpoint: { type: 'loadBalancer' },
        controlPlane: { locations: ['hel1'], arch: 'amd64', publicIpv4: true, publicIpv6: true },
        talos: {
          extensions: [],
          diskEncryption: false,
          nameservers: ['185.12.64.1', '185.12.64.2', '2a01:4ff:ff00::add:1'],
          timeServers: ['ntp1.hetzner.de', 'ntp2.hetzner.com', 'ntp3.hetzner.net'],
        },
        addons: { hcloudCcm: { enabled: true, values: {} } },
        state: { branch: 'hcloud-talos' },
        policy: {
          onDestroyVolumes: 'keep',
          onDestroyNetwork: 'delete',
          onDrift: 'restore',
          onNodeConfigDrift: 'heal',
        },
      },
    })
  })

  it('follows the region: a cluster in the USA has its network there', () => {
    const text = sampleWith('hel1', 'ash').replaceAll('cx23', 'cpx21').replace('cx33', 'cpx31')
    expect(loadSpec(text)).toMatchObject({
      findings: [],
      spec: { hetzner: { networkZone: 'us-east' }, loadBalancer: { location: 'ash' } },
    })
  })

  it('follows the server type: arm servers have arm images', () => {
    expect(loadSpec(sampleWith('cx23', 'cax11')).spec?.controlPlane.arch).toBe('arm64')
  })

  it('may be all the workers', () => {
    const text = sampleWith('  workers:\n    count: 2\n    type: cx33\n', '')
    expect(loadSpec(text)).toMatchObject({ findings: [], spec: { workers: [] } })
  })

  it('makes the load balancer public once the API admits everybody', () => {
    const text = sampleAnd('firewall:\n  kubernetesApi: [0.0.0.0/0]')
    expect(loadSpec(text).spec?.loadBalancer.privateOnly).toBe(false)
  })
})

describe('What a file may write in several ways', () => {
  it('a patch as text and the same as a mapping become YAML text', () => {
    const text = sampleWith(
      'v1.9.0',
      'v1.9.0\n  patches:\n    - "machine: {sysctls: {a: \'1\'}}"\n    - machine: {sysctls: {a: "1"}}',
    )
    expect(loadSpec(text).spec?.talos.patches).toEqual([
      "machine: {sysctls: {a: '1'}}",
      'machine:\n  sysctls:\n    a: "1"\n',
    ])
  })

  it('a patch in place keeps the spelling of every value, through anchors and merge keys too', () => {
    const text = sampleWith(
      'v1.9.0',
      [
        'v1.9.0',
        '  patches:',
        '    - machine:',
        '        sysctls: &base {a: 1.10, b: 0123, c: 1e3, d: "0x10", e: yes, f: ~, g:, 010: 2001-01-01}',
        '        files: [{permissions: 0644}]',
        '    - machine: {env: {<<: *base, a: "on"}, pods: [1_000]}',
        '    - [{op: add, path: /machine/env/a, value: 0o17}]',
      ].join('\n'),
    )
    const { spec, findings } = loadSpec(text)
    expect(findings).toEqual([])
    expect(spec?.talos.patches).toEqual([
      'machine:\n  sysctls:\n    a: 1.10\n    b: 0123\n    c: 1e3\n    d: "0x10"\n    e: yes\n    f: ~\n    g: ~\n    "010": 2001-01-01\n  files:\n    - permissions: 0644\n',
      'machine:\n  env:\n    a: on\n    b: 0123\n    c: 1e3\n    d: "0x10"\n    e: yes\n    f: ~\n    g: ~\n    "010": 2001-01-01\n  pods:\n    - 1_000\n',
      '- op: add\n  path: /machine/env/a\n  value: 0o17\n',
    ])
  })

  it('a port as number and as text become text', () => {
    const rule = (port: string) =>
      `    - {direction: in, protocol: tcp, port: ${port}, sources: ["::/0"]}`
    const text = sampleAnd(`firewall:\n  extraRules:\n${rule('443')}\n${rule('"8443"')}`)
    const { spec } = loadSpec(text)
    expect(spec?.firewall.extraRules.map(({ port }) => port)).toEqual(['443', '8443'])
  })

  it('anchors and merge keys, with mistakes found where they are written', () => {
    const pools = `  workers:
    - &base
      name: a
      count: 1
      type: cx33
      labels: {example.com/x: "1"}
    - <<: *base
      name: b
      cuont: 3
    - <<: [*base]
      name: a
`
    const text = sampleWith('  workers:\n    count: 2\n    type: cx33\n', pools)
    expect(findingsOf(text)).toEqual([
      '16:7 error: nodes.workers[1] has no field `cuont` -> Did you mean count?',
      '18:13 error: two pools are called `a` -> Give one another name, or add its count to nodes.workers[0].',
    ])
  })

  it('a merged pool has what its anchor has', () => {
    const { spec } = loadSpec(example('pools.yaml'))
    expect(spec?.workers.map(({ name, count, type, arch }) => [name, count, type, arch])).toEqual([
      ['arm', 2, 'cax21', 'arm64'],
      ['arm-large', 1, 'cax31', 'arm64'],
      ['intel', 2, 'cx33', 'amd64'],
      ['batch', 0, 'ccx23', 'amd64'],
    ])
    expect(spec?.workers[1]?.locations).toEqual(['fsn1', 'nbg1'])
    expect(spec?.workers[2]?.labels).toEqual({
      'example.com/team': 'shop',
      'example.com/speed': 'steady',
    })
  })
})

describe('The catalogue of server types', () => {
  it('of the live API overrules the built-in one', () => {
    const [first] = builtInServerTypes.types
    if (first === undefined) throw new Error('the catalogue is empty')
    const catalogue = {
      asOf: '2027-01-01',
      source: 'live' as const,
      types: [
        { ...first, name: 'cx24' },
        { ...first, name: 'cx34' },
      ],
    }
    const text = sampleWith('cx23', 'cx24').replace('cx33', 'cx34')
    expect(hasErrors(loadSpec(text).findings)).toBe(true)
    expect(loadSpec(text, { catalogue }).findings).toEqual([])
  })
})
