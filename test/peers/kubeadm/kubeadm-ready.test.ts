import { createHash } from 'node:crypto'
import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { type KubeadmOptions, kubeadmReady } from '../../../src/kubeadm/host/kubeadm-ready.ts'
import { makeHost, makeSigningKey, notPassed } from './made-up-host.ts'

const stepOf = (partial: Partial<KubeadmOptions> = {}) =>
  kubeadmReady({
    version: '1.36.3',
    newestMinor: '1.37',
    source: { type: 'repository' },
    ...partial,
  })

async function makeReadyHost(step = stepOf()) {
  const host = await makeHost()
  await host.put('state/web/Release.key', await makeSigningKey('1y'))
  expect(await host.apply(step)).toMatchObject({ code: 0 })
  return host
}

describe.skipIf(userInfo().uid !== 0)('kubeadm_ready', () => {
  test('sees a host without kubeadm, and passes after it was applied', async () => {
    const bare = await makeHost()
    expect(notPassed(await bare.probe(stepOf()))).toMatchObject({
      'kubernetes-packages':
        'failed: wanted is 1.36.3, found: kubeadm=none kubelet=none kubectl=none',
      'kubernetes-hold': 'failed: not held: kubeadm kubelet kubectl',
    })
    const host = await makeReadyHost()
    expect(notPassed(await host.probe(stepOf()))).toEqual({})
    expect(await host.read('state/held')).toBe('kubeadm\nkubelet\nkubectl\n')
    expect(await host.read('state/apt-log')).toContain(
      'install kubeadm=1.36.3-* kubelet=1.36.3-* kubectl=1.36.3-*\n',
    )
    const before = await host.snapshot()
    await host.apply(stepOf())
    expect(await host.snapshot()).toEqual(before)
  })

  test('goes to another version by the repository of its minor, over the hold', async () => {
    const host = await makeReadyHost()
    const next = stepOf({ version: '1.37.2' })
    expect(Object.keys(notPassed(await host.probe(next)))).toEqual([
      'kubernetes-repository',
      'kubernetes-packages',
    ])
    expect((await host.apply(next)).code).toBe(0)
    expect(notPassed(await host.probe(next))).toEqual({})
    expect(await host.read('etc/apt/sources.list.d/hcloud-talos-kubernetes.list')).toContain(
      '/v1.37/deb/ /',
    )
  })

  test('never changes the kubelet of a node: that is an upgrade', async () => {
    const host = await makeReadyHost()
    await host.put('etc/kubernetes/kubelet.conf', '')
    expect(await host.apply(stepOf({ version: '1.36.4' }))).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('upgrade of the cluster'),
    })
    expect(await host.read('state/packages/kubelet')).toBe('1.36.3-1.1\n')
  })

  test('names a hold that is gone, and a key that ends soon', async () => {
    const host = await makeReadyHost()
    await host.put('state/held', 'kubeadm\nkubectl\n')
    expect(notPassed(await host.probe(stepOf()))).toEqual({
      'kubernetes-hold': 'failed: not held: kubelet',
    })
    await host.put('state/web/Release.key', await makeSigningKey('10d'))
    await host.remove('etc/apt/keyrings')
    await host.apply(stepOf())
    expect(notPassed(await host.probe(stepOf()))).toEqual({
      'kubernetes-repository': expect.stringMatching(/^failed: the key ends on \d{4}-\d\d-\d\d$/),
    })
    await host.put('state/web/Release.key', await makeSigningKey('1y'))
    await host.apply(stepOf())
    expect(notPassed(await host.probe(stepOf()))).toEqual({})
  })

  test('takes files by their checksums, with the unit that the packages would bring', async () => {
    const host = await makeHost()
    const content = '#!/bin/bash\n'
    await host.put('opt/files/kubelet', content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const step = stepOf({
      source: { type: 'files', files: [{ name: 'kubelet', from: '/opt/files/kubelet', sha256 }] },
    })
    expect((await host.apply(step)).code).toBe(0)
    expect(notPassed(await host.probe(step))).toEqual({})
    expect(await host.read('etc/systemd/system/kubelet.service.d/10-kubeadm.conf')).toContain(
      '$KUBELET_KUBEADM_ARGS',
    )
    await host.put('usr/local/bin/kubelet', 'other')
    expect(notPassed(await host.probe(step))).toMatchObject({
      'kubernetes-files': expect.stringMatching(/^failed: other files: kubelet=/),
    })
  })
})
