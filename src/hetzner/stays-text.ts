import { formatEuro } from '../plan/describe-change.ts'

/** Something that a destroy leaves behind, and that goes on costing. */
export interface StayingResource {
  /** `the floating IP vip (203.0.113.7)`. */
  readonly what: string
  /** Euro per month without tax; undefined where Hetzner names no price. */
  readonly monthlyCost: number | undefined
}

export function staysText({ what, monthlyCost }: StayingResource): string {
  if (monthlyCost === undefined) return `${what} stays and goes on costing`
  if (monthlyCost === 0) return `${what} stays`
  return `${what} stays and goes on costing ${formatEuro(monthlyCost)} a month`
}
