import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { isApplied } from '../../src/planner/applied-spec.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { recordPlan } from '../../src/run/plan-records.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { startBench } from './harness.ts'
import { stateFiles } from './world-facts.ts'

const file = clusterFile({}, bare)
const larger = clusterFile({ workers: 2 }, bare)
const specOf = ({ text }: typeof file) => readClusterFile({ path: 'cluster.yaml', text }).spec

it('the state tells which spec was applied to its end, from which commit, and by whom', async () => {
  await using bench = await startBench()
  const run = { ...bench.run().run, commit: 'a'.repeat(40), actor: 'alice' }
  const { view, plan } = await applyCluster(bench.run({ run }), { file })
  expect(isApplied(specOf(file), view.generation)).toBe(true)
  expect(isApplied(specOf(larger), view.generation)).toBe(false)
  expect(isApplied(specOf(file), undefined)).toBe(false)
  expect(view.generation?.manifest.appliedCommit).toBe('a'.repeat(40))
  expect(view.generation?.plans.get(plan.digest)).toMatchObject({
    actor: 'alice',
    commit: 'a'.repeat(40),
  })

  // A merge whose apply is killed on its way: what was started is there, and is not called applied.
  await cutOff(bench, { after: 30 }, (context) => applyCluster(context, { file: larger }))
  const manifest = JSON.parse((await stateFiles(bench))['demo/manifest.json'] ?? '')
  expect(manifest.specDigest).toBe(view.generation?.manifest.specDigest)
  const resumed = await applyCluster(bench.run(), { file: larger })
  expect(isApplied(specOf(larger), resumed.view.generation)).toBe(true)
  expect(resumed.view.generation?.plans.size).toBeGreaterThan(1)

  // Plans go on being recorded, and the oldest of them leave the view.
  const { generation } = resumed.view
  if (!generation) throw new Error('applied')
  const former = new Map(
    Array.from({ length: 30 }, (_, index) => [`${index}`, { at: `2026-01-${index + 10}` }]),
  )
  const changes = recordPlan(plan, specOf(file), run, 0, { ...generation, plans: former })
  const dropped = Object.keys(changes).filter((key) => changes[key] === undefined)
  expect(dropped).toHaveLength(11)
  expect(dropped).toContain('0')
  expect(dropped).not.toContain('29')
})
