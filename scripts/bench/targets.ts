import type { SizeFigures } from './bench-size.ts'

/** One thing that was to be reached, and what was. */
export interface Verdict {
  readonly what: string
  readonly reached: boolean
  readonly figure: string
  readonly target: string
}

const targets = { planRequests: 15, planCpuMs: 1_000, ratio: 1.25, peakMb: 200 }

/** Compares the figures of one size with what was promised. */
export function judge({ nodes, snapshot, firstPlan, laterPlan, apply }: SizeFigures): Verdict[] {
  const title = `${nodes} nodes${snapshot ? '' : ' and their image'}`
  const plans = [
    { name: 'first plan', plan: firstPlan },
    { name: 'later plan', plan: laterPlan },
  ].flatMap(({ name, plan }): Verdict[] => {
    const requests = plan.requests['hetzner'] ?? 0
    return [
      {
        what: `${title}: requests of the ${name}`,
        reached: requests <= targets.planRequests,
        figure: String(requests),
        target: `at most ${targets.planRequests}`,
      },
      {
        what: `${title}: CPU of the ${name}`,
        reached: plan.cpuMs < targets.planCpuMs,
        figure: `${plan.cpuMs} ms`,
        target: `under ${targets.planCpuMs} ms`,
      },
    ]
  })
  return [
    ...plans,
    {
      what: `${title}: apply over its critical path`,
      reached: apply.ratio <= targets.ratio,
      figure: apply.ratio.toFixed(3),
      target: `at most ${targets.ratio}`,
    },
    {
      what: `${title}: peak memory`,
      reached: Math.max(firstPlan.peakMb, laterPlan.peakMb, apply.peakMb) <= targets.peakMb,
      figure: `${Math.max(firstPlan.peakMb, laterPlan.peakMb, apply.peakMb)} MB`,
      target: `at most ${targets.peakMb} MB`,
    },
  ]
}
