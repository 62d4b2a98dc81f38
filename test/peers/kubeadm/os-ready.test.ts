import { mkdir, rm } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { osReady } from '../../../src/kubeadm/host/os-ready.ts'
import { bareFstab, bareSwaps } from '../../../src/sandbox/hosts/host-folder.ts'
import { makeHost, notPassed } from './made-up-host.ts'

const step = osReady({ podRange: '10.244.0.0/16', nodes: ['192.0.2.12'] })

async function makeReadyHost() {
  const host = await makeHost()
  const { code, stderr } = await host.apply(step)
  expect([code, stderr]).toEqual([0, expect.anything()])
  return host
}

describe.skipIf(userInfo().uid !== 0)('os_ready', () => {
  test('sees what a bare host lacks, and passes after it was applied', async () => {
    const host = await makeHost()
    const before = await host.probe(step)
    expect(notPassed(before)).toMatchObject({
      'first-boot': 'failed: status: running',
      tools: expect.stringMatching(/^failed: missing:.* conntrack socat.* ca-certificates$/),
      swap: 'failed: in use: /dev/sda2; in /etc/fstab: /dev/sda2 /swapfile; units: dev-sda2.swap',
      'kernel-modules': 'failed: not loaded: overlay br_netfilter',
      sysctls: expect.stringContaining('net.ipv4.ip_forward=0'),
      clock: 'failed: NTPSynchronized=no',
    })
    expect((await host.apply(step)).code).toBe(0)
    expect(notPassed(await host.probe(step))).toEqual({})
  })

  test('comments the lines of fstab that are swap, and leaves every other one as it was', async () => {
    const host = await makeReadyHost()
    expect(await host.read('etc/fstab')).toBe(
      bareFstab
        .replace('/dev/sda2 none', '# hcloud-talos: /dev/sda2 none')
        .replace('  /swapfile', '# hcloud-talos:   /swapfile'),
    )
    expect(await host.read('state/swap-units/dev-sda2.swap')).toBe('masked\n')
    expect(await host.read('proc/sys/net/ipv4/ip_forward')).toBe('1\n')
    expect(await host.read('etc/sysctl.d/99-zz-hcloud-talos.conf')).toContain(
      'net.ipv4.ip_forward = 1\n',
    )
    expect(await host.read('etc/modules-load.d/90-hcloud-talos.conf')).toBe(
      'overlay\nbr_netfilter\n',
    )
  })

  test('changes nothing the second time', async () => {
    const host = await makeReadyHost()
    const before = await host.snapshot()
    expect((await host.apply(step)).code).toBe(0)
    expect(await host.snapshot()).toEqual(before)
  })

  test('names what was broken by hand afterwards, and nothing else', async () => {
    const host = await makeReadyHost()
    await host.put('swaps', bareSwaps)
    expect(notPassed(await host.probe(step))).toEqual({ swap: 'failed: in use: /dev/sda2' })
    await host.put('swaps', bareSwaps.split('\n').slice(0, 1).join('\n'))
    await host.put('proc/sys/net/ipv4/ip_forward', '0\n')
    expect(notPassed(await host.probe(step))).toEqual({
      sysctls: 'failed: differs: net.ipv4.ip_forward=0',
    })
    await host.put('proc/sys/net/ipv4/ip_forward', '1\n')
    await host.put('etc/systemd/zram-generator.conf', '[zram0]\nzram-size = ram\n')
    expect(notPassed(await host.probe(step))).toEqual({
      swap: 'failed: zram by /etc/systemd/zram-generator.conf',
    })
    await host.apply(step)
    expect(notPassed(await host.probe(step))).toEqual({})
    expect(await host.read('etc/systemd/zram-generator.conf')).toBe(
      '# hcloud-talos: [zram0]\n# hcloud-talos: zram-size = ram\n',
    )
  })

  test('turns off swap in memory wherever its generator is configured', async () => {
    const host = await makeReadyHost()
    await host.put('run/systemd/zram-generator.conf', '[zram0]\n')
    expect(notPassed(await host.probe(step))).toEqual({
      swap: 'failed: zram by /run/systemd/zram-generator.conf',
    })
    await host.apply(step)
    expect(notPassed(await host.probe(step))).toEqual({})
    expect(await host.read('run/systemd/zram-generator.conf')).toBe('[zram0]\n')
  })

  test('never turns off the swap of a node: its pods may be in it', async () => {
    const host = await makeReadyHost()
    await host.put('swaps', bareSwaps)
    await host.put('etc/kubernetes/kubelet.conf', '')
    expect(await host.apply(step)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('drained'),
    })
    expect(await host.read('swaps')).toBe(bareSwaps)
  })

  test('leaves limits that are higher, now and after a reboot', async () => {
    const host = await makeHost()
    await host.put('proc/sys/fs/inotify/max_user_instances', '65536\n')
    expect((await host.apply(step)).code).toBe(0)
    expect(notPassed(await host.probe(step))).toEqual({})
    expect(await host.read('proc/sys/fs/inotify/max_user_instances')).toBe('65536\n')
    expect(await host.read('etc/sysctl.d/99-zz-hcloud-talos.conf')).toContain(
      'fs.inotify.max_user_instances = 65536\nfs.inotify.max_user_watches = 1048576\n',
    )
  })

  test('takes a module that is built in for one that is loaded', async () => {
    const host = await makeReadyHost()
    await rm(join(host.root, 'sys/module/br_netfilter'), { recursive: true })
    expect(notPassed(await host.probe(step))).toEqual({
      'kernel-modules': 'failed: not loaded: br_netfilter',
    })
    await host.put(`modules/${host.kernel}/modules.builtin`, 'kernel/net/bridge/br_netfilter.ko\n')
    expect(notPassed(await host.probe(step))).toEqual({})
  })

  test('demands a reboot where the modules of the running kernel are gone, and changes nothing then', async () => {
    const host = await makeHost()
    await rm(join(host.root, 'modules', host.kernel), { recursive: true })
    await mkdir(join(host.root, 'modules', '99.0.0-newer'))
    const before = await host.snapshot()
    expect(await host.apply(step)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('reboot the host'),
    })
    expect(await host.snapshot()).toEqual(before)
  })

  test('refuses a distribution that it does not know', async () => {
    const host = await makeHost()
    await host.put('etc/os-release', 'ID=rocky\nVERSION_ID="8.10"\n')
    expect((await host.probe(step)).get('distribution')).toMatchObject({
      state: 'failed',
      seen: expect.stringMatching(/^rocky 8.10: known are Debian/),
    })
    expect((await host.apply(step)).code).toBe(3)
    await host.put('etc/os-release', 'ID=rocky\nVERSION_ID="9.4"\n')
    expect((await host.probe(step)).get('distribution')?.state).toBe('passed')
  })

  test('does not know what it cannot see, and changes nothing for it', async () => {
    const host = await makeReadyHost()
    await host.put('bin/systemctl', '#!/bin/bash\necho "Failed to connect to bus" >&2\nexit 1\n')
    const { state, seen } = (await host.probe(step)).get('swap') ?? {}
    expect([state, seen]).toEqual(['unknown', expect.stringContaining('Failed to connect to bus')])
    const before = await host.snapshot()
    await host.apply(step)
    expect(await host.snapshot()).toEqual(before)
  })

  test('waits for the lock of the lists of packages', async () => {
    const host = await makeHost()
    await host.put('state/apt-locked', '')
    await host.put('bin/sleep', '#!/bin/bash\n')
    await host.chmod('bin/sleep')
    expect((await host.apply(step)).code).toBe(0)
    expect(notPassed(await host.probe(step))).toEqual({})
  })
})
