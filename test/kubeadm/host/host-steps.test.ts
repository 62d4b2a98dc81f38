import { describe, expect, test } from 'vitest'
import { containerdConfig, registryHosts } from '../../../src/kubeadm/host/containerd-config.ts'
import type { HostStep } from '../../../src/kubeadm/host/host-check.ts'
import { kubeadmReady } from '../../../src/kubeadm/host/kubeadm-ready.ts'
import { osReady } from '../../../src/kubeadm/host/os-ready.ts'
import { prepareHost } from '../../../src/kubeadm/host/prepare-host.ts'
import { renderApply, renderProbe } from '../../../src/kubeadm/host/render-step.ts'
import { runtimeReady } from '../../../src/kubeadm/host/runtime-ready.ts'

const digest = 'd'.repeat(64)
const canary = 'canary-$(id)-`id`'
const runtime = (partial: Partial<Parameters<typeof runtimeReady>[0]> = {}) =>
  runtimeReady({
    kubernetesVersion: '1.36.3',
    version: '2.3.7',
    source: { type: 'repository' },
    pauseImage: 'registry.k8s.io/pause:3.10.2',
    registryMirrors: {},
    hasGpu: false,
    ...partial,
  })
const kubeadm = (partial: Partial<Parameters<typeof kubeadmReady>[0]> = {}) =>
  kubeadmReady({
    version: '1.36.3',
    newestMinor: '1.37',
    source: { type: 'repository' },
    ...partial,
  })
const idsOf = (step: HostStep) => step.checks.map(({ id }) => id)
const argOf = (step: HostStep, name: string) => step.args[step.parameters.indexOf(name)]

describe('the scripts of a step', () => {
  const mirror = { type: 'mirror', url: `https://${canary}`, key: canary } as const
  const files = <Name extends string>(name: Name) =>
    ({ type: 'files', files: [{ name, at: canary, sha256: digest }] }) as const
  const steps: readonly (readonly [HostStep, HostStep])[] = [
    [
      runtime(),
      runtime({
        version: canary,
        source: mirror,
        pauseImage: canary,
        registryMirrors: { 'ghcr.io': [canary] },
      }),
    ],
    [
      runtime({ source: files('containerd') }),
      runtime({ source: { type: 'files', files: [{ name: 'runc', at: '/b', sha256: canary }] } }),
    ],
    [kubeadm(), kubeadm({ version: canary, newestMinor: canary, source: mirror })],
  ]

  test.each(steps)(
    'never hold a value of a user: they are the same for other values',
    (one, other) => {
      for (const render of [renderProbe, renderApply]) {
        expect(render(other)).toBe(render(one))
        expect(render(other)).not.toContain('canary')
      }
      expect(other.args.join()).toContain('canary')
    },
  )

  test('look before they change anything, and change only what failed', () => {
    const script = renderApply(osReady({ podRange: '10.244.0.0/16', nodes: ['192.0.2.12'] }))
    expect(script.indexOf('report cgroups')).toBeLessThan(script.indexOf('then apply_'))
    expect(script).toContain('if [ "$state" = failed ]; then apply_swap; fi')
    expect(renderProbe(osReady({ podRange: '10.244.0.0/16', nodes: ['192.0.2.12'] }))).not.toMatch(
      /apply_|swapoff|modprobe/,
    )
  })

  test.each([
    osReady({ podRange: '10.244.0.0/16', nodes: ['192.0.2.12'] }),
    runtime({ hasGpu: true }),
    kubeadm(),
  ])('have checks with names of their own', (step) => {
    const ids = idsOf(step)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[a-z0-9-]+$/.test(id))).toEqual([])
  })
})

