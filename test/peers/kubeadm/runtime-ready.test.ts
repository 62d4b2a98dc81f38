import { createHash } from 'node:crypto'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { containerdConfig } from '../../../src/kubeadm/host/containerd-config.ts'
import { type RuntimeOptions, runtimeReady } from '../../../src/kubeadm/host/runtime-ready.ts'
import { makeSigningKey } from '../../../src/sandbox/hosts/signing-key.ts'
import { makeArchive, makeHost, notPassed } from './made-up-host.ts'

const pauseImage = 'registry.k8s.io/pause:3.10.2'
const stepOf = (partial: Partial<RuntimeOptions> = {}) =>
  runtimeReady({
    kubernetesVersion: '1.36.3',
    version: '2.3.7',
    source: { type: 'repository' },
    pauseImage,
    registryMirrors: { 'docker.io': ['https://mirror.example.com'] },
    hasGpu: false,
    ...partial,
  })

const config = 'etc/containerd/config.toml'
const ofDistribution = { version: undefined, source: { type: 'distribution' } } as const

async function makeReadyHost(step = stepOf()) {
  const host = await makeHost()
  await host.put('state/web/gpg', await makeSigningKey('1y'))
  expect(await host.apply(step)).toMatchObject({ code: 0 })
  return host
}

