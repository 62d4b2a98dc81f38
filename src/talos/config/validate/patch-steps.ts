import { isClusterError } from '../../../lib/cluster-error.ts'
import { applyPatches, type ConfigPatch } from '../apply-patch.ts'
import { type ConfigDocument, documentIdentity } from '../config-document.ts'
import { PatchProblem } from '../patch-problem.ts'
import { oldView } from '../reshape/old-view.ts'
import type { ConfigPlace, ConfigProblem } from './config-problem.ts'
import { placeInPatch } from './place-in-patch.ts'

/** Something that a patch does to a config: it cannot be merged, or a node would not like what comes out. */
export interface PatchFault {
  readonly patch: ConfigPatch
  readonly severity: ConfigProblem['severity']
  readonly message: string
  readonly hint: string | undefined
  /** What of the patch it is about. */
  readonly place: ConfigPlace
}

/** How a config is made with patches: of the contract v1.14 its shape is another one afterwards. */
type ApplyPatches = (
  base: readonly ConfigDocument[],
  patches: readonly ConfigPatch[],
) => readonly ConfigDocument[]

/** A patch that could be merged, and the config afterwards. */
interface Step {
  readonly patch: ConfigPatch
  readonly config: readonly ConfigDocument[]
}

/**
 * What is wrong with the patches of a config by a judge of configs, each told of the patch that did it: the last that brought the
 * problem up. One that cannot be merged is left out, and the rest is judged without it. What no patch brought up
 * would be a mistake of ours, which a law keeps us from: it must keep nobody from a cluster, and is left to
 * the node.
 */
export function patchFaults(
  base: readonly ConfigDocument[],
  patches: readonly ConfigPatch[],
  judge: (config: readonly ConfigDocument[]) => readonly ConfigProblem[],
  apply: ApplyPatches = applyPatches,
): PatchFault[] {
  const unmerged: PatchFault[] = []
  const steps: Step[] = []
  const unpatched = apply(base, [])
  for (const patch of patches) {
    const merged = mergeOrExplain(apply, base, [...steps.map((step) => step.patch), patch])
    if ('message' in merged) {
      unmerged.push({ patch, ...merged })
    } else {
      steps.push({ patch, config: merged.config })
    }
  }
  const problems = judge(steps.at(-1)?.config ?? unpatched)
  if (problems.length === 0) return unmerged
  const seen = [unpatched, ...steps.map((step) => step.config)].map(
    (each) => new Set(judge(each).map(keyOf)),
  )
  return [...unmerged, ...problems.flatMap((problem) => blame(problem, steps, seen) ?? [])]
}

function mergeOrExplain(
  apply: ApplyPatches,
  base: readonly ConfigDocument[],
  patches: readonly ConfigPatch[],
): { config: readonly ConfigDocument[] } | Omit<PatchFault, 'patch'> {
  try {
    return { config: apply(base, patches) }
  } catch (error) {
    if (!isClusterError(error, 'spec-invalid')) throw error
    const { cause } = error
    const isProblem = cause instanceof PatchProblem
    const place = { kind: isProblem ? cause.kind : '', name: '', path: isProblem ? cause.at : [] }
    const message = isProblem ? cause.message : error.message
    return { severity: 'error', message, hint: undefined, place }
  }
}

function blame(
  problem: ConfigProblem,
  steps: readonly Step[],
  seen: readonly ReadonlySet<string>[],
): PatchFault | undefined {
  const key = keyOf(problem)
  const isCause = (_: Step, index: number) => seen[index + 1]?.has(key) && !seen[index]?.has(key)
  const cause = steps[steps.findLastIndex(isCause)]
  if (cause === undefined) return undefined
  const { severity, message, hint, places } = problem
  const place = placeInPatch(cause.patch.text, places, inEitherShape(cause.config))
  return { patch: cause.patch, severity, message, hint, place }
}

/** With the lists of the old shape, by whose elements a place in a patch of that shape is found. */
function inEitherShape(config: readonly ConfigDocument[]): readonly ConfigDocument[] {
  const others = config.filter((document) => documentIdentity(document).kind !== '')
  return [oldView(config), ...others]
}

/** Two problems of one key are the same. */
function keyOf({ places, message }: ConfigProblem): string {
  return JSON.stringify([places[0], message])
}
