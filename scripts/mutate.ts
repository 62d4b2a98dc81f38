/**
 * Breaks the lines of scripts/mutations/, one at a time, each in a copy of this checkout, and demands that some
 * test fails: `npm run mutate`. `--sample N --seed S` takes N of them by chance, `--only PATTERN` those whose ids
 * match, `--jobs N` tries so many at once, `--list` only looks whether each still fits. It fails when one survives,
 * or does not stand exactly once in its file any more: then somebody has to look where the line went.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createLimit } from '../src/lib/limit.ts'
import { randomFraction, seededRandom } from '../src/lib/random.ts'
import { mutations } from './mutations/all-mutations.ts'
import { MutatedCopy, type Outcome, occurrences } from './mutations/mutated-copy.ts'
import type { Mutation } from './mutations/mutation.ts'

const root = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
  },
})

const stale = mutations.filter((mutation) => occurrences(root, mutation) !== 1)
for (const mutation of stale) {
  report(mutation, { kind: 'broken', why: `its text stands ${occurrences(root, mutation)} times` })
}
if (values.list) for (const { id, file } of mutations) console.log(`${id}  ${file}`)
const chosen = values.list ? [] : choose().filter((mutation) => !stale.includes(mutation))
const failed = await tryAll(chosen, Number(values.jobs))
if (!values.list)
  console.log(`${chosen.length - failed} of ${chosen.length} lines are held by tests`)
process.exitCode = failed + stale.length === 0 ? 0 : 1

function choose(): readonly Mutation[] {
  const { sample, only = '', seed = today() } = values
  const all = mutations.filter(({ id }) => new RegExp(only).test(id))
  if (sample === undefined) return all
  console.log(`a sample of ${sample} with --seed ${seed}`)
  const random = seededRandom(Number(seed))
  const drawn = all.map((mutation) => ({ mutation, at: randomFraction(random) }))
  return drawn
    .sort((a, b) => a.at - b.at)
    .slice(0, Number(sample))
    .map(({ mutation }) => mutation)
}

/** Another sample each day, and the same one for a run that is repeated. */
function today(): string {
  return new Date().toISOString().slice(0, 10).replaceAll('-', '')
}

/** How many were not killed. */
async function tryAll(chosen: readonly Mutation[], jobs: number): Promise<number> {
  using copies = new DisposableStack()
  const free = Array.from({ length: Math.min(jobs, chosen.length) }, () =>
    copies.use(new MutatedCopy(root)),
  )
  const limit = createLimit(Math.max(1, free.length))
  const outcomes = chosen.map((mutation) =>
    limit(async () => {
      const copy = free.pop()
      if (copy === undefined) throw new Error('more jobs than copies')
      const started = Date.now()
      const outcome = await copy.try(mutation)
      free.push(copy)
      report(mutation, outcome, Date.now() - started)
      return outcome
    }),
  )
  return (await Promise.all(outcomes)).filter(({ kind }) => kind !== 'killed').length
}

function report({ id, file, why, tests }: Mutation, outcome: Outcome, ms = 0): void {
  const seconds = `${Math.round(ms / 1000)} s`
  const describe = {
    killed: () => `killed    ${id} (${seconds})${'by' in outcome ? ` by: ${outcome.by}` : ''}`,
    broken: () => `BROKEN    ${id} (${file})${'why' in outcome ? `: ${outcome.why}` : ''}`,
    survived: () => `SURVIVED  ${id} (${file}, ${seconds}): ${why}; asked ${tests.join(', ')}`,
  }
  console.log(describe[outcome.kind]())
}
