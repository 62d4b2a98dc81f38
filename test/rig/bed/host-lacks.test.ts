import { describe, expect, test } from 'vitest'
import { requireFit } from '../../../rig/bed/check-host.ts'
import { type HostFacts, neededPrograms } from '../../../rig/bed/host-facts.ts'
import { hostLacks } from '../../../rig/bed/host-lacks.ts'

const gibibyte = 1024 ** 3

/** Root of a container host that may not raise limits: nodes run there. */
const fit: HostFacts = {
  platform: 'linux',
  architecture: 'x64',
  userId: 0,
  capabilities: 0x1fffeffffffn,
  namespaces: ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'user', 'uts'],
  cgroups: 'cgroup',
  programs: Object.keys(neededPrograms),
  goVersion: '1.26.8',
  overlayFailure: undefined,
  networkFailures: {},
  memoryBytes: 24 * gibibyte,
  workBytes: 60 * gibibyte,
  cacheBytes: 60 * gibibyte,
  prepared: false,
}

describe('what a machine lacks for real nodes', () => {
  test('nothing, also where root may not raise limits', () => {
    expect(hostLacks(fit)).toEqual([])
  })

  test('another system or processor is told alone: nothing else could be fixed', () => {
    expect(hostLacks({ ...fit, platform: 'darwin', architecture: 'arm64', userId: 501 })).toEqual([
      'It is darwin on arm64: real nodes need Linux on x86-64.',
    ])
  })

  test('a user is told to become root, and is told of no capability', () => {
    expect(hostLacks({ ...fit, userId: 1_000, capabilities: 0n })).toEqual([
      'Run it as root (sudo): containers, mounts and networks need it.',
    ])
  })

  test('each missing capability is named', () => {
    const capabilities = fit.capabilities & ~(1n << 21n) & ~(1n << 12n)
    expect(hostLacks({ ...fit, capabilities })).toEqual([
      'Root lacks CAP_NET_ADMIN, CAP_SYS_ADMIN: run outside of a container, or in one with these.',
    ])
  })

  test('what the kernel refused is passed on in its words', () => {
    const lacks = hostLacks({
      ...fit,
      namespaces: ['ipc', 'mnt', 'pid', 'uts'],
      cgroups: undefined,
      overlayFailure: 'mount: wrong fs type',
      networkFailures: { bridge: 'RTNETLINK answers: Operation not supported' },
    })
    expect(lacks).toEqual([
      'The kernel lacks namespaces: cgroup, net.',
      'No cgroups are mounted below /sys/fs/cgroup.',
      'No overlay can be mounted in the work folder: mount: wrong fs type',
      'The kernel makes no bridge: RTNETLINK answers: Operation not supported',
    ])
  })

  test('missing programs are told with their packages, each package once', () => {
    const programs = fit.programs.filter((name) => !['nft', 'flock', 'unshare'].includes(name))
    expect(hostLacks({ ...fit, programs })).toEqual([
      'Missing flock, nft, unshare: install util-linux, nftables.',
    ])
  })

  test.each([
    ['1.26.1', true],
    ['1.26.0', false],
    ['1.25.9', false],
    ['1.27', true],
    ['2.0', true],
  ])('Go %s is new enough: %s', (goVersion, enough) => {
    expect(hostLacks({ ...fit, goVersion })).toEqual(
      enough ? [] : [`Go is ${goVersion}: install 1.26.1 or newer.`],
    )
  })

  test('the cache needs room only until the bed is made', () => {
    const small = { ...fit, cacheBytes: 2 * gibibyte }
    expect(hostLacks(small)).toEqual([
      'There are 2.0 GiB of free space for the cache: 14 are needed.',
    ])
    expect(hostLacks({ ...small, prepared: true })).toEqual([])
  })

  test('is told all at once, in one error', () => {
    const unfit = { ...fit, userId: 1_000, memoryBytes: gibibyte }
    expect(() => requireFit(unfit)).toThrow(
      expect.objectContaining({
        name: 'RigError',
        message:
          'this machine cannot run real nodes:\n' +
          '- Run it as root (sudo): containers, mounts and networks need it.\n' +
          '- There are 1.0 GiB of memory: 4 are needed.',
      }),
    )
    expect(() => requireFit(fit)).not.toThrow()
  })
})
