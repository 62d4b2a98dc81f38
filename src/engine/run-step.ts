import { ClusterError } from '../lib/cluster-error.ts'
import type { PhaseProgress } from '../lib/progress.ts'

/** How to continue with a run that stopped, by what it is. */
const goOn = {
  upgrade:
    'Then run the upgrade again (`hcloud-talos upgrade`, or the upgrade action): it continues with what is left.',
  apply:
    'Then apply again (`hcloud-talos apply`, or a re-run of the workflow): it continues with what is left.',
  reboot: 'Then reboot the nodes that are left (`hcloud-talos talos reboot`).',
  patch: 'Then patch the nodes that are left (`hcloud-talos talos patch`).',
  rollback: 'Then roll the nodes back that are left (`hcloud-talos talos rollback`).',
  shutdown: 'Then turn off the nodes that are left (`hcloud-talos talos shutdown`).',
} as const

/** What a run is called in what is said of it. */
export type RunName = keyof typeof goOn

/** Does one step under its name, and says in what fails in it where that was. */
export type NodeStep = <Result>(
  step: string,
  work: (report: (message: string) => void) => Promise<Result>,
) => Promise<Result>

export interface RunStep {
  readonly run: RunName
  /** The node that it is about; absent for what concerns the cluster. */
  readonly node?: string | undefined
  /** What is being done, as half a sentence: `drain it`. */
  readonly step: string
  readonly progress: PhaseProgress
}

/**
 * Does one step of a run, under its name. What fails in it says what run stopped, at which node and in which step,
 * keeps its code and its cause, and says how to go on: a run that is made again begins with what is left.
 */
export async function runStep<Result>(
  { run, node, step, progress }: RunStep,
  work: (report: (message: string) => void) => Promise<Result>,
): Promise<Result> {
  const where = node === undefined ? '' : `${node}: `
  progress.step(`${where}${step}`)
  try {
    return await work((message) => progress.step(`${where}${message}`))
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code === 'interrupted') throw error
    throw new ClusterError(error.code, `the ${run} stopped at ${where}${step}: ${error.message}`, {
      operation: step,
      ...(node === undefined ? {} : { target: node }),
      hint: `${withFullStop(error.hint)}${goOn[run]}`,
      evidence: error.evidence,
      cause: error,
    })
  }
}

export function upgradeStep<Result>(
  step: Omit<RunStep, 'run'>,
  work: (report: (message: string) => void) => Promise<Result>,
): Promise<Result> {
  return runStep({ run: 'upgrade', ...step }, work)
}

/** The steps of a run at one node. */
export function nodeSteps(run: RunName, node: string, progress: PhaseProgress): NodeStep {
  return (step, work) => runStep({ run, node, step, progress }, work)
}

/** The same where somebody else says of what fails where that was. */
export function plainSteps(node: string, progress: PhaseProgress): NodeStep {
  return (step, work) => {
    progress.step(`${node}: ${step}`)
    return work((message) => progress.step(`${node}: ${message}`))
  }
}

function withFullStop(hint: string | undefined): string {
  if (hint === undefined) return ''
  return `${hint.charAt(0).toUpperCase()}${hint.slice(1)}${/[.!?]$/.test(hint) ? '' : '.'} `
}
