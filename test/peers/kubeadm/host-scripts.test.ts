import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { HostStep } from '../../../src/kubeadm/host/host-check.ts'
import { kubeadmReady } from '../../../src/kubeadm/host/kubeadm-ready.ts'
import { osReady } from '../../../src/kubeadm/host/os-ready.ts'
import { renderApply, renderProbe } from '../../../src/kubeadm/host/render-step.ts'
import { runtimeReady } from '../../../src/kubeadm/host/runtime-ready.ts'

const sha256 = 'd'.repeat(64)
const runtime = (source: Parameters<typeof runtimeReady>[0]['source']) =>
  runtimeReady({
    kubernetesVersion: '1.36.3',
    version: '2.3.7',
    source,
    pauseImage: 'pause:1',
    registryMirrors: {},
    hasGpu: true,
  })
const kubeadm = (source: Parameters<typeof kubeadmReady>[0]['source']) =>
  kubeadmReady({ version: '1.36.3', newestMinor: '1.37', source })
const steps: readonly (readonly [string, HostStep])[] = [
  ['os_ready', osReady({ podRange: '10.244.0.0/16', nodes: ['192.0.2.12'] })],
  ['runtime_ready by a repository', runtime({ type: 'repository' })],
  [
    'runtime_ready by files',
    runtime({ type: 'files', files: [{ name: 'runc', at: '/r', sha256 }] }),
  ],
  ['kubeadm_ready by a repository', kubeadm({ type: 'repository' })],
  [
    'kubeadm_ready by files',
    kubeadm({ type: 'files', files: [{ name: 'kubelet', at: '/k', sha256 }] }),
  ],
]

describe.each(steps)('%s', (_, step) => {
  test.each([
    ['probe', renderProbe(step)],
    ['apply', renderApply(step)],
  ])('its %s is what bash reads, and shellcheck minds nothing', (_verb, script) => {
    expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr).toBe('')
    // What all scripts begin with is not used by each of them, nor is each parameter; os-release is the host's.
    const args = ['--shell=bash', '--exclude=SC1090,SC1091,SC2034,SC2317', '-']
    expect(spawnSync('shellcheck', args, { input: script, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: '',
    })
  })
})
