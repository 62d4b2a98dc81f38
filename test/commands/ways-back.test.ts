import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { rotateKeys } from '../../src/commands/keys/rotate-keys.ts'
import { compactState } from '../../src/commands/state/compact-state.ts'
import { exportState } from '../../src/commands/state/export-state.ts'
import { importState } from '../../src/commands/state/import-state.ts'
import { recoverState } from '../../src/commands/state/recover-state.ts'
import { repairState } from '../../src/commands/state/repair-state.ts'
import { verifyState } from '../../src/commands/state/verify-state.ts'
import { isClusterError } from '../../src/lib/cluster-error.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import { type Bench, startBench } from './harness.ts'
import { KeyRing } from './key-bench.ts'
import { expectTidy, refs, setBranch } from './world-facts.ts'

const branch = 'hcloud-talos'

let bench: Bench
let ring: KeyRing
let file: ClusterFile
let talosconfig: string
/** The branch before the rotation, after it, and some generations later. */
let former: string
let rotated: string
let newest: string
let labels: Readonly<Record<string, string>>
/** What was exported at each of them. */
let bundles: Readonly<Record<'former' | 'rotated' | 'newest', Uint8Array>>

const firewall = () => [...bench.sandbox.world.hetzner.firewalls.values()][0]
const head = async () => (await refs(bench))[branch] ?? ''
const run = () => ring.holding()
const exported = async () => (await exportState(ring.holding([]), file)).bundle

async function goOn(context = run()): Promise<void> {
  const store = await openStateStore(context, readClusterFile(file).spec)
  for (let each = 0; each < 3; each++) await store.record({ fact: 'secrets-minted' })
  await store.close()
}

beforeAll(async () => {
  bench = await startBench()
  ring = await KeyRing.begin(bench)
  file = await ring.file()
  await applyCluster(run(), { file })
  talosconfig = (await mintAccess(run(), { file, hours: 1 })).talosconfig ?? ''
  former = await head()
  const old = await exported()
  await ring.add()
  file = await ring.file()
  await rotateKeys(run(), { file })
  rotated = await head()
  const between = await exported()
  await goOn()
  // Hetzner is told by whatever comes to its end.
  await applyCluster(run(), { file })
  newest = await head()
  bundles = { former: old, rotated: between, newest: await exported() }
  labels = { ...firewall()?.labels }
})
afterAll(() => bench[Symbol.asyncDispose]())
beforeEach(async () => {
  await setBranch(bench, newest)
  const wall = firewall()
  if (wall) wall.labels = { ...labels }
})

