import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { handedOutEnds } from '../../src/planner/handed-out.ts'
import { openSession } from '../../src/run/hetzner-talos/cluster-session.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { silentProgress } from '../silent-progress.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, refs, stateFiles } from './world-facts.ts'

const file = clusterFile({ workers: 0 }, bare)
const branch = 'hcloud-talos'
const day = 86_400_000

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

/** Mints credentials, and returns what it warned of. */
async function mint(hours: number, partial: Partial<RunContext> = {}): Promise<string[]> {
  const warnings: string[] = []
  const progress = { ...silentProgress, warn: (text: string) => void warnings.push(text) }
  const { kubeconfig } = await mintAccess(bench.run({ ...partial, progress }), { file, hours })
  expect(kubeconfig).toContain('client-key-data')
  return warnings
}

/** The findings of a plan that somebody without keys makes in some days. */
async function warnedIn(days: number): Promise<string[]> {
  const { state, calendar } = bench.run()
  const later = { ...calendar, now: () => calendar.now() + days * day }
  const context = bench.run({ calendar: later, state: { ...state, identity: undefined } })
  const { plan } = await planCluster(context, { file, verb: 'apply' })
  return plan.findings
    .filter(({ message }) => message.includes('was handed out on'))
    .map(({ message, hint }) => `${message} → ${hint}`)
}

const generation = async () =>
  String(JSON.parse((await stateFiles(bench))['demo/manifest.json'] ?? '').generation)
const anchor = () => [...bench.sandbox.world.hetzner.firewalls.values()][0]?.labels['generation']
const setBack = (to: string) => {
  const { folder } = bench.sandbox.endpoints.git
  execFileSync('git', ['-C', folder, 'update-ref', `refs/heads/${branch}`, to])
}

it('what lives no longer than a fortnight is not recorded, and needs no lock', async () => {
  const before = await refs(bench)
  expect(await changesDuring(bench.sandbox.world, () => mint(14 * 24))).toEqual([])
  expect(await refs(bench)).toEqual(before)
  expect(await mint(14 * 24, { hetznerToken: undefined })).toEqual([
    expect.stringContaining('no token for Hetzner'),
  ])
})

it('without a token nothing is written, and that it is not recorded is said', async () => {
  const before = await refs(bench)
  expect(await mint(720, { hetznerToken: undefined })).toEqual([
    expect.stringContaining('no token for Hetzner'),
    expect.stringMatching(/its end could not be recorded: .*HCLOUD_TOKEN/),
  ])
  expect(await refs(bench)).toEqual(before)
  expect(await warnedIn(20)).toEqual([])
})

it('what cannot be recorded is handed out all the same', async () => {
  const before = await refs(bench)
  const other = bench.run({
    run: { ...bench.run().run, id: 'other', isRunOver: async () => false },
  })
  await using session = await openSession(other, file)
  await session.store.lock({ waitMs: 0 })
  const alive = { ...bench.run().run, isRunOver: async () => false }
  expect(await mint(720, { run: alive })).toEqual([
    expect.stringMatching(/its end could not be recorded: .*other/),
  ])
  await session.store.close()
  expect(await refs(bench)).toEqual(before)
})

it('what lives longer is recorded and anchored, and reported in its last fortnight', async () => {
  expect(await mint(720)).toEqual([])
  expect(anchor()).toBe(await generation())
  expect(await warnedIn(15)).toEqual([])
  expect(await warnedIn(17)).toEqual([
    expect.stringMatching(
      /^the kubeconfig that was handed out on .* ends on .*, in 1[23] days → Mint another one with `hcloud-talos kubeconfig --hours 720`/,
    ),
  ])
  expect(await warnedIn(36)).toEqual([expect.stringMatching(/ended on/)])
  expect(await warnedIn(38)).toEqual([])
})

it('whoever mints another one is not warned of the former any more, and others are of theirs', async () => {
  const ofOthers = { run: { ...bench.run().run, actor: 'somebody-else' } }
  await mint(721, ofOthers)
  await mint(1_440)
  expect(await warnedIn(17)).toEqual([expect.stringContaining('--hours 721')])
  await mint(1_440, ofOthers)
  expect(await warnedIn(17)).toEqual([])
})

it('a branch that was set back stays refused, whatever was minted without a token', async () => {
  const newest = (await refs(bench))[branch] ?? ''
  const { folder } = bench.sandbox.endpoints.git
  const former = execFileSync('git', ['-C', folder, 'rev-parse', `${newest}~2`], {
    encoding: 'utf8',
  })
  setBack(former.trim())
  try {
    const back = (await refs(bench))[branch]
    for (const _ of [1, 2, 3]) await mint(720, { hetznerToken: undefined })
    expect((await refs(bench))[branch]).toBe(back)
    const rolledBack = { code: 'state-rolled-back' }
    await expect(planCluster(bench.run(), { file, verb: 'apply' })).rejects.toMatchObject(
      rolledBack,
    )
    await expect(mint(720)).rejects.toMatchObject(rolledBack)
    expect((await refs(bench))[branch]).toBe(back)
  } finally {
    setBack(newest)
  }
  expect((await planCluster(bench.run(), { file, verb: 'apply' })).plan.changes).toEqual([])
})

it('a revocation ends the warnings of talosconfigs, and of nothing else', () => {
  const at = '2026-11-28T00:00:00.000Z'
  const minted = (what: string) => ({
    ...{ at, run: 'local-1', attempt: 1, fact: 'access-minted' as const },
    detail: { what, hours: '400', until: '2026-12-01T00:00:00.000Z' },
  })
  const journal = [minted('kubeconfig'), minted('talosconfig')]
  const ends = (entries: Parameters<typeof handedOutEnds>[0]['journal']) =>
    handedOutEnds({ journal: entries }, Date.parse(at)).map(({ command }) => command)
  const renew = ['hcloud-talos kubeconfig --hours 400', 'hcloud-talos talosconfig --hours 400']
  const revoked = { at, run: 'local-1', attempt: 1, fact: 'revocation-finished' as const }
  expect(ends([revoked, ...journal])).toEqual(renew)
  expect(ends([...journal, revoked])).toEqual(renew.slice(0, 1))
})
