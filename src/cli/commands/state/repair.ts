import type { ClusterError } from '../../../lib/cluster-error.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import type { RepairPlan } from '../../../planner/describe-repair.ts'
import { clusterSettings } from '../../cluster-settings.ts'
import { defineCommand } from '../../command.ts'
import { notConfirmed } from '../../confirm-plan.ts'
import { readCheckedFile } from '../../read-checked-file.ts'
import { flag, text, type ValuesOf } from '../../setting.ts'
import { printJson } from '../../show-plan.ts'
import type { Terminal } from '../../terminal/terminal.ts'

const takes = {
  ...clusterSettings(),
  acceptOlder: flag(
    '--accept-older',
    'continue from an older generation, where newer ones are lost for good',
  ),
  reason: text('--reason <text>', 'why, for whoever verifies the branch later'),
  confirm: text('--confirm <digest>', 'the digest of what it shows; at a terminal it asks instead'),
}

type RepairOptions = ValuesOf<typeof takes>

/** Shows what is wrong with a state branch and what a repair would sign for; signs that once it was confirmed. */
export const repair = defineCommand({
  name: 'repair',
  description: 'bring a damaged state branch back to one that verifies',
  examples: [
    { purpose: 'show what is wrong and what would be signed, then ask', line: '' },
    {
      purpose: 'in a script, for exactly what was shown',
      line: '--confirm <digest> --reason merged-by-mistake',
    },
    { purpose: 'newer generations are lost for good', line: '--accept-older' },
  ],
  takes,
  async run({ terminal, openContext }, options) {
    const { config, json, acceptOlder: acceptsOlder } = options
    const { repairState } = await import('../../../commands/state/repair-state.ts')
    const file = await readCheckedFile(config)
    await using context = await openContext()
    const { plan, repaired, generation } = await repairState(context, {
      file,
      acceptsOlder,
      confirm: (shown) => confirmRepair(terminal, shown, options),
    })
    if (json) {
      printJson(terminal, {
        repaired,
        generation,
        digest: plan?.digest ?? null,
        base: plan?.base.generation ?? generation,
        lost: plan?.lost ?? null,
        accepted: (plan?.accepted ?? []).map(({ commit, code, message }) => ({
          commit,
          code,
          says: message,
        })),
        restored: [...(plan?.restored ?? [])],
        removed: [...(plan?.removed ?? [])],
      })
    }
    if (plan && !repaired) throw notRepaired(plan, options)
    if (!json) terminal.print(plan ? describeDone(plan, generation) : nothingToDo(generation))
    return 0
  },
})

/** The reason, once somebody said yes to exactly what was shown. */
async function confirmRepair(
  terminal: Terminal,
  plan: RepairPlan,
  { confirm: given, reason }: RepairOptions,
): Promise<string | undefined> {
  terminal.report(describeRepairPlan(plan))
  if (given !== undefined) return given === plan.digest ? reason : undefined
  if (terminal.questions === 'nobody') return undefined
  const why = reason ?? (await terminal.ask('Why, in one sentence that others will read: '))
  if (why === '') return undefined
  const name = await terminal.ask(`Type ${plan.clusterName} to sign for exactly this: `)
  return name === plan.clusterName ? why : undefined
}

function notRepaired(
  { digest }: RepairPlan,
  { config, acceptOlder, confirm: given }: RepairOptions,
): ClusterError {
  const older = acceptOlder ? ' --accept-older' : ''
  const command = `hcloud-talos repair --config ${config}${older} --confirm ${digest} --reason '<why>'`
  return notConfirmed(
    given !== undefined && given !== digest
      ? `Look at it, then run \`${command}\`: it is not what that digest was shown for.`
      : `Look at it, then run \`${command}\`, or run it at a terminal and type the name of the cluster.`,
  )
}

const nothingToDo = (generation: number) =>
  `Nothing to repair: generation ${generation} is as it was written.\n`

/** All that a repair would sign for, in the order in which one would ask. */
export function describeRepairPlan(plan: RepairPlan): string {
  const { base, branch, clusterName, accepted, restored, removed, lost, isAnchored } = plan
  const lines = [
    `The branch ${branch} continues from generation ${base.generation} of ${clusterName}, written ${base.writtenAt} by ${base.run} (${base.commit.slice(0, 12)}): the newest that is as its signer wrote it.`,
    ...(lost === undefined
      ? []
      : [
          `LOST: generation ${lost} is known to have been written. What came after ${base.generation} is forgotten: nodes that were created since are unknown, and secrets that were replaced since are the former ones.`,
        ]),
    ...(isAnchored
      ? []
      : ['How far the state had come is recorded nowhere: newer generations may be lost.']),
    ...accepted.flatMap(({ commit, code, message, paths, note }) => [
      `accept ${commit.slice(0, 12)} [${code}] ${visibleLine(message)}`,
      `         git reports: ${note ? visibleLine(`${note.author}, ${note.at}: ${note.subject}`) : 'nothing'}`,
      ...listed(paths, 'it changed'),
    ]),
    ...restored.map((path) => `put back ${clusterName}/${visibleLine(path)}`),
    ...removed.map((path) => `remove ${visibleLine(path)}`),
    'Nothing of the accepted commits is taken over. They stay in the history, and verify names them with your reason.',
    `digest ${plan.digest}`,
  ]
  return lines.join('\n')
}

const shownPaths = 10

function listed(paths: readonly string[], verb: string): string[] {
  const more = paths.length > shownPaths ? [`         … and ${paths.length - shownPaths} more`] : []
  return [
    ...paths.slice(0, shownPaths).map((path) => `         ${verb} ${visibleLine(path)}`),
    ...more,
  ]
}

function describeDone(
  { clusterName, base, accepted, lost }: RepairPlan,
  generation: number,
): string {
  const commits = new Set(accepted.map(({ commit }) => commit)).size
  const after =
    lost === undefined
      ? ''
      : `Look at a plan before you apply: what came after generation ${base.generation} is unknown to it.\n`
  return `The state of ${clusterName} verifies again: generation ${generation} has the files of generation ${base.generation} and accepts ${commits} commits.\n${after}`
}
