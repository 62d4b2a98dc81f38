import { ClusterError } from '../../../lib/cluster-error.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import type { Diagnosis, Verdict } from '../../../run/diagnosis.ts'
import { newIdentityFile } from '../../../run/identity-files.ts'
import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { choiceOr, flag } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'
import { readNewIdentity } from '../keys/new-identity.ts'

const marks: Readonly<Record<Verdict, string>> = {
  good: 'ok     ',
  weak: 'weak   ',
  bad: 'BAD    ',
  unknown: 'unknown',
}

/**
 * Prints what is healthy and what is not, with the command that fixes it. Throws `doctor-findings` from the severity on
 * that `--fail-on` names, and `doctor-incomplete` where something could not be looked at.
 */
export const doctor = defineCommand({
  name: 'doctor',
  description:
    'look for what is wrong with the cluster and around it, and name the command that fixes it',
  examples: [
    { purpose: 'with GITHUB_TOKEN set, it asks GitHub too', line: '' },
    { purpose: 'for a schedule that is to fail on warnings too', line: '--fail-on weak' },
    { purpose: 'from where the nodes cannot be reached', line: '--allow-unknown' },
    { purpose: 'for a program', line: '--json' },
  ],
  takes: {
    ...clusterSettings(),
    failOn: choiceOr(
      '--fail-on <severity>',
      'from which severity on a finding fails the command',
      ['bad', 'weak', 'unknown'],
      'bad',
    ),
    allowUnknown: flag('--allow-unknown', 'succeed although something could not be looked at'),
  },
  async run({ terminal, openContext, openGithub }, { config, json, failOn, allowUnknown }) {
    const { runDoctor } = await import('../../../commands/doctor/run-doctor.ts')
    const { isOnGithub } = await import('../../../run/github-place.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const place = await openGithub()
    const text = await readNewIdentity(newIdentityFile)
    const diagnoses = await runDoctor(context, {
      file,
      prepared: text === undefined ? undefined : { path: newIdentityFile, text },
      github: place
        ? async (branches, signal) => {
            const { readRepositoryFacts } = await import('../../../github/repository-facts.ts')
            return readRepositoryFacts(place, branches, signal)
          }
        : (await isOnGithub(context.state.environment, context.state.folder))
          ? undefined
          : 'elsewhere',
    })
    if (json) {
      printJson(terminal, {
        diagnoses: diagnoses.map(({ message, fix, ...rest }) => ({
          ...rest,
          says: message,
          fix: fix ?? null,
        })),
      })
    } else terminal.print(diagnoses.map(describeDiagnosis).join(''))
    const failing = diagnoses.filter(({ verdict }) => isAtLeast(verdict, failOn))
    const about = { operation: 'look after', target: config }
    if (failing.length > 0) {
      const count = `${failing.length} ${failing.length === 1 ? 'finding is' : 'findings are'}`
      throw new ClusterError('doctor-findings', `${count} ${failOn} or worse`, {
        ...about,
        hint: worst(failing)?.fix ?? 'Fix what is reported above.',
      })
    }
    const unseen = diagnoses.filter(({ verdict }) => verdict === 'unknown')
    if (unseen.length === 0 || allowUnknown) return 0
    const areas = [...new Set(unseen.map(({ area }) => area))].join(', ')
    throw new ClusterError('doctor-incomplete', `not everything could be looked at: ${areas}`, {
      ...about,
      hint: 'Do what is shown below each line that is unknown, or give --allow-unknown.',
    })
  },
})

/** From the worst on. */
const severities: readonly Verdict[] = ['bad', 'weak', 'unknown']

function isAtLeast(verdict: Verdict, limit: Verdict): boolean {
  const place = severities.indexOf(verdict)
  return place >= 0 && place <= severities.indexOf(limit)
}

function worst(diagnoses: readonly Diagnosis[]): Diagnosis | undefined {
  return severities.flatMap((one) => diagnoses.filter(({ verdict }) => verdict === one))[0]
}

/** One line, and one for what fixes it: nodes, Kubernetes and git may say anything, and no finding of their own. */
export function describeDiagnosis({ area, verdict, message, fix }: Diagnosis): string {
  const line = `${marks[verdict]} ${visibleLine(`${area}: ${message}`)}\n`
  return fix === undefined || fix === '' ? line : `${line}          → ${visibleLine(fix)}\n`
}
