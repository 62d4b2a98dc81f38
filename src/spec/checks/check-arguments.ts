import { argumentFields } from '../argument-fields.ts'
import type { Component } from '../component.ts'
import { describeDenied, isDeniedArgument } from '../tables/denied-arguments.ts'
import type { Path } from '../yaml/yaml-source.ts'
import { settingProblems } from './component-settings.ts'
import type { CheckContext, CheckFinding, CommonFile } from './spec-check.ts'

const versions = [
  ['talos', 'version'],
  ['kubernetes', 'version'],
]

/** Further arguments of the parts of Kubernetes with which one of them would not start. */
export function checkArguments({ file }: CheckContext): CheckFinding[] {
  return [
    ...deniedArguments(
      file,
      (component, argument) =>
        isDeniedArgument(component, argument, file.talos.version)
          ? describeDenied(component, argument)
          : undefined,
      versions,
    ),
    ...unknownArguments(file, versions),
  ]
}

/** Further arguments that what configures a component sets by itself: `why` says so of one. */
export function deniedArguments(
  { kubernetes }: CommonFile,
  why: (component: Component, argument: string) => string | undefined,
  involves: readonly Path[],
): CheckFinding[] {
  return argumentFields.flatMap(({ component, field }) =>
    Object.keys(kubernetes[field]).flatMap((argument) => {
      const message = why(component, argument)
      if (message === undefined) return []
      const path = ['kubernetes', field, argument]
      const severity = 'error' as const
      return [{ severity, path, message, hint: 'Remove it.', atKey: true, involves }]
    }),
  )
}

/** Further arguments, feature gates and plugins that a component does not know. */
export function unknownArguments(
  { kubernetes }: CommonFile,
  involves: readonly Path[],
): CheckFinding[] {
  return argumentFields.flatMap(({ component, field }) =>
    settingProblems(component, kubernetes[field], kubernetes.version).map(
      ({ argument, severity, message, hint }) => ({
        severity,
        path: ['kubernetes', field, argument],
        message: `${message}, and ${component} would not start`,
        ...(hint !== undefined && { hint }),
        involves,
      }),
    ),
  )
}