describe.skipIf(userInfo().uid !== 0)('runtime_ready', () => {
  test('sees a host without containerd, and passes after it was applied', async () => {
    const step = stepOf()
    const host = await makeReadyHost(step)
    expect(notPassed(await host.probe(step))).toEqual({})
    expect((await host.read('etc/containerd/config.toml')).trim()).toBe(
      containerdConfig(3, pauseImage),
    )
    expect(await host.read('etc/containerd/certs.d/docker.io/hosts.toml')).toContain(
      'https://mirror.example.com',
    )
    expect(await host.read('etc/apt/sources.list.d/hcloud-talos-docker.list')).toBe(
      'deb [signed-by=/etc/apt/keyrings/hcloud-talos-docker.gpg] https://download.docker.com/linux/debian bookworm stable\n',
    )
    expect(await host.read('state/held')).toBe('containerd.io\n')
    const before = await host.snapshot()
    await host.apply(step)
    expect(await host.snapshot()).toEqual(before)
  })

  test('of a host that has nothing is a failure of each check, and unknown is none of them', async () => {
    const host = await makeHost()
    const evidence = [...(await host.probe(stepOf({ hasGpu: true }))).values()]
    expect(evidence.filter(({ state }) => state !== 'failed')).toEqual([])
  })

  test('writes the schema of the version that the distribution has', async () => {
    const step = stepOf({ ...ofDistribution, kubernetesVersion: '1.35.4' })
    const host = await makeReadyHost(step)
    expect((await host.read('etc/containerd/config.toml')).trim()).toBe(
      containerdConfig(2, pauseImage),
    )
    expect(notPassed(await host.probe(step))).toEqual({})
  })

  test('is not passed by a distribution whose containerd is too old for this Kubernetes', async () => {
    const host = await makeReadyHost(stepOf({ ...ofDistribution, kubernetesVersion: '1.35.4' }))
    expect(notPassed(await host.probe(stepOf(ofDistribution)))).toEqual({
      'containerd-version': 'failed: 1.7.28, but this Kubernetes needs 2.3.0 or newer',
    })
    await host.put('state/candidates/containerd', '1.7.27-1\n')
    await host.remove('state/packages/containerd')
    await host.remove('bin/containerd')
    await host.put('state/held', '')
    const older = stepOf({ ...ofDistribution, kubernetesVersion: '1.34.1' })
    await host.apply(older)
    expect(notPassed(await host.probe(older))).toEqual({
      'containerd-version': 'failed: 1.7.27, but this Kubernetes needs 1.7.28 or newer',
    })
  })

  test('holds the package that containerd is of, whoever installed it', async () => {
    const host = await makeHost()
    await host.put('state/candidates/containerd', '2.3.7-1\n')
    expect((await host.apply(stepOf(ofDistribution))).code).toBe(0)
    await host.put('state/held', '')
    expect((await host.apply(stepOf())).code).toBe(0)
    expect(notPassed(await host.probe(stepOf()))).toEqual({})
    expect(await host.read('state/held')).toBe('containerd\n')
  })

  test('removes no package of the host for its own', async () => {
    const host = await makeHost()
    await host.put('state/web/gpg', await makeSigningKey('1y'))
    await host.put('state/packages/containerd', '1.7.28-1\n')
    expect(await host.apply(stepOf())).toMatchObject({
      code: 100,
      stderr: expect.stringContaining('remove is disabled'),
    })
    expect(await host.read('state/packages/containerd')).toBe('1.7.28-1\n')
  })

  test('leaves containerd out of upgrades by dnf also where another repository brought it', async () => {
    const host = await makeHost()
    await host.put('etc/os-release', 'ID=rocky\nVERSION_ID="9.4"\n')
    expect((await host.apply(stepOf())).code).toBe(0)
    expect(notPassed(await host.probe(stepOf()))).toEqual({})
    const file = 'etc/yum.repos.d/hcloud-talos-docker.repo'
    const written = await host.read(file)
    expect(written).toContain('baseurl=https://download.docker.com/linux/rhel/$releasever/')
    await host.remove(file)
    expect(notPassed(await host.probe(stepOf()))).toMatchObject({
      'containerd-hold': expect.stringContaining('does not leave it out'),
    })
    expect((await host.apply(stepOf())).code).toBe(0)
    expect(await host.read(file)).toBe(written)
  })

  test('a mirror that was wrong is replaced: its list is rewritten before lists are read', async () => {
    const host = await makeHost()
    await host.put('state/web/gpg', await makeSigningKey('1y'))
    const wrong = stepOf({ source: { type: 'mirror', url: 'https://broken.example.com' } })
    expect(await host.apply(wrong)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Release file'),
    })
    expect((await host.apply(stepOf())).code).toBe(0)
    expect(notPassed(await host.probe(stepOf()))).toEqual({})
  })

  test('runs with its config: a start in the second of the write may have come before it', async () => {
    const host = await makeReadyHost()
    const written = await host.writtenAt(config)
    await host.put('state/started/containerd', `${written}\n`)
    expect(notPassed(await host.probe(stepOf()))).toEqual({
      'containerd-service': 'failed: active, enabled, started before its config was written',
    })
    const ahead = Math.ceil(Date.now() / 1_000) + 3_600
    await host.age(config, ahead)
    expect((await host.apply(stepOf())).code).toBe(0)
    expect(notPassed(await host.probe(stepOf()))).toEqual({})
    expect(Number(await host.read('state/started/containerd'))).toBeLessThan(ahead)
  })

  test('does not choose a config for a containerd whose version it cannot read', async () => {
    const host = await makeReadyHost()
    await host.put('bin/containerd', '#!/bin/bash\necho containerd\n')
    expect(notPassed(await host.probe(stepOf()))).toMatchObject({
      'containerd-config': expect.stringMatching(/^unknown/),
    })
  })

  test('leaves a containerd alone under the pods of a node, and starts one that does not run', async () => {
    const host = await makeReadyHost()
    await host.put('etc/kubernetes/kubelet.conf', '')
    await host.put('state/started/containerd', '1000\n')
    expect(await host.apply(stepOf())).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('restarted when the node is drained'),
    })
    expect(await host.read('state/started/containerd')).toBe('1000\n')
    await host.remove('state/started/containerd')
    expect((await host.apply(stepOf())).code).toBe(0)
    expect(notPassed(await host.probe(stepOf()))).toEqual({})
  })

  test('names what was changed by hand: a config, a hold, a unit that runs with a former config', async () => {
    const step = stepOf()
    const host = await makeReadyHost(step)
    await host.put('etc/containerd/config.toml', 'disabled_plugins = ["cri"]\n')
    await host.put('state/held', '')
    expect(notPassed(await host.probe(step))).toMatchObject({
      'containerd-hold': 'failed: containerd.io is not held',
      'containerd-config': expect.stringMatching(/^failed: .*config.toml differs/),
    })
    await host.put('state/started/containerd', '1000\n')
    expect((await host.probe(step)).get('containerd-service')?.seen).toContain(
      'started before its config',
    )
    expect((await host.apply(step)).code).toBe(0)
    expect(notPassed(await host.probe(step))).toEqual({})
  })

  test('never gives a node another driver of cgroups, nor another version of containerd', async () => {
    const host = await makeReadyHost()
    await host.put('etc/kubernetes/kubelet.conf', '')
    await host.put('etc/containerd/config.toml', 'version = 3\n')
    expect(await host.apply(stepOf())).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('cgroupfs'),
    })
    expect(await host.read('etc/containerd/config.toml')).toBe('version = 3\n')
    expect(await host.apply(stepOf({ version: '2.4.0' }))).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('drained'),
    })
    await host.put('etc/containerd/config.toml', 'SystemdCgroup = true\n')
    expect(await host.apply(stepOf())).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('drained'),
    })
    expect(await host.read('etc/containerd/config.toml')).toBe('SystemdCgroup = true\n')
  })

  test('takes files by their checksums, and installs none where one differs', async () => {
    const host = await makeHost()
    const containerd = await makeArchive({
      'bin/containerd':
        '#!/bin/bash\necho containerd github.com/containerd/containerd v2.3.7 0123\n',
    })
    const plugins = await makeArchive({ loopback: '' })
    const files = [
      { name: 'containerd', content: containerd },
      { name: 'runc', content: Buffer.from('#!/bin/bash\n') },
      { name: 'cni-plugins', content: plugins },
    ] as const
    for (const { name, content } of files) await host.put(`opt/files/${name}`, content)
    const stepWith = (tamper: string) =>
      stepOf({
        source: {
          type: 'files',
          files: files.map(({ name, content }) => ({
            name,
            at: join('/opt/files', name),
            sha256: createHash('sha256')
              .update(name === tamper ? 'other' : content)
              .digest('hex'),
          })),
        },
      })
    const bare = await host.snapshot()
    for (const tampered of ['containerd', 'cni-plugins']) {
      expect((await host.apply(stepWith(tampered))).code).not.toBe(0)
      expect(await host.snapshot()).toEqual(bare)
    }
    const step = stepWith('')
    expect((await host.probe(step)).get('containerd-files')?.state).toBe('failed')
    expect((await host.apply(step)).code).toBe(0)
    expect(notPassed(await host.probe(step))).toEqual({})
    expect(await host.read('opt/cni/bin/loopback')).toBe('')

    const broken = {
      'containerd does not run': ['usr/local/bin/containerd', '#!/bin/bash\nexit 139\n'],
      'another runc': ['usr/local/sbin/runc', 'half'],
      'plugins of CNI': ['opt/cni/bin/.hcloud-talos-sha256', 'other\n'],
      'containerd.service is not as': ['etc/systemd/system/containerd.service', '[Unit]\n'],
    } as const
    for (const [seen, [path, text]] of Object.entries(broken)) {
      const before = await host.read(path)
      await host.put(path, text)
      expect((await host.probe(step)).get('containerd-files')).toMatchObject({
        state: 'failed',
        seen: expect.stringContaining(seen),
      })
      if (path === 'usr/local/bin/containerd') await host.apply(step)
      else await host.put(path, before)
    }
    await host.apply(step)
    expect(notPassed(await host.probe(step))).toEqual({})
  })
})
