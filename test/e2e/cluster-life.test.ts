import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dispatchEvent, pushEvent, scheduleEvent } from '../../scripts/runner-event.ts'
import { findLeaks, plantedSecrets } from './canaries.ts'
import { leftOvers, readyNodes, stateRefs, temporaryRules } from './outside-view.ts'
import { type RunnerBench, smallCluster, startRunnerBench, wholeRuns } from './runner-bench.ts'

/** What it is upgraded from. */
const older = smallCluster.replace('v1.13.9', 'v1.12.11').replace('1.36.3', '1.35.4')
const newer = older.replace('v1.12.11', 'v1.13.9')
const nodes = ['demo-control-plane-1', 'demo-workers-1']

let bench: RunnerBench

beforeAll(async () => {
  bench = await startRunnerBench({ debugLogging: true })
  await bench.writeClusterFile(older)
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
})

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Each test continues with the cluster of the one before, as its repository does. */
describe('the life of a cluster in a repository', wholeRuns, () => {
  test('a push makes it; the next steps get in while the job lasts, and nobody afterwards', async () => {
    const job = bench.job(pushEvent(bench.repository))
    const step = await job.step('.', bench.all)
    expect(step.exitCode).toBe(0)
    expect(step.log).toContain('2 nodes are Ready, etcd is healthy, nothing is left to do')
    const { kubeconfig = '', talosconfig = '' } = step.outputs
    expect([await modeOf(kubeconfig), await modeOf(talosconfig)]).toEqual(['600', '600'])
    expect(await modeOf(dirname(kubeconfig))).toBe('700')
    expect(temporaryRules(bench)).toHaveLength(1)
    expect(await readyNodes(kubeconfig)).toEqual(nodes)

    expect((await job.finish()).map(({ exitCode }) => exitCode)).toEqual([0])
    expect([await exists(kubeconfig), await exists(talosconfig)]).toEqual([false, false])
    expect(temporaryRules(bench)).toEqual([])
    expect(await stateRefs(bench)).toEqual(['refs/heads/hcloud-talos'])
  })

  test('a schedule finds no drift', async () => {
    const step = await bench.job(scheduleEvent(bench.repository)).step('.', bench.readOnly)
    expect(step.exitCode).toBe(0)
    expect(step.outputs).toMatchObject({ drift: 'false', changes: '0' })
    expect(temporaryRules(bench)).toEqual([])
  })

  test('a schedule tells what somebody changed by hand', async () => {
    const [firewall] = bench.sandbox.world.hetzner.firewalls.values()
    firewall?.rules.push({
      direction: 'in',
      protocol: 'tcp',
      port: '22',
      sourceIps: ['0.0.0.0/0'],
      destinationIps: [],
      description: null,
    })
    const step = await bench.job(scheduleEvent(bench.repository)).step('reconcile', bench.readOnly)
    expect(step.exitCode).toBe(0)
    expect(step.outputs).toMatchObject({ drift: 'true', changes: '1' })
    // Nor is there anything else but the ends of support, which go by the calendar.
    const messages = step.commands.map(({ message }) => message)
    expect(messages.filter((message) => !message.includes('support of '))).toEqual([
      expect.stringContaining('the cluster differs from cluster.yaml'),
    ])
  })

  test('a re-run of a push that was overtaken changes nothing, and the next one goes on', async () => {
    const overtaken = bench.head
    await bench.writeClusterFile(newer)
    const newest = bench.head
    const checkedOut = await readFile(join(bench.workspace, 'cluster.yaml'), 'utf8')
    await writeFile(
      join(bench.workspace, 'cluster.yaml'),
      checkedOut.replace('v1.13.9', 'v1.12.11'),
    )
    const job = bench.job(pushEvent(bench.repository), 'push', overtaken)
    const step = await job.step('.', bench.all)
    expect(step.exitCode).toBe(1)
    expect(step.commands.at(-1)?.message).toContain('run-outdated')
    expect(step.commands.at(-1)?.message).toContain(newest.slice(0, 12))
    expect((await job.finish()).map(({ exitCode }) => exitCode)).toEqual([0])
    expect(await stateRefs(bench)).toEqual(['refs/heads/hcloud-talos'])
  })

  test('a schedule tells that what was merged was never applied', async () => {
    await bench.writeClusterFile(newer)
    const step = await bench.job(scheduleEvent(bench.repository)).step('.', bench.readOnly)
    expect(step.exitCode).toBe(0)
    expect(step.summary).toContain('was merged to main')
    expect(step.summary).toContain('never applied to its end')
  })

  test('a new version waits for its button, and the push fixes what drifted', async () => {
    await bench.writeClusterFile(newer)
    const job = bench.job(pushEvent(bench.repository))
    const step = await job.step('.', bench.all)
    expect(step.exitCode).toBe(0)
    expect(Number(step.outputs['waiting'])).toBeGreaterThan(0)
    await job.finish()
    const [firewall] = bench.sandbox.world.hetzner.firewalls.values()
    expect(firewall?.rules.some(({ port }) => port === '22')).toBe(false)
  })

  test('the button rolls the nodes', async () => {
    const job = bench.job(dispatchEvent(bench.repository), 'upgrade')
    const step = await job.step('actions/upgrade', bench.all)
    expect(step.exitCode).toBe(0)
    const versions = [...bench.sandbox.world.machines.values()].map(({ disk }) =>
      disk.image.kind === 'talos' ? disk.image.version : disk.image.kind,
    )
    expect(versions).toEqual(['v1.13.9', 'v1.13.9'])
    await job.finish()
    expect(temporaryRules(bench)).toEqual([])
  })

  test('pressed again it has nothing to do, and still lets the next steps in', async () => {
    const job = bench.job(dispatchEvent(bench.repository), 'upgrade')
    const step = await job.step('actions/upgrade', bench.all)
    expect(step.outputs).toMatchObject({ changes: '0' })
    expect(await readyNodes(step.outputs['kubeconfig'] ?? '')).toEqual(nodes)
    await job.finish()
    expect(temporaryRules(bench)).toEqual([])
  })

  test('no secret of its nodes can be read in what all these steps left', async () => {
    expect(plantedSecrets(bench).length).toBeGreaterThan(10)
    expect(await findLeaks(bench)).toEqual([])
  })

  test('a destroy that does not name it is refused', async () => {
    const inputs = { ...bench.all, confirm: 'demo-2' }
    const step = await bench.job(dispatchEvent(bench.repository)).step('actions/destroy', inputs)
    expect(step.exitCode).toBe(1)
    expect(step.commands.at(-1)?.message).toContain('not-confirmed')
    expect(bench.sandbox.world.hetzner.servers.size).toBe(2)
  })

  test('a destroy that names it leaves nothing behind', async () => {
    const job = bench.job(dispatchEvent(bench.repository), 'destroy')
    const step = await job.step('actions/destroy', { ...bench.all, confirm: 'demo' })
    expect(step.exitCode).toBe(0)
    expect(Number(step.outputs['deleted'])).toBeGreaterThan(5)
    expect(step.summary).toContain('server demo-control-plane-1')
    expect((await job.finish()).map(({ exitCode }) => exitCode)).toEqual([0])
    expect(leftOvers(bench)).toEqual([])
    expect(await stateRefs(bench)).toEqual(['refs/heads/hcloud-talos'])
    expect(bench.sandbox.world.contractErrors).toEqual([])
  })
})
