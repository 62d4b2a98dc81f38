import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redactor } from '../../src/lib/redactor.ts'
import { createRunContext } from '../../src/run/create-run-context.ts'
import type { CommandBench } from '../cli/command-bench.ts'
import { endAuthorities } from '../commands/end-authorities.ts'
import { silentProgress } from '../silent-progress.ts'

/** Lets every certificate authority of a bench's cluster end at this time, by the clock that TLS goes by. */
export async function endAuthoritiesOf(bench: CommandBench, end: number) {
  await using context = await createRunContext({
    environment: bench.environment,
    folder: bench.folder,
    progress: silentProgress,
    redactor: new Redactor(),
    signal: new AbortController().signal,
    run: { id: 'a-hand', attempt: 1, url: undefined, commit: undefined, actor: undefined },
    toolVersion: '0.0.0-test',
  })
  const text = await readFile(join(bench.folder, 'cluster.yaml'), 'utf8')
  const file = { path: 'cluster.yaml', text }
  // The context ends with this function.
  return await endAuthorities({ sandbox: bench.sandbox, run: () => context }, file, end)
}
