import { cidrContains, parseCidr } from '../../ip-range.ts'
import { isPrivateRange } from './address-plan.ts'

/** Whether a network may grow to this range: it starts where it did and holds what it held. */
export function isGrown(from: string, to: string): boolean {
  const [before, after] = [parseCidr(from), parseCidr(to)]
  if (before === undefined || after === undefined) return false
  return isPrivateRange(after) && before.first === after.first && cidrContains(after, before)
}