describe('a host', () => {
  test('with GPUs is verified and not changed for them', () => {
    const gpu = runtime({ hasGpu: true }).checks.filter(({ id }) => id.startsWith('gpu-'))
    expect(gpu.map(({ apply }) => apply)).toEqual([undefined, undefined, undefined])
    expect(idsOf(runtime()).filter((id) => id.startsWith('gpu-'))).toEqual([])
  })

  test('takes packages of its minor, with the key of the newest, or all of it from a mirror', () => {
    expect(argOf(kubeadm(), 'deb_url')).toBe('https://pkgs.k8s.io/core:/stable:/v1.36/deb/')
    expect(argOf(kubeadm(), 'deb_key')).toBe(
      'https://pkgs.k8s.io/core:/stable:/v1.37/deb/Release.key',
    )
    const source = {
      type: 'mirror',
      url: 'https://mirror.example.com/k8s/',
      key: 'https://k.example.com',
    } as const
    expect(argOf(kubeadm({ source }), 'rpm_url')).toBe(
      'https://mirror.example.com/k8s/core:/stable:/v1.36/rpm/',
    )
    expect(argOf(kubeadm({ source }), 'rpm_key')).toBe('https://k.example.com')
    const keyless = { type: 'mirror', url: 'https://mirror.example.com' } as const
    expect(argOf(kubeadm({ source: keyless }), 'deb_key')).toBe(
      'https://mirror.example.com/core:/stable:/v1.36/deb/Release.key',
    )
  })

  test('with files has no repository and nothing to hold', () => {
    const file = { name: 'kubelet', at: '/tmp/kubelet', sha256: digest } as const
    expect(idsOf(kubeadm({ source: { type: 'files', files: [file] } }))).toEqual([
      'kubernetes-files',
      'kubelet-enabled',
    ])
    expect(argOf(kubeadm({ source: { type: 'files', files: [file] } }), 'files')).toBe(
      `kubelet\t${digest}\t/tmp/kubelet`,
    )
  })

  test('gives a registry no path of its own choice', () => {
    for (const registry of ['../../etc', 'a/b', '.', '', '[2001:db8::1]:5000']) {
      expect(() => runtime({ registryMirrors: { [registry]: ['https://m'] } })).toThrow(
        'no name of a registry',
      )
    }
    expect(runtime({ registryMirrors: { 'localhost:5000': ['https://m'] } }).args.at(-2)).toBe(
      'localhost:5000',
    )
    expect(runtime({ registryMirrors: { '*': ['https://m'] } }).args.slice(-2)).toEqual([
      '_default',
      '[host."https://m"]\n  capabilities = ["pull", "resolve"]',
    ])
  })

  test('is asked for a containerd that is new enough for its Kubernetes', () => {
    expect(argOf(runtime(), 'minimums')).toBe('2.2.0 2.3.0')
    expect(argOf(runtime({ kubernetesVersion: '1.34.1' }), 'minimums')).toBe('1.7.28 2.0.6 2.1.3')
  })
})

describe('the config of containerd', () => {
  test('has the keys of its schema and none of the other', () => {
    const [two, three] = [containerdConfig(2, 'pause:1'), containerdConfig(3, 'pause:1')]
    expect(two).toMatch(/^version = 2$/m)
    expect(two).not.toContain('cri.v1')
    expect(two).toContain('sandbox_image = "pause:1"')
    expect(three).toMatch(/^version = 3$/m)
    expect(three).not.toContain('grpc.v1')
    expect(three).toMatch(/pinned_images\]\n {2}sandbox = "pause:1"/)
    for (const text of [two, three]) {
      expect(text).toContain('SystemdCgroup = true')
      expect(text).toContain('imports = ["/etc/containerd/conf.d/*.toml"]')
      expect(text).toContain('config_path = "/etc/containerd/certs.d"')
    }
  })

  test('asks the mirrors of a registry in their order, then the registry', () => {
    const text = registryHosts('docker.io', ['https://a', 'https://b'])
    expect(text).toMatch(/^server = "https:\/\/registry-1\.docker\.io"\n/)
    expect(text.indexOf('https://a')).toBeLessThan(text.indexOf('https://b'))
    expect(registryHosts('ghcr.io', [])).toBe('server = "https://ghcr.io"')
  })
})

describe('preparing a host', () => {
  const step: HostStep = {
    id: 'os_ready',
    parameters: [],
    args: [],
    checks: [{ id: 'one', words: 'one is there', probe: '', apply: 'true' }],
  }
  const clock = { now: () => 5, sleep: async () => {} }
  const fake = (states: readonly string[], code = 0) => {
    const run: string[] = []
    const left = [...states]
    const runScript = async (text: string) => {
      const isProbe = text === renderProbe(step)
      run.push(isProbe ? 'probe' : 'apply')
      return isProbe
        ? { code: 0, stdout: `check\tone\t${left.shift()}\tseen\n`, stderr: '' }
        : { code, stdout: '', stderr: 'why it failed\n' }
    }
    return { run, host: { name: 'web-1', clock, runScript } }
  }

  test('that is ready looks once and changes nothing', async () => {
    const { run, host } = fake(['passed'])
    expect(await prepareHost(host, [step])).toMatchObject([
      { host: 'web-1', at: 5, state: 'passed' },
    ])
    expect(run).toEqual(['probe'])
  })

  test('that is not is verified by looking again', async () => {
    const { run, host } = fake(['failed', 'passed'])
    expect(await prepareHost(host, [step])).toMatchObject([{ state: 'passed' }])
    expect(run).toEqual(['probe', 'apply', 'probe'])
  })

  test('that cannot be made ready fails with what was seen, and begins no later step', async () => {
    const { run, host } = fake(['failed', 'unknown', 'passed'], 3)
    await expect(prepareHost(host, [step, step])).rejects.toMatchObject({
      code: 'script-failed',
      target: 'web-1',
      evidence: ['one unknown: seen', 'why it failed'],
    })
    expect(run).toEqual(['probe', 'apply', 'probe'])
  })
})
