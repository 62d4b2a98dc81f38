import { createHash } from 'node:crypto'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { containerdConfig } from '../../../src/kubeadm/host/containerd-config.ts'
import { type RuntimeOptions, runtimeReady } from '../../../src/kubeadm/host/runtime-ready.ts'
import { makeArchive, makeHost, makeSigningKey, notPassed } from './made-up-host.ts'

const pauseImage = 'registry.k8s.io/pause:3.10.2'
const stepOf = (partial: Partial<RuntimeOptions> = {}) =>
  runtimeReady({
    version: '2.3.7',
    source: { type: 'repository' },
    pauseImage,
    registryMirrors: { 'docker.io': ['https://mirror.example.com'] },
    hasGpu: false,
    ...partial,
  })

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
    const step = stepOf({ version: undefined, source: { type: 'distribution' } })
    const host = await makeReadyHost(step)
    expect((await host.read('etc/containerd/config.toml')).trim()).toBe(
      containerdConfig(2, pauseImage),
    )
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
    expect((await host.apply(stepOf())).code).toBe(0)
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
            from: join('/opt/files', name),
            sha256: createHash('sha256')
              .update(name === tamper ? 'other' : content)
              .digest('hex'),
          })),
        },
      })
    expect((await host.apply(stepWith('cni-plugins'))).code).not.toBe(0)
    expect((await host.probe(stepWith(''))).get('containerd-version')?.state).toBe('failed')
    expect((await host.apply(stepWith(''))).code).toBe(0)
    expect(notPassed(await host.probe(stepWith('')))).toEqual({})
    expect(await host.read('opt/cni/bin/loopback')).toBe('')
  })
})
