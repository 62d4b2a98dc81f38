import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pushEvent } from '../../scripts/runner-event.ts'
import { findLeaks } from './canaries.ts'
import { readyNodes, stateRefs, temporaryRules } from './outside-view.ts'
import { type RunnerBench, smallCluster, startRunnerBench, wholeRuns } from './runner-bench.ts'

let bench: RunnerBench

beforeAll(async () => {
  bench = await startRunnerBench()
  await bench.writeClusterFile(smallCluster)
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
})

/** Resolves when the front is asked for something that fits. */
function whenAsked(front: string, path: RegExp): Promise<void> {
  return new Promise((resolve) => {
    bench.sandbox.world.onRequest((request) => {
      if (request.front === front && path.test(`${request.method} ${request.path}`)) resolve()
    })
  })
}

/** Each test continues where the one before was broken off. */
describe('a run that does not come to its end', wholeRuns, () => {
  test('cancelled while it writes an image, it ends by itself and leaves no builder', async () => {
    const writing = whenAsked('factory', /^GET \/image\//)
    const job = bench.job(pushEvent(bench.repository))
    const step = await job.runner.start('.', bench.all)
    await writing
    step.cancel()
    const result = await step.result
    bench.seen.push(result)
    expect([result.exitCode, result.signal]).toEqual([1, null])
    expect(result.commands.at(-1)?.message).toContain('interrupted: the run was cancelled')
    const { servers, sshKeys } = bench.sandbox.world.hetzner
    expect([...servers.values()].map(({ name }) => name)).toEqual([])
    expect([...sshKeys.values()].map(({ name }) => name).filter((name) => name !== 'demo')).toEqual(
      [],
    )

    expect((await job.finish()).map(({ exitCode }) => exitCode)).toEqual([0])
    expect(temporaryRules(bench)).toEqual([])
    expect(await stateRefs(bench)).toEqual(['refs/heads/hcloud-talos'])
  })

  test('killed while its nodes get their configs, its post deletes the temporary firewall rule and frees the lock', async () => {
    const configuring = whenAsked('talos', /ApplyConfiguration/)
    const job = bench.job(pushEvent(bench.repository))
    const step = await job.runner.start('.', bench.all)
    await configuring
    step.kill()
    const result = await step.result
    bench.seen.push(result)
    expect(result.signal).toBe('SIGKILL')
    expect(temporaryRules(bench)).toHaveLength(1)
    expect(await stateRefs(bench)).toContain('refs/heads/hcloud-talos-lock/demo')

    // A later step checks something else out, which has no cluster file.
    await rename(join(bench.workspace, 'cluster.yaml'), join(bench.folder, 'cluster.yaml'))
    expect((await job.finish()).map(({ exitCode }) => exitCode)).toEqual([0])
    expect(temporaryRules(bench)).toEqual([])
    expect(await stateRefs(bench)).toEqual(['refs/heads/hcloud-talos'])
    expect(await readdir(job.runner.temporaryFolder)).toEqual([])
    await rename(join(bench.folder, 'cluster.yaml'), join(bench.workspace, 'cluster.yaml'))
  })

  test('the next one goes on and ends well, with nothing made twice', async () => {
    const job = bench.job(pushEvent(bench.repository))
    const step = await job.step('.', bench.all)
    expect(step.exitCode).toBe(0)
    expect(await readyNodes(step.outputs['kubeconfig'] ?? '')).toHaveLength(2)
    await job.finish()
    const { servers, networks, loadBalancers, images } = bench.sandbox.world.hetzner
    const snapshots = [...images.values()].filter(({ labels }) => labels['os'] === 'talos')
    expect([servers.size, networks.size, loadBalancers.size, snapshots.length]).toEqual([
      2, 1, 1, 1,
    ])
    expect(await findLeaks(bench)).toEqual([])
    expect(bench.sandbox.world.contractErrors).toEqual([])
  })

  test('killed, it is gone on with by the next step of the same job, which need not wait', async () => {
    await bench.writeClusterFile(smallCluster.replace('workers: { count: 1', 'workers: { count: 2'))
    const configuring = whenAsked('talos', /ApplyConfiguration/)
    const job = bench.job(pushEvent(bench.repository))
    const killed = await job.runner.start('.', bench.all)
    await configuring
    killed.kill()
    bench.seen.push(await killed.result)
    expect(await stateRefs(bench)).toContain('refs/heads/hcloud-talos-lock/demo')

    const step = await job.step('.', bench.all)
    expect(step.exitCode).toBe(0)
    expect(step.log).toContain('which has ended')
    expect(await readyNodes(step.outputs['kubeconfig'] ?? '')).toHaveLength(3)
    expect((await job.finish()).map(({ exitCode }) => exitCode)).toEqual([0, 0])
    expect(await stateRefs(bench)).toEqual(['refs/heads/hcloud-talos'])
    expect(temporaryRules(bench)).toEqual([])
  })
})
