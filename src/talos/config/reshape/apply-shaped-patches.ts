import { applyPatches, type ConfigPatch } from '../apply-patch.ts'
import { type ConfigDocument, documentIdentity } from '../config-document.ts'
import type { ConfigPlace, ConfigProblem } from '../validate/config-problem.ts'
import { type PatchFault, patchFaults } from '../validate/patch-steps.ts'
import { OldShape } from './old-shape.ts'
import { placelessProblems } from './placeless-problems.ts'
import { reshapeConfig } from './reshape-config.ts'
import { oldPlaces } from './setting-homes.ts'

/**
 * A config of the contract v1.14 out of one of v1.13: what patches say of the v1alpha1 document is merged before the
 * conversion, so that patches of the old shape carry over, and their further documents after it. What has no place in
 * the documents stays where it is, and a node refuses it. Throws `spec-invalid` as applyPatches does.
 */
export function applyShapedPatches(
  base: readonly ConfigDocument[],
  patches: readonly ConfigPatch[],
): readonly ConfigDocument[] {
  const old = applyPatches(base, patches, 'machine config')
  return applyPatches(reshapeConfig(old).documents, patches, 'documents')
}

type Judge = (config: readonly ConfigDocument[]) => readonly ConfigProblem[]

/**
 * What is wrong with the patches of a config of the contract v1.14, each at its place in the patch, whichever shape that has: by
 * a judge of configs, and what has no place in the documents.
 */
export function shapedPatchFaults(
  base: readonly ConfigDocument[],
  patches: readonly ConfigPatch[],
  judge: Judge,
): PatchFault[] {
  const placeless = patchFaults(base, patches, placelessProblems, (config, each) =>
    applyPatches(config, each, 'machine config'),
  )
  const judged = judgedPatchFaults(base, patches, judge)
  const keyOf = ({ patch, place, message }: PatchFault) =>
    JSON.stringify([patch.source, place, message])
  // A patch that cannot be merged is told by both.
  const known = new Set(placeless.map(keyOf))
  return [...placeless, ...judged.filter((fault) => !known.has(keyOf(fault)))]
}

/** By the judge alone. */
export function judgedPatchFaults(
  base: readonly ConfigDocument[],
  patches: readonly ConfigPatch[],
  judge: Judge,
): PatchFault[] {
  const judgeBoth: Judge = (config) => judge(config).map(alsoInOldShape)
  return patchFaults(base, patches, judgeBoth, withoutPlaceless)
}

/** As applyShapedPatches, for a judge: what has no place is told by itself. */
function withoutPlaceless(
  base: readonly ConfigDocument[],
  patches: readonly ConfigPatch[],
): readonly ConfigDocument[] {
  const old = applyPatches(base, patches, 'machine config')
  const { documents, placeless } = reshapeConfig(old)
  const placed = documents.map((document) => {
    if (documentIdentity(document).kind !== '') return document
    const rest = new OldShape(document)
    for (const path of placeless) rest.takePath(path)
    return rest.rest()
  })
  return applyPatches(placed, patches, 'documents')
}

function alsoInOldShape(problem: ConfigProblem): ConfigProblem {
  const [first, ...others] = problem.places
  const old = problem.places.flatMap((place): ConfigPlace[] => oldPlaces(place))
  return { ...problem, places: [first, ...others, ...old] }
}