/** What of a hint can be typed: the commands of ours, in their order. */
const commandsOf = (hint: string) =>
  [...hint.matchAll(/`hcloud-talos (\w+)([^`]*)`/g)].map(([, verb = '', rest = '']) => ({
    verb,
    flags: [...rest.matchAll(/--[\w-]+/g)].map(([flag]) => flag),
  }))

/** Carries out the command of a hint, with this bundle where it takes one. */
async function type(
  command: { readonly verb: string; readonly flags: readonly string[] } | undefined,
  bundle = bundles.newest,
): Promise<unknown> {
  const acceptsOlder = command?.flags.includes('--accept-older') ?? false
  switch (command?.verb) {
    case 'repair':
      return await repairState(run(), { file, acceptsOlder, confirm: async () => 'looked at' })
    case 'import':
      return await importState(run(), { file, bundle, acceptsOlder })
    case 'recover':
      return await recoverState(run(), {
        file,
        wayIn: { kind: 'talosconfig', text: talosconfig },
        replaces: command.flags.includes('--replace-state'),
      })
    default:
      throw new Error(`the hint names no such command: ${command?.verb}`)
  }
}

async function hintOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (isClusterError(error)) return error.hint ?? ''
    throw error
  }
  throw new Error('nothing was refused')
}

const plan = () => planCluster(run(), { file, verb: 'apply' })
const repair = (acceptsOlder: boolean) =>
  repairState(run(), { file, acceptsOlder, confirm: async () => 'looked at' })

/** Green: it verifies, plans to nothing, and goes on above all that Hetzner has seen. */
async function expectGreen(): Promise<void> {
  expect((await verifyState(ring.holding([]), file)).problems).toEqual([])
  expect((await plan()).plan.changes).toEqual([])
  expect(Number(firewall()?.labels['generation'])).toBeGreaterThan(Number(labels['generation']))
  expect(firewall()?.labels['key-epoch']).toBe('2')
  await expectTidy(bench)
}

/** A commit of somebody that changes a file of the cluster. */
async function damage(): Promise<void> {
  const { folder } = bench.sandbox.endpoints.git
  const git = (input: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf8' }).trim()
  const blob = git('{}', 'hash-object', '-w', '--stdin')
  const own = git('', 'ls-tree', `${branch}:demo`).replace(
    /blob [0-9a-f]+\tinventory\.json/,
    `blob ${blob}\tinventory.json`,
  )
  const tree = git(`${own}\n`, 'mktree')
  const top = git(`040000 tree ${tree}\tdemo\n`, 'mktree')
  const who = ['-c', 'user.name=Mallory', '-c', 'user.email=mallory@localhost']
  await setBranch(bench, git('', ...who, 'commit-tree', '-m', 'Edit', '-p', branch, top))
}

describe('a branch that was forced back to a generation of a former key', () => {
  it.each(['as it was', 'and damaged'])('%s: no hint leads in a circle', async (how) => {
    await setBranch(bench, former)
    if (how === 'and damaged') await damage()
    const refusals: (() => Promise<unknown>)[] = [() => repair(false), () => repair(true)]
    if (how === 'as it was') refusals.unshift(plan)
    for (const refused of refusals) {
      const hint = await hintOf(refused())
      expect(hint).not.toContain('repair')
      expect(commandsOf(hint)).toEqual([
        { verb: 'import', flags: ['--from'] },
        { verb: 'recover', flags: ['--replace-state', '--talosconfig'] },
      ])
    }
  })

  it.each([
    ['a bundle that was exported since the rotation', 0, false],
    ['a bundle that was exported since the rotation, and damaged', 0, true],
    ['the running cluster, where there is no bundle', 1, false],
    ['the running cluster, where there is no bundle, and damaged', 1, true],
  ])('%s: the command of the hint leads back', async (_, index, isDamaged) => {
    await setBranch(bench, former)
    if (isDamaged) await damage()
    const hint = await hintOf(repair(true))
    await type(commandsOf(hint)[index])
    // The commit of somebody stays in the history, until it is signed for.
    if (isDamaged) await repair(false)
    await expectGreen()
    await compactState(run(), { file })
    await expectGreen()
  })
})

describe('a branch that was damaged and forced back', () => {
  beforeEach(async () => {
    await setBranch(bench, rotated)
    await damage()
  })

  it('is answered by the bundle that the hints of plan and repair lead to', async () => {
    expect(commandsOf(await hintOf(plan()))[0]).toEqual({ verb: 'repair', flags: [] })
    const [first] = commandsOf(await hintOf(repair(false)))
    expect(first).toEqual({ verb: 'import', flags: ['--from'] })
    await type(first)
    await repair(false)
    await expectGreen()
  })

  it('is not answered by a bundle that knows no more than the branch', async () => {
    const before = await head()
    for (const bundle of [bundles.former, bundles.rotated]) {
      const hint = await hintOf(importState(run(), { file, bundle, acceptsOlder: true }))
      expect(commandsOf(hint)).toEqual([{ verb: 'repair', flags: [] }])
    }
    expect(await head()).toBe(before)
    await repair(true)
    await expectGreen()
  })
})

it('a bundle that is older than Hetzner remembers takes the place of an older branch on demand only', async () => {
  await setBranch(bench, former)
  const bundle = bundles.rotated
  const [next] = commandsOf(await hintOf(importState(run(), { file, bundle })))
  expect(next).toBeUndefined()
  expect(await hintOf(importState(run(), { file, bundle }))).toContain('`--accept-older`')
  await importState(run(), { file, bundle, acceptsOlder: true })
  await expectGreen()
})

it('a bundle that a former key signed takes no place, on demand neither', async () => {
  await setBranch(bench, undefined)
  const attempt = importState(run(), { file, bundle: bundles.former, acceptsOlder: true })
  await expect(attempt).rejects.toMatchObject({ code: 'state-rolled-back' })
  expect(await head()).toBe('')
})

describe('a state that recover would take the place of', () => {
  const recover = () => type({ verb: 'recover', flags: ['--replace-state'] })

  it('is left alone while it is the newest, or a repair leads back to that', async () => {
    const before = await head()
    expect(await hintOf(recover())).toContain('hcloud-talos plan')
    expect(await head()).toBe(before)
    await damage()
    const damaged = await head()
    expect(await hintOf(recover())).toContain('hcloud-talos repair')
    expect(await head()).toBe(damaged)
  })

  it('is left alone by whom nobody would believe, and where the file is wrong rather than the state', async () => {
    const wayIn = { kind: 'talosconfig', text: talosconfig } as const
    const former = ring.holding(ring.identities.slice(0, 1))
    const other = {
      ...file,
      text: file.text.replace('"state": {', '"state": { "repository": "some/other",'),
    }
    for (const [context, of, code] of [
      [former, file, 'state-epoch-unknown'],
      [run(), other, 'state-other-repository'],
    ] as const) {
      const attempt = recoverState(context, { file: of, wayIn, replaces: true })
      await expect(attempt).rejects.toMatchObject({ code })
      expect(await head()).toBe(newest)
    }
  })

  it('is replaced where the last identity that opens it is lost', async () => {
    const lost = ring
    const next = await KeyRing.begin(bench)
    next.identities.splice(0, 1, ...ring.identities)
    await next.add()
    const [before, recoverer] = [file, next.identities.slice(-1)]
    file = await next.file()
    ring = next
    const wayIn = { kind: 'talosconfig', text: talosconfig } as const
    const again = (replaces: boolean) =>
      recoverState(next.holding(recoverer), { file, wayIn, replaces })
    expect(await hintOf(again(false))).toContain('`--replace-state`')
    await again(true)
    expect((await verifyState(next.holding([]), file)).problems).toEqual([])
    const { plan: after } = await planCluster(next.holding(recoverer), { file, verb: 'apply' })
    expect(after.changes).toEqual([])
    ring = lost
    file = before
  })

  it('is compacted after a repair that accepted an older one, and after a recovery', async () => {
    await setBranch(bench, rotated)
    await repair(true)
    await compactState(run(), { file })
    await expectGreen()
    await setBranch(bench, undefined)
    await type({ verb: 'recover', flags: [] })
    await goOn()
    await compactState(run(), { file })
    await expectGreen()
  })
})
