import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { makeDefaultBranch } from './default-branch.ts'
import { type Bench, startBench } from './harness.ts'

const old = clusterFile({ workers: 0 }, bare)
const now = clusterFile({ workers: 1 }, bare)

/** A run of a commit, as a runner starts it. */
function runOf(
  bench: Bench,
  commit: string,
  place: { readonly ref?: string; readonly defaultBranch?: string | undefined } = {},
): RunContext {
  const context = bench.run()
  const { remote, credentials } = context.state
  const source = { remote, credentials, ref: 'refs/heads/main', defaultBranch: 'main', ...place }
  return { ...context, run: { ...context.run, commit, source } }
}

const fileIn = (bench: Bench, { text }: ClusterFile, path = 'cluster.yaml'): ClusterFile => ({
  path: join(bench.run().state.folder, path),
  text,
})
const warnings = async (context: RunContext, file: ClusterFile) => {
  const { plan } = await planCluster(context, { file, verb: 'apply' })
  return plan.findings.map(({ message }) => message)
}
const outdated = { code: 'run-outdated' }

describe('a run of a commit that is not the newest', () => {
  it('carries nothing out once the branch has another file', async () => {
    await using bench = await startBench()
    const main = await makeDefaultBranch(bench)
    const first = await main.merge({ 'cluster.yaml': old.text })
    const second = await main.merge({ 'cluster.yaml': now.text })
    const file = fileIn(bench, old)
    const confirm = async () => true
    await expect(applyCluster(runOf(bench, first), { file })).rejects.toMatchObject(outdated)
    await expect(upgradeCluster(runOf(bench, first), { file })).rejects.toMatchObject(outdated)
    await expect(destroyCluster(runOf(bench, first), { file, confirm })).rejects.toMatchObject(
      outdated,
    )
    expect(bench.sandbox.world.hetzner.networks.size).toBe(0)
    const { applied } = await applyCluster(runOf(bench, second), { file: fileIn(bench, now) })
    expect(applied).toBe(true)
    // What it was about: the button "Re-run" on last month's run.
    await expect(applyCluster(runOf(bench, first), { file })).rejects.toMatchObject(outdated)
    expect(bench.sandbox.world.hetzner.servers.size).toBe(2)
  })

  it('carries nothing out either where the state is kept in another repository', async () => {
    await using bench = await startBench()
    const main = await makeDefaultBranch(bench)
    const first = await main.merge({ 'cluster.yaml': old.text })
    await main.merge({ 'cluster.yaml': now.text })
    const context = runOf(bench, first)
    const remote = join(context.state.folder, 'states.git')
    await promisify(execFile)('git', ['init', '--quiet', '--bare', remote])
    const state = { ...context.state, remote }
    const run = applyCluster({ ...context, state }, { file: fileIn(bench, old) })
    await expect(run).rejects.toMatchObject(outdated)
    expect(bench.sandbox.world.hetzner.networks.size).toBe(0)
  })

  it('carries out what the branch has still, or again', async () => {
    await using bench = await startBench()
    const main = await makeDefaultBranch(bench)
    const first = await main.merge({ 'cluster.yaml': old.text })
    await main.merge({ 'README.md': 'Clusters' })
    const { applied } = await applyCluster(runOf(bench, first), { file: fileIn(bench, old) })
    expect(applied).toBe(true)
  })

  it('finds the file wherever it was checked out', async () => {
    await using bench = await startBench()
    const main = await makeDefaultBranch(bench)
    const first = await main.merge({ 'infra/cluster.yaml': old.text })
    await main.merge({ 'infra/cluster.yaml': now.text, 'cluster.yaml': old.text })
    for (const path of ['infra/cluster.yaml', 'work/infra/cluster.yaml']) {
      const file = fileIn(bench, old, path)
      await expect(applyCluster(runOf(bench, first), { file })).rejects.toMatchObject(outdated)
    }
  })

  it('carries nothing out whose file is gone from the branch', async () => {
    await using bench = await startBench()
    const main = await makeDefaultBranch(bench)
    const first = await main.merge({ 'cluster.yaml': old.text })
    await main.merge({ 'cluster.yaml': undefined })
    const run = applyCluster(runOf(bench, first), { file: fileIn(bench, old) })
    await expect(run).rejects.toMatchObject(outdated)
  })

  it('changes nothing when it is of another branch, also where the event does not say which is which', async () => {
    await using bench = await startBench()
    const main = await makeDefaultBranch(bench)
    const commit = await main.merge({ 'cluster.yaml': old.text })
    const file = fileIn(bench, old)
    for (const defaultBranch of ['main', undefined]) {
      const context = runOf(bench, commit, { ref: 'refs/heads/change', defaultBranch })
      await expect(applyCluster(context, { file })).rejects.toMatchObject({ code: 'usage' })
    }
    const withoutBranch = runOf(bench, commit, { defaultBranch: undefined })
    expect((await applyCluster(withoutBranch, { file })).applied).toBe(true)
  })
})

describe('what was merged and never applied', () => {
  it('is said by every plan until it is applied', async () => {
    await using bench = await startBench()
    const main = await makeDefaultBranch(bench)
    const unapplied = expect.stringContaining('was merged to main')
    const change = fileIn(bench, clusterFile({ workers: 2 }, bare))
    const merged = fileIn(bench, old)
    const drift = () => runOf(bench, main.head())
    await main.merge({ 'README.md': 'Clusters' })
    // A pull request that adds the file.
    expect(await warnings(drift(), merged)).toEqual([])
    await main.merge({ 'cluster.yaml': old.text })
    expect(await warnings(drift(), merged)).toEqual([unapplied])
    await applyCluster(runOf(bench, main.head()), { file: merged })
    expect(await warnings(drift(), merged)).toEqual([])
    expect(await warnings(drift(), change)).toEqual([])

    // Merged, and its run was cancelled in the queue.
    await main.merge({ 'cluster.yaml': now.text })
    expect(await warnings(drift(), fileIn(bench, now))).toEqual([unapplied])
    expect(await warnings(drift(), change)).toEqual([unapplied])
    expect(await warnings(bench.run(), change)).toEqual([])
  })

  it('is left unsaid, not guessed, where the repository cannot be read', async () => {
    await using bench = await startBench()
    const logged: string[] = []
    const context = runOf(bench, 'a'.repeat(40))
    const progress = { ...context.progress, warn: (text: string) => void logged.push(text) }
    const remote = await mkdtemp(join(context.state.folder, 'no-repository-'))
    const elsewhere = { remote, credentials: undefined }
    const source = { ...elsewhere, ref: 'refs/heads/main', defaultBranch: 'main' }
    const run = { ...context.run, source }
    expect(await warnings({ ...context, progress, run }, fileIn(bench, old))).toEqual([])
    expect(logged).toEqual([expect.stringContaining('is not known')])
    await expect(
      applyCluster({ ...context, run }, { file: fileIn(bench, old) }),
    ).rejects.toMatchObject({ code: 'state-unreachable' })
  })
})
