import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/apply-cluster.ts'
import { fieldAt } from '../../src/lib/kubernetes-object.ts'
import { typeTalos } from '../cli/talos-bench.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { bootIds } from './node-hands.ts'
import { nodesOf } from './simulated-kubernetes.ts'
import { newestCluster } from './world-facts.ts'

const names = [1, 2, 3].map((slot) => `demo-control-plane-${slot}`)
let bench: Bench
let folder: string

beforeAll(async () => {
  bench = await startBench()
  folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-reboot-'))
  const file = clusterFile({ controlPlanes: 3, workers: 0 }, bare)
  await writeFile(join(folder, 'cluster.yaml'), file.text)
  await applyCluster(bench.run(), { file })
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const reboot = (words: string[]) =>
  typeTalos(['reboot', '--config', join(folder, 'cluster.yaml'), '--yes', ...words], {
    context: bench.run(),
  })

it('three control planes are rebooted one after the other, each drained, and never two of etcd away', async () => {
  const { world } = bench.sandbox
  const boots = bootIds(bench)
  const cordoned = new Set<string>()
  let away = 0
  world.onRequest(() => {
    for (const node of nodesOf(world)) {
      if (fieldAt(node, 'spec', 'unschedulable') === true) cordoned.add(node.metadata.name)
    }
    const [etcd] = newestCluster(world).etcds.values()
    away = Math.max(away, etcd?.voters.filter(({ id }) => !etcd.isStarted(id)).length ?? 0)
  })
  const { error, stdout } = await reboot(['-n', names.join(',')])
  expect(error).toBeUndefined()
  for (const name of names) expect(stdout).toMatch(new RegExp(`${name} +rebooted`))
  const after = bootIds(bench)
  expect(names.filter((name) => boots[name] === after[name])).toEqual([])
  expect([...cordoned].sort()).toEqual(names)
  // The World itself judges each of its moments; this one is what was seen at requests.
  expect(away).toBeLessThan(2)
  expect(nodesOf(world).filter((node) => fieldAt(node, 'spec', 'unschedulable'))).toEqual([])
})

it('none is rebooted while another member of etcd is away', async () => {
  const { world } = bench.sandbox
  const third = [...world.machines.values()].find(({ name }) => name === names[2])
  await third?.powerOff()
  const boots = bootIds(bench)
  const { error } = await reboot(['-n', names.slice(0, 2).join(',')])
  expect(error).toBeDefined()
  expect(bootIds(bench)[names[0] ?? '']).toBe(boots[names[0] ?? ''])
  expect(bootIds(bench)[names[1] ?? '']).toBe(boots[names[1] ?? ''])
  await third?.powerOn()
})

it('what does not wait has no gate, and says so', async () => {
  expect((await reboot(['--no-wait', '-n', names[0] ?? ''])).error).toMatchObject({
    code: 'usage',
    hint: expect.stringContaining('--no-gate'),
  })
})
