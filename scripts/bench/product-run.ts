/**
 * One apply as the command would do it, on a clock that runs so many times as fast as the wall:
 * `<speed> <cluster file>`. The bench bundles it and runs it in a process of its own.
 */
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { createClock } from '../../src/lib/clock.ts'
import type { Progress } from '../../src/lib/progress.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { toolVersion } from '../../src/lib/tool-version.ts'
import { createRunContext } from '../../src/run/create-run-context.ts'
import { readClusterFileFrom } from '../../src/run/read-cluster-file.ts'

/** What a run says of itself, as one line of JSON. */
export interface ProductReport {
  /** From the first instruction of the command to its last, on the run's clock. */
  readonly wallMs: number
  readonly phases: readonly {
    readonly title: string
    readonly fromMs: number
    readonly toMs: number
  }[]
}

const [speed = '1', config = ''] = process.argv.slice(2)
applyOnFastClock(Number(speed), config).catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})

async function applyOnFastClock(speed: number, config: string): Promise<void> {
  const clock = createClock(speed)
  const began = clock.now()
  const phases: { title: string; fromMs: number; toMs: number }[] = []
  const progress: Progress = {
    phase(title) {
      const fromMs = clock.now() - began
      const end = () => phases.push({ title, fromMs, toMs: clock.now() - began })
      return { step() {}, fraction() {}, succeed: end, fail: end, skip: end }
    },
    info() {},
    warn() {},
  }
  {
    await using context = await createRunContext({
      environment: process.env,
      folder: process.cwd(),
      progress,
      redactor: new Redactor(),
      signal: new AbortController().signal,
      toolVersion,
      run: {
        id: `bench-${process.pid}`,
        attempt: 1,
        url: undefined,
        commit: undefined,
        actor: undefined,
      },
    })
    await applyCluster({ ...context, clock }, { file: await readClusterFileFrom(config) })
  }
  const report: ProductReport = { wallMs: clock.now() - began, phases }
  process.stdout.write(`${JSON.stringify(report)}\n`)
}
