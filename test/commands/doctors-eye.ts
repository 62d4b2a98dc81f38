import { expect } from 'vitest'
import { runDoctor } from '../../src/commands/doctor/run-doctor.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import type { Diagnosis } from '../../src/run/diagnosis.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import type { Bench } from './harness.ts'
import { changesDuring, refs } from './world-facts.ts'

/** Looks at a cluster, and proves that nothing was changed by it. */
export async function examine(
  bench: Bench,
  file: ClusterFile,
  partial: Partial<RunContext> = {},
): Promise<readonly Diagnosis[]> {
  const before = await refs(bench)
  let found: readonly Diagnosis[] = []
  const changes = await changesDuring(bench.sandbox.world, async () => {
    found = await runDoctor(bench.run(partial), { file })
  })
  expect(changes).toEqual([])
  expect(await refs(bench)).toEqual(before)
  for (const { verdict, fix } of found) expect(verdict === 'good' || Boolean(fix)).toBe(true)
  return found
}

/** What is not good about the cluster itself, each with its command; the repository is another test's. */
export async function findings(
  bench: Bench,
  file: ClusterFile,
  partial: Partial<RunContext> = {},
): Promise<string[]> {
  const others = ['github', 'cluster file', 'identity', 'state', 'clock', 'hetzner']
  return (
    (await examine(bench, file, partial))
      .filter(({ area, verdict }) => verdict !== 'good' && !others.includes(area))
      // That of the versions in these tests ends by the calendar; test/spec/tables/support-windows.test.ts has its own.
      .filter(({ message }) => !message.startsWith('support of '))
      .map(({ area, verdict, message, fix }) => `${verdict} ${area}: ${message} → ${fix}`)
  )
}
