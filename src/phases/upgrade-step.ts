import { ClusterError } from '../lib/cluster-error.ts'
import type { PhaseProgress } from '../lib/progress.ts'

export interface UpgradeStep {
  /** The node that it is about; absent for what concerns the cluster. */
  readonly node?: string | undefined
  /** What is being done, as half a sentence: `drain it`. */
  readonly step: string
  readonly progress: PhaseProgress
}

/**
 * Does one step of an upgrade, under its name. What fails in it says at which node and in which step the
 * upgrade stopped, keeps its code and its cause, and says how to go on: an upgrade that is run again
 * begins with what is left.
 */
export async function upgradeStep<Result>(
  { node, step, progress }: UpgradeStep,
  work: (say: (message: string) => void) => Promise<Result>,
): Promise<Result> {
  const where = node === undefined ? '' : `${node}: `
  progress.step(`${where}${step}`)
  try {
    return await work((message) => progress.step(`${where}${message}`))
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code === 'interrupted') throw error
    throw new ClusterError(error.code, `the upgrade stopped at ${where}${step}: ${error.message}`, {
      operation: step,
      ...(node === undefined ? {} : { target: node }),
      hint: `${withFullStop(error.hint)}${goOn}`,
      evidence: error.evidence,
      cause: error,
    })
  }
}

const goOn =
  'Then run the upgrade again (`hcloud-talos upgrade`, or the upgrade action): it goes on with what is left.'

function withFullStop(hint: string | undefined): string {
  if (hint === undefined) return ''
  return `${hint.charAt(0).toUpperCase()}${hint.slice(1)}${/[.!?]$/.test(hint) ? '' : '.'} `
}
