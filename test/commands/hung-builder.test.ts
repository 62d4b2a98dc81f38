import { expect, it } from 'vitest'
import { buildImages } from '../../src/commands/modes/hetzner-talos/build-images.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { startBench } from './harness.ts'
import { listeningProgress } from './listening-progress.ts'
import { expectTidy, holdings, leftovers } from './world-facts.ts'

const file = clusterFile({ workers: 0 }, bare)

it('a builder that hangs, and then cannot be removed, ends the build with its own cause', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  world.faults.neverBoots('images-of-demo-image-amd64')
  const failure = { code: 'action_failed', message: 'Action failed' }
  world.faults.injectAction({ command: 'delete_server', outcome: { error: failure } })
  const lines: string[] = []
  await expect(
    buildImages(bench.run({ progress: listeningProgress(lines) }), { file }),
  ).rejects.toMatchObject({
    code: 'wait-timeout',
    message: expect.stringContaining('the rescue system to answer'),
  })
  const at = (text: string) => lines.findIndex((line) => line.includes(text))
  const cause = at('failed: timed out after 5 min waiting for the rescue system to answer')
  expect(cause).toBeGreaterThan(0)
  expect(at('removing the builder')).toBeGreaterThan(cause)
  expect(at('could not be removed, the next run removes it')).toBeGreaterThan(cause)
  await buildImages(bench.run(), { file })
  expect(leftovers(world)).toEqual({})
  expect(holdings(world)['snapshots']).toHaveLength(1)
  await expectTidy(bench)
})
