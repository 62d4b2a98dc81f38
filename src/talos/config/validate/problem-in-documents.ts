import { placeInDocuments } from '../reshape/setting-homes.ts'
import type { ConfigPlace, ConfigProblem } from './config-problem.ts'

/** A problem of the v1alpha1 document, where the config has the documents that took its place: also at theirs. */
export function inDocuments(problem: ConfigProblem): ConfigProblem {
  const [first, ...others] = problem.places
  const places = [first, ...others].flatMap((place): ConfigPlace[] => {
    const own = place.kind === '' ? placeInDocuments(place.path) : undefined
    return own ? [own, place] : [place]
  })
  const [main = first, ...more] = places
  return { ...problem, places: [main, ...more] }
}
