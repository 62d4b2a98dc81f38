import { execFileSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { fieldAt } from '../../src/lib/kubernetes-object.ts'
import { openSession } from '../../src/run/hetzner-talos/cluster-session.ts'
import { lockCluster } from '../../src/run/lock-cluster.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { typeTalos } from '../cli/talos-bench.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { bootIds } from './node-hands.ts'
import { nodesOf } from './simulated-kubernetes.ts'
import { inventoryOf, newestCluster, refs } from './world-facts.ts'

const names = [1, 2, 3].map((slot) => `demo-control-plane-${slot}`)
const file = clusterFile({ controlPlanes: 3, workers: 0 }, bare)
let bench: Bench
let folder: string

beforeAll(async () => {
  bench = await startBench()
  folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-reboot-'))
  await writeFile(join(folder, 'cluster.yaml'), file.text)
  await applyCluster(bench.run(), { file })
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const typed = (verb: string, words: string[], context = bench.run()) =>
  typeTalos([verb, '--config', join(folder, 'cluster.yaml'), '--yes', ...words], { context })

const reboot = (words: string[], context = bench.run()) => typed('reboot', words, context)

const machineOf = (name: string) =>
  [...bench.sandbox.world.machines.values()].find((machine) => machine.name === name)

/** A run to which it is said of another one, which has the lock, whether that has ended. */
function runAsking(isRunOver: RunContext['run']['isRunOver'] & {}): RunContext {
  const context = bench.run()
  return { ...context, run: { ...context.run, isRunOver } }
}

/** Another run that has the lock until it is disposed of. */
async function lockedByOther() {
  const other = bench.run()
  const session = await openSession(other, file)
  await lockCluster(other, session)
  return session
}

const cordonsOf = () =>
  new Set(
    nodesOf(bench.sandbox.world)
      .filter((node) => fieldAt(node, 'spec', 'unschedulable') === true)
      .map(({ metadata }) => metadata.name),
  )

/** Looks at each request: names of the nodes that were cordoned at one of them. */
function watchCordons(): Set<string> {
  const cordoned = new Set<string>()
  bench.sandbox.world.onRequest(() => {
    for (const name of cordonsOf()) cordoned.add(name)
  })
  return cordoned
}

const lockRef = 'refs/heads/hcloud-talos-lock/demo'

/** At once, so that nothing happens in the world meanwhile. */
function git(...args: string[]): string {
  const { folder } = bench.sandbox.endpoints.git
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b']
  const options = { encoding: 'utf8', input: '' } as const
  return execFileSync('git', ['-C', folder, ...identity, ...args], options).trim()
}

it('three control planes are rebooted one after the other, each drained, and never two of etcd away', async () => {
  const { world } = bench.sandbox
  const boots = bootIds(bench)
  const cordoned = watchCordons()
  let away = 0
  world.onRequest(() => {
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
  expect(cordonsOf()).toEqual(new Set())
  expect(Object.keys(await refs(bench))).not.toContain('hcloud-talos-lock/demo')
})

it('while another run has the lock, nothing is cordoned', async () => {
  await using _other = await lockedByOther()
  const cordoned = watchCordons()
  const { error } = await reboot(
    ['-n', names.join(',')],
    runAsking(async () => false),
  )
  expect(error).toMatchObject({ code: 'state-locked' })
  expect([...cordoned]).toEqual([])
})

it.each([
  { when: 'after the first reboot', rebooted: names.slice(0, 1) },
  { when: 'while the first node is drained', rebooted: [] },
])('a run that lost its lock $when reboots no further node', async ({ rebooted }) => {
  const boots = bootIds(bench)
  const [first = ''] = names
  const changed = () => names.filter((name) => boots[name] !== bootIds(bench)[name])
  const isNow = () => (rebooted.length > 0 ? changed().includes(first) : cordonsOf().has(first))
  let taken = false
  bench.sandbox.world.onRequest(() => {
    if (taken || !isNow()) return
    taken = true
    git('update-ref', lockRef, git('commit-tree', '-m', 'Taken over', git('mktree')))
  })
  const { error } = await reboot(['-n', names.join(',')])
  git('update-ref', '-d', lockRef)
  expect(error).toMatchObject({ code: 'state-fenced' })
  expect(changed()).toEqual(rebooted)
  expect(cordonsOf()).toEqual(new Set(rebooted.length > 0 ? [] : [first]))
  // The next run gives the node back that this one had to leave.
  await applyCluster(bench.run(), { file })
  expect(cordonsOf()).toEqual(new Set())
})

it('where the lock cannot be looked at after the drain, the node takes pods again, and the step is named', async () => {
  const { world } = bench.sandbox
  const [first = ''] = names
  const boots = bootIds(bench)
  const remote = bench.sandbox.endpoints.git.folder
  const hidden = `${remote}-away`
  let isLooking = true
  world.onRequest(() => {
    if (!isLooking || existsSync(hidden) === cordonsOf().has(first)) return
    if (existsSync(remote)) renameSync(remote, hidden)
    else renameSync(hidden, remote)
  })
  const { error } = await reboot(['-n', first])
  isLooking = false
  expect(cordonsOf()).toEqual(new Set())
  expect(error).toMatchObject({
    message: expect.stringContaining(`the reboot stopped at ${first}: stop it`),
  })
  expect(bootIds(bench)).toEqual(boots)
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

it('a rollback boots the Talos of before, drained as for a reboot', async () => {
  const [first = ''] = names
  const disk = machineOf(first)?.disk
  if (disk?.image.kind !== 'talos') throw new Error('it has no Talos')
  const { version } = disk.image
  const former = await typed('rollback', ['-n', first])
  expect(former.error).toMatchObject({ message: expect.stringContaining('no previous label') })
  disk.state.set('talos.previous', disk.image)
  const boots = bootIds(bench)
  const cordoned = watchCordons()
  const { error, stdout, stderr } = await typed('rollback', ['-n', first])
  expect(error).toBeUndefined()
  expect(stdout).toMatch(/demo-control-plane-1 +rolled back/)
  expect(stderr.filter((line) => line.includes('not written down'))).toEqual([])
  const { nodes } = await inventoryOf(bench)
  expect(nodes.find(({ name }) => name === first)).toMatchObject({
    talosVersion: version,
    formerTalosVersion: version,
  })
  expect(disk.image).toMatchObject({ version })
  expect(bootIds(bench)[first]).not.toBe(boots[first])
  expect([...cordoned]).toEqual([first])
})

it('a shutdown ends before the node without which etcd has no majority, and an apply turns on what is off', async () => {
  const [, second = '', third = ''] = names
  const cordoned = watchCordons()
  const { error } = await typed('shutdown', ['-n', `${second},${third}`])
  expect(error).toBeDefined()
  expect(machineOf(second)?.power).toBe('off')
  expect(machineOf(third)?.power).toBe('on')
  expect([...cordoned]).toEqual([second])
  await applyCluster(bench.run(), { file })
  expect(machineOf(second)?.power).toBe('on')
  expect(cordonsOf()).toEqual(new Set())
})

it('what does not wait has no gate, and says so', async () => {
  expect((await reboot(['--no-wait', '-n', names[0] ?? ''])).error).toMatchObject({
    code: 'usage',
    hint: expect.stringContaining('--no-gate'),
  })
})

it('a node that was replaced, or that left, before the lock was had is not the one that was named', async () => {
  const [, , third = ''] = names
  const other = await lockedByOther()
  const context = runAsking(async () => {
    // The run that has the lock makes way for one that replaces the node.
    await applyCluster(bench.run(), { file, replace: [third] })
    return true
  })
  const boots = bootIds(bench)
  const cordoned = watchCordons()
  const { error } = await reboot(['-n', names.slice(0, 2).join(','), '-n', third], context)
  await other[Symbol.asyncDispose]()
  expect(error).toMatchObject({
    code: 'plan-moved',
    message: expect.stringContaining(`${third} was replaced by another server`),
  })
  expect(cordoned).not.toContain(names[0])
  expect(bootIds(bench)[names[0] ?? '']).toBe(boots[names[0] ?? ''])
})
