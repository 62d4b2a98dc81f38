import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pushEvent } from '../../scripts/runner-event.ts'
import { findLeaks } from './canaries.ts'
import { stateRefs, temporaryRules } from './outside-view.ts'
import { type RunnerBench, smallCluster, startRunnerBench, wholeRuns } from './runner-bench.ts'

/** What a ruleset says to whoever pushes anywhere but to main. */
const ruleset = `#!/bin/sh
while read -r before after ref; do
  [ "$ref" = refs/heads/main ] && continue
  echo "error: GH013: Repository rule violations found for $ref." >&2
  exit 1
done
`

let bench: RunnerBench

beforeAll(async () => {
  bench = await startRunnerBench()
  const hooks = join(bench.sandbox.endpoints.git.folder, 'hooks')
  await mkdir(hooks, { recursive: true })
  await writeFile(join(hooks, 'pre-receive'), ruleset, { mode: 0o755 })
  await bench.writeClusterFile(smallCluster)
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
})

describe('a repository whose rules refuse every push of the state', wholeRuns, () => {
  test('keeps it all the same, by the API, and the next run has nothing to do', async () => {
    const { folder } = bench.sandbox.endpoints.git
    for (const changes of [/^[1-9]/, /^0$/]) {
      const job = bench.job(pushEvent(bench.repository))
      const step = await job.step('.', bench.all)
      expect(step.exitCode).toBe(0)
      expect(step.outputs['changes']).toMatch(changes)
      expect((await job.finish()).map(({ exitCode }) => exitCode)).toEqual([0])
      expect(await stateRefs(bench)).toEqual(['refs/heads/hcloud-talos'])
    }
    expect(temporaryRules(bench)).toEqual([])
    const log = ['-C', folder, 'log', '--format=%cn', 'hcloud-talos']
    const { stdout } = await promisify(execFile)('git', log)
    expect(new Set(stdout.trim().split('\n'))).toEqual(new Set(['GitHub']))
    expect(await findLeaks(bench)).toEqual([])
    expect(bench.sandbox.world.contractErrors).toEqual([])
  })
})
