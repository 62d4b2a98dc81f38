import { argumentFields } from '../argument-fields.ts'
import { describeDenied, isDeniedArgument } from '../tables/denied-arguments.ts'
import { settingProblems } from './component-settings.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

const versions = [
  ['talos', 'version'],
  ['kubernetes', 'version'],
]

/** Further arguments of the parts of Kubernetes with which one of them would not start. */
export function checkArguments({ file }: CheckContext): CheckFinding[] {
  const { kubernetes, talos } = file
  return argumentFields.flatMap(({ component, field }) => {
    const args = kubernetes[field]
    const denied = Object.keys(args).filter((argument) =>
      isDeniedArgument(component, argument, talos.version),
    )
    const problems = settingProblems(component, args, kubernetes.version)
    return [
      ...denied.map((argument) => ({
        severity: 'error' as const,
        path: ['kubernetes', field, argument],
        message: describeDenied(component, argument),
        hint: 'Remove it.',
        atKey: true,
        involves: versions,
      })),
      ...problems.map(({ argument, severity, message, hint }) => ({
        severity,
        path: ['kubernetes', field, argument],
        message: `${message}, and ${component} would not start`,
        ...(hint !== undefined && { hint }),
        involves: versions,
      })),
    ]
  })
}
