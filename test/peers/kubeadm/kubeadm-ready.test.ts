import { createHash } from 'node:crypto'
import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { type KubeadmOptions, kubeadmReady } from '../../../src/kubeadm/host/kubeadm-ready.ts'
import { makeSigningKey } from '../../../src/sandbox/hosts/signing-key.ts'
import { makeHost, notPassed } from './made-up-host.ts'

const stepOf = (partial: Partial<KubeadmOptions> = {}) =>
  kubeadmReady({
    version: '1.36.3',
    newestMinor: '1.37',
    source: { type: 'repository' },
    ...partial,
  })

const keyring = 'etc/apt/keyrings/hcloud-talos-kubernetes.gpg'

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
    await host.age(keyring, Date.now() / 1_000 - 2 * 86_400)
    expect(notPassed(await host.probe(stepOf()))).toEqual({
      'kubernetes-repository': expect.stringMatching(/^failed: the key ends on \d{4}-\d\d-\d\d$/),
    })
    await host.put('state/web/Release.key', await makeSigningKey('1y'))
    await host.apply(stepOf())
    expect(notPassed(await host.probe(stepOf()))).toEqual({})
  })

  test('goes on with a key that ends soon where there is no newer one, and not with one that has ended', async () => {
    const host = await makeReadyHost()
    await host.put('state/web/Release.key', await makeSigningKey('10d'))
    await host.remove('etc/apt/keyrings')
    expect((await host.apply(stepOf())).code).toBe(0)
    expect(notPassed(await host.probe(stepOf()))).toEqual({})
    await host.put('state/web/Release.key', await makeSigningKey('1y', '20240101T000000'))
    await host.remove('etc/apt/keyrings')
    await host.apply(stepOf())
    expect(notPassed(await host.probe(stepOf()))).toEqual({
      'kubernetes-repository': 'failed: the key has ended on 2024-12-31',
    })
  })

  test('fetches a keyring that is damaged again', async () => {
    const host = await makeReadyHost()
    for (const damaged of ['<html>', (await makeSigningKey('1y')).slice(0, 60), '']) {
      await host.put(keyring, damaged)
      expect((await host.probe(stepOf())).get('kubernetes-repository')?.state).toBe('failed')
    }
    expect((await host.apply(stepOf())).code).toBe(0)
    expect(notPassed(await host.probe(stepOf()))).toEqual({})
  })

  test('a mirror that was wrong is replaced: its list is rewritten before lists are read', async () => {
    const host = await makeHost()
    await host.put('state/web/Release.key', await makeSigningKey('1y'))
    const wrong = stepOf({ source: { type: 'mirror', url: 'https://broken.example.com' } })
    expect(await host.apply(wrong)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Release file'),
    })
    expect((await host.apply(stepOf())).code).toBe(0)
    expect(notPassed(await host.probe(stepOf()))).toEqual({})
  })

  test('takes files by their checksums, with the unit that the packages would bring', async () => {
    const host = await makeHost()
    const content = '#!/bin/bash\n'
    await host.put('opt/files/kubelet', content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const stepWith = (digest: string) =>
      stepOf({
        source: {
          type: 'files',
          files: [{ name: 'kubelet', at: '/opt/files/kubelet', sha256: digest }],
        },
      })
    const bare = await host.snapshot()
    expect((await host.apply(stepWith('0'.repeat(64)))).code).not.toBe(0)
    expect(await host.snapshot()).toEqual(bare)
    const step = stepWith(sha256)
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
