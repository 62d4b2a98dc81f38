import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { hasErrors } from '../../../src/lib/finding.ts'
import { loadHostsSpec } from '../../../src/spec/hosts/load-hosts-spec.ts'
import { specDigest } from '../../../src/spec/spec-digest.ts'
import { findingsOfHosts, hostsFile } from './hosts-file.ts'

interface Host {
  readonly [field: string]: unknown
}

/** What a host may say besides its name, address and role. */
const further = fc.record(
  {
    hostKey: fc.constantFrom(
      'record',
      'ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4',
    ),
    labels: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z0-9]{0,8}$/), {
      maxKeys: 2,
    }),
    taints: fc.constantFrom(
      [],
      [{ key: 'example.com/a', effect: 'NoSchedule' }],
      [{ key: 'example.com/b', value: 'c', effect: 'NoExecute' }],
    ),
    onRemove: fc.constantFrom('keep', 'reset', 'purge'),
    ssh: fc.record(
      {
        user: fc.constantFrom('root', 'admin'),
        port: fc.integer({ min: 1, max: 65535 }),
        key: fc.constantFrom({ agent: true }, { file: 'key' }, { environment: 'KEY' }),
        sudo: fc.constantFrom('passwordless', { password: { environment: 'SUDO' } }),
        jump: fc.constantFrom('none', { address: '198.51.100.1', hostKey: 'record' }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

const hosts = fc
  .tuple(
    fc.constantFrom(1, 3, 5),
    fc.array(fc.constantFrom('worker', 'gpu-worker'), { maxLength: 5 }),
    fc.array(further, { minLength: 10, maxLength: 10 }),
  )
  .map(([controlPlanes, workers, all]): Host[] => {
    const roles = [...Array.from({ length: controlPlanes }, () => 'control-plane'), ...workers]
    return roles.map((role, index) => ({
      name: `host-${index}`,
      address: `192.0.2.${index + 20}`,
      role,
      ...all[index],
    }))
  })

/** A valid file, as plain values. */
const file = fc
  .record({
    hosts,
    podRange: fc.constantFrom('10.244.0.0/16', '10.240.0.0/20'),
    version: fc.constantFrom('1.31.14', '1.33.13', '1.35.4', '1.36.3', '1.37.2'),
  })
  .map(({ hosts: all, podRange, version }) => ({
    ...parse(hostsFile),
    hosts: all,
    ssh: { hostKey: 'record' },
    network: { podRange },
    kubernetes: { version },
  }))

/** Texts near the sample: cut, with something put in. */
const damaged = fc
  .tuple(
    fc.nat(hostsFile.length),
    fc.nat(40),
    fc.oneof(
      fc.string({ maxLength: 12, unit: 'binary' }),
      fc.constantFrom('[', '{', ': ', '- ', '\n', '~', '*a', '---\n'),
    ),
  )
  .map(
    ([start, length, text]) => hostsFile.slice(0, start) + text + hostsFile.slice(start + length),
  )

function expectSound(text: string): void {
  const { spec, findings } = loadHostsSpec(text)
  expect(spec === undefined).toBe(hasErrors(findings))
  const lines = text.split('\n')
  for (const { position, message } of findings) {
    const line = position?.line ?? 0
    expect(line).toBeGreaterThanOrEqual(1)
    expect(line).toBeLessThanOrEqual(lines.length)
    expect(position?.column ?? 0).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1)
    expect(message).not.toMatch(/undefined|NaN|\[object|Invalid input|\bexpected /)
  }
}

describe('Laws of loading a file of hosts', () => {
  it('any valid file is loaded', () => {
    fc.assert(
      fc.property(file, (value) => {
        expect(findingsOfHosts(stringify(value))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('the order of hosts says nothing', () => {
    const shuffledHosts = file.chain((value) =>
      fc.tuple(
        fc.constant(value),
        fc.shuffledSubarray(value.hosts, { minLength: value.hosts.length }),
      ),
    )
    fc.assert(
      fc.property(shuffledHosts, ([value, order]) => {
        const [one, other] = [value, { ...value, hosts: order }].map(
          (each) => loadHostsSpec(stringify(each)).spec,
        )
        expect(one).toEqual(other)
        expect(one && specDigest(one)).toBe(other && specDigest(other))
      }),
      { numRuns: 30 },
    )
  })

  it('never throws, and every finding stands inside the text', () => {
    fc.assert(fc.property(damaged, expectSound), { numRuns: 200 })
  })

  it('one mistake never hides another', () => {
    const edits: [from: string, to: string][] = [
      ['clusterName: rack', 'clusterName: Rack'],
      ['name: worker-1', 'name: Worker'],
      ['address: 192.0.2.21', 'address: ssh://x'],
      ['user: admin', 'user: admin\n  sudo: never'],
      ['address: 192.0.2.10', 'address: 192.0.2.300'],
      ['kubeadm:\n', 'kubeadm:\n  frob: 1\n'],
      ['1.35.4', '1.30.1'],
      ['s2eg575', 's2eg576'],
    ]
    const messages = (text: string) => findingsOfHosts(text).map((one) => one.replace(/^\S+ /, ''))
    const apply = (chosen: typeof edits) =>
      chosen.reduce((text, [from, to]) => text.replace(from, to), hostsFile)
    fc.assert(
      fc.property(fc.subarray(edits, { minLength: 1 }), (chosen) => {
        const alone = chosen.flatMap((edit) => messages(apply([edit])))
        expect(messages(apply(chosen)).sort()).toEqual(alone.sort())
      }),
      { numRuns: 40 },
    )
  })
})
