import { type ClusterError, isClusterError } from '../lib/cluster-error.ts'
import type { TalosCredentials } from './config/talosconfig.ts'
import { type Reception, type ShowOptions, showCertificate } from './show-certificate.ts'

export interface RejectionOptions extends Omit<ShowOptions, 'credentials'> {
  /** What the node must not take any more. */
  readonly former: TalosCredentials
  /** What it does take. */
  readonly own: TalosCredentials
}

/**
 * Why it is not proven that a node rejects the former credentials; undefined where it is. Proof is a node that says so,
 * or that hangs up on them, talks to us right after, and hangs up on them again: one that is about to restart hangs up
 * once on whoever is there. One that does not answer proves nothing. Throws the signal's reason, `certificate-ended` and
 * `clock-wrong`: those come from no CA.
 */
export async function doubtRejection(
  address: string,
  { former, own, ...options }: RejectionOptions,
): Promise<string | undefined> {
  const show = (credentials: TalosCredentials) => tryOut(address, { ...options, credentials })
  const showFormer = () => show({ ...former, ca: own.ca })
  const answer = await showFormer()
  if (answer !== 'hung-up') return doubtOf(answer)
  return (await show(own)) === 'let-in' ? doubtOf(await showFormer()) : 'it talks to nobody'
}

function doubtOf(answer: Reception | ClusterError): string | undefined {
  if (answer === 'rejected' || answer === 'hung-up') return undefined
  if (answer === 'let-in') return 'it still accepts the former CA'
  return `whether it accepts the former CA is unknown: ${answer.message}`
}

/** No answer is an outcome, too: there may be one in a moment. */
async function tryOut(address: string, options: ShowOptions): Promise<Reception | ClusterError> {
  try {
    return await showCertificate(address, options)
  } catch (error) {
    if (isClusterError(error, 'talos-unreachable', 'talos-identity')) return error
    throw error
  }
}
