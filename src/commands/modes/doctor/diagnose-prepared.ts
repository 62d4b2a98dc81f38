import { type Diagnosis, problem } from '../../../run/diagnosis.ts'
import type { RunContext } from '../../../run/run-context.ts'
import type { CommonSpec } from '../../../spec/common-spec.ts'
import { findLeftOver, prepareRotation } from '../prepare-rotation.ts'

/** The file of a new identity that lies where a rotation is prepared. */
export interface PreparedIdentity {
  readonly path: string
  readonly text: string
}

/** How far a rotation has come whose new identity lies there, or from which it was left over. */
export async function diagnosePrepared(
  context: RunContext,
  spec: CommonSpec,
  { path, text }: PreparedIdentity,
): Promise<Diagnosis[]> {
  const { state, redactor } = context
  const parts = { present: state.identity, next: text }
  const prepared = await prepareRotation(spec, parts, redactor)
  const leftOver = await findLeftOver(context, spec, { ...prepared, path })
  if (leftOver) return [problem('identity', 'weak', leftOver.message, leftOver.command)]
  if (prepared.named === 'newest') {
    const message = `${path} holds the identity that comes next, and the state is not handed over to it`
    return [problem('identity', 'weak', message, 'hcloud-talos rotate')]
  }
  return [
    problem(
      'identity',
      'weak',
      `${path} holds a new identity that the cluster file does not name: a rotation was prepared and is not merged`,
      'Write what `hcloud-talos rotate --prepare` prints into the cluster file, and merge it.',
    ),
  ]
}
