import type { Finding } from '../lib/finding.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import { catalogue } from './catalogue.ts'
import { chartVersionFor, isTestedWith } from './chart-version.ts'

/**
 * Addons whose makers do not list the file's Kubernetes among the versions that they tested. They are
 * installed all the same, in the version that is nearest: a new minor is listed weeks after it is out.
 */
export function untestedFindings(spec: CommonSpec): Finding[] {
  const { version } = spec.kubernetes
  const untested = Object.values(catalogue).flatMap((addon) => {
    if (!addon.enabled(spec)) return []
    const chart = chartVersionFor(addon, version)
    if (isTestedWith(chart, version)) return []
    const { from, to } = chart.kubernetes
    return [`${addon.title} ${chart.version} (${from} to ${to})`]
  })
  if (untested.length === 0) return []
  return [
    {
      severity: 'warning',
      path: ['kubernetes', 'version'],
      message: `kubernetes.version is ${version}, which the makers of some addons do not list among the versions that they tested: ${untested.join(', ')}`,
      hint: 'Try it on a cluster for tests first, or take a version of Kubernetes that they list.',
    },
  ]
}
