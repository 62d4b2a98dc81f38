import { expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { revokeCluster } from '../../src/commands/keys/revoke-cluster.ts'
import { rotateKeys } from '../../src/commands/keys/rotate-keys.ts'
import { compactState } from '../../src/commands/state/compact-state.ts'
import { exportState } from '../../src/commands/state/export-state.ts'
import { importState } from '../../src/commands/state/import-state.ts'
import { verifyState } from '../../src/commands/state/verify-state.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { cutOff } from './cut-off.ts'
import { cutPoints, cutTimeoutMs } from './cut-points.ts'
import { type Bench, startBench } from './harness.ts'
import { KeyRing, withIdentities } from './key-bench.ts'
import { expectTidy, setBranch } from './world-facts.ts'

const timeout = cutTimeoutMs

async function startCluster(workers = 0): Promise<Bench & { readonly ring: KeyRing }> {
  const bench = await startBench()
  const ring = await KeyRing.begin(bench, workers)
  await applyCluster(bench.run(), { file: await ring.file() })
  return { ...bench, ring }
}

/** Whatever a run died at, the branch is whole and a plan without identity believes it. */
async function expectHealthy({ ring }: { ring: KeyRing }, file: ClusterFile): Promise<void> {
  expect((await verifyState(ring.holding([]), file)).problems).toEqual([])
  const { plan } = await planCluster(ring.holding([]), { file, verb: 'apply' })
  // Before the hand-over the file may name others than the state is encrypted for, which an apply may do too.
  expect(plan.changes.filter(({ key }) => key !== 'secrets/demo')).toEqual([])
}

interface Deaths {
  readonly cuts: readonly number[]
  /** Makes something to do, and returns what does it. */
  begin(): Promise<(context: RunContext) => Promise<unknown>>
  /** What others do before it is gone on with. */
  between?(file: ClusterFile): Promise<unknown>
}

/** Lets work die at each of these requests, every other time with its effect, and be done by another run. */
async function dieAt(
  bench: Bench & { readonly ring: KeyRing },
  { cuts, begin, between }: Deaths,
): Promise<void> {
  for (const [index, after] of cuts.entries()) {
    const work = await begin()
    const file = await bench.ring.file()
    const identities = [...bench.ring.identities]
    const run = (context: RunContext) => work(withIdentities(context, identities))
    try {
      await cutOff(bench, { after, loseLast: index % 2 === 1 }, run)
      await expectHealthy(bench, file)
      await between?.(file)
      await run(bench.run())
      await expectHealthy(bench, file)
      await expectTidy(bench)
    } catch (error) {
      throw new Error(`after request ${after}: ${String(error)}`, { cause: error })
    }
  }
}

it('a rotation that dies anywhere is started or done, and done by the next one', {
  timeout,
}, async () => {
  await using bench = await startCluster()
  const { ring } = bench
  await dieAt(bench, {
    cuts: cutPoints([1, 12, 13, 14], 14),
    begin: async () => {
      await ring.add()
      const file = await ring.file()
      return (context) => rotateKeys(context, { file })
    },
  })
  const file = await ring.file()
  const last = ring.holding([ring.newest])
  await mintAccess(last, { file, hours: 1 })
  const { generations } = await verifyState(ring.holding([]), file)
  expect(generations.at(-1)?.manifest.keyEpoch).toBe(ring.identities.length)
})

it('a compaction that dies anywhere has squashed the branch or not', { timeout }, async () => {
  await using bench = await startCluster()
  const { ring } = bench
  await dieAt(bench, {
    cuts: cutPoints([12, 14], 14),
    begin: async () => {
      // Something to squash.
      await ring.add()
      const file = await ring.file()
      await rotateKeys(ring.holding(), { file })
      return (context) => compactState(context, { file })
    },
  })
  const { commits } = await verifyState(ring.holding([]), await ring.file())
  expect(commits).toBe(1)
})

it('an import that dies anywhere has restored the state or nothing', { timeout }, async () => {
  await using bench = await startCluster()
  const { ring } = bench
  const file = await ring.file()
  for (const after of cutPoints([12, 13, 14], 14)) {
    const { bundle } = await exportState(ring.holding([]), file)
    await setBranch(bench, undefined)
    const run = (context: RunContext) => importState(context, { file, bundle })
    await cutOff(bench, { after }, run)
    await run(bench.run())
    await expectHealthy(bench, file)
    await expectTidy(bench)
  }
})

it('a revocation that dies anywhere keeps a way into each node, and is gone on with', {
  timeout,
}, async () => {
  await using bench = await startCluster(1)
  const { ring } = bench
  const { world } = bench.sandbox
  const authorities = () =>
    [...talosState(world).nodes].flatMap(({ config }) => [
      config?.machineCa.crt,
      ...(config?.acceptedCas ?? []),
    ])
  await dieAt(bench, {
    cuts: cutPoints([20, 26, 29, 32, 35, 38, 41], 50),
    begin: async () => {
      await ring.add()
      const file = await ring.file()
      return (context) => revokeCluster(context, { file })
    },
    // Whoever comes now talks to the nodes as they are, in the middle of it.
    between: (file) => applyCluster(ring.holding(), { file }),
  })
  // One CA on all nodes, nothing accepted besides, and the cluster as it was.
  expect(new Set(authorities()).size).toBe(1)
  await applyCluster(ring.holding([ring.newest]), { file: await ring.file() })
  await expectTidy(bench)
})
