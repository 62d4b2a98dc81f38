import type { Diagnosis, Verdict } from '../commands/diagnosis.ts'
import { runDoctor } from '../commands/run-doctor.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { CommonOptions } from './handler-options.ts'
import type { CommandParts } from './handlers.ts'
import { readCheckedFile } from './read-checked-file.ts'
import { printJson } from './show-plan.ts'

const marks: Readonly<Record<Verdict, string>> = {
  good: 'ok     ',
  weak: 'weak   ',
  bad: 'BAD    ',
  unknown: 'unknown',
}

/** Prints what is well and what is not, with the line that mends it; fails when something is bad. */
export async function doctorCommand(
  { terminal, openContext, openGithub }: CommandParts,
  { config, json }: CommonOptions,
): Promise<number> {
  const file = await readCheckedFile(config)
  await using context = await openContext()
  const place = await openGithub()
  const diagnoses = await runDoctor(context, {
    file,
    askGithub:
      place &&
      (async (branches) => {
        const { readRepositoryFacts } = await import('../github/repository-facts.ts')
        return readRepositoryFacts(place, branches)
      }),
  })
  if (json) {
    printJson(terminal, {
      diagnoses: diagnoses.map(({ mend, ...rest }) => ({ ...rest, mend: mend ?? null })),
    })
  } else terminal.print(diagnoses.map(describe).join(''))
  const bad = diagnoses.filter(({ verdict }) => verdict === 'bad')
  if (bad.length === 0) return 0
  throw new ClusterError('doctor-findings', `${bad.length} of what was looked at must be mended`, {
    operation: 'look after',
    target: config,
    hint: bad[0]?.mend ?? 'see above',
  })
}

function describe({ area, verdict, says, mend }: Diagnosis): string {
  const line = `${marks[verdict]} ${area}: ${says}\n`
  return mend === undefined || mend === '' ? line : `${line}          → ${mend}\n`
}
