import { describe, expect, test } from 'vitest'
import { dispatchEvent, pushEvent } from '../../scripts/runner-event.ts'
import { findLeaks } from './canaries.ts'
import { readyNodes, stateRefs, temporaryRules } from './outside-view.ts'
import { smallCluster, startRunnerBench, wholeRuns } from './runner-bench.ts'

describe('the pipeline in its parts', wholeRuns, () => {
  test('an image, then infrastructure, Talos and addons, each in a job of its own', async () => {
    await using bench = await startRunnerBench()
    await bench.writeClusterFile(smallCluster)
    const { world } = bench.sandbox

    const image = await bench
      .job(dispatchEvent(bench.repository), 'image')
      .step('actions/build-image', { 'hcloud-token': bench.sandbox.endpoints.hcloud.token })
    expect(image.exitCode).toBe(0)
    const snapshot = world.hetzner.images.get(Number(image.outputs['amd64']))
    expect(snapshot?.labels).toMatchObject({ os: 'talos', arch: 'amd64', version: 'v1.13.9' })
    expect(image.summary).toContain(image.outputs['amd64'])
    expect(world.hetzner.servers.size).toBe(0)

    const infra = bench.job(pushEvent(bench.repository), 'infra')
    const built = await infra.step('actions/reconcile-infra', bench.all)
    expect(built.exitCode).toBe(0)
    expect(built.outputs['kubeconfig']).toBeUndefined()
    expect(world.hetzner.servers.size).toBe(2)
    await infra.finish()
    expect(temporaryRules(bench)).toEqual([])

    const talos = bench.job(pushEvent(bench.repository), 'talos')
    const booted = await talos.step('actions/talos-bootstrap', bench.all)
    expect(booted.exitCode).toBe(0)
    expect(booted.log).toContain('bootstrapped')
    expect(await readyNodes(booted.outputs['kubeconfig'] ?? '')).toEqual([])
    await talos.finish()

    const addons = bench.job(pushEvent(bench.repository), 'addons')
    const installed = await addons.step('actions/install-addons', bench.all)
    expect(installed.exitCode).toBe(0)
    expect(installed.outputs).toMatchObject({ changes: '4' })
    expect(await readyNodes(installed.outputs['kubeconfig'] ?? '')).toEqual([
      'demo-control-plane-1',
      'demo-workers-1',
    ])
    await addons.finish()

    expect(temporaryRules(bench)).toEqual([])
    expect(await stateRefs(bench)).toEqual(['refs/heads/hcloud-talos'])
    expect(await findLeaks(bench)).toEqual([])
    expect(world.contractErrors).toEqual([])
  })
})
