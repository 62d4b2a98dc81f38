import type { Json, JsonObject } from '../../../lib/json.ts'
import {
  admissionPluginProblems,
  type ComponentArguments,
  etcdFlagProblems,
  gateProblems,
  type SettingProblem,
  settingProblems,
} from '../../../spec/checks/component-settings.ts'
import { kubeletFieldProblems } from '../../../spec/checks/kubelet-configuration.ts'
import type { Component } from '../../../spec/component.ts'
import { describeDenied, isDeniedArgument } from '../../../spec/tables/denied-arguments.ts'
import { imageVersion } from '../component-images.ts'
import { type ConfigDocument, documentIdentity } from '../config-document.ts'
import { isReshaped, oldView } from '../reshape/old-view.ts'
import type { ConfigPath, ConfigProblem } from './config-problem.ts'
import { viewConfig } from './config-view.ts'
import { kubeletValueFaults } from './kubelet-values.ts'
import { inDocuments } from './problem-in-documents.ts'
import { asText, isList, isSetAt, isTrueAt, listAt, mappingAt, textAt } from './read-config.ts'

interface Section {
  readonly component: Component
  readonly at: readonly [string, string]
}

const controlPlaneSections: readonly Section[] = [
  { component: 'kube-apiserver', at: ['cluster', 'apiServer'] },
  { component: 'kube-controller-manager', at: ['cluster', 'controllerManager'] },
  { component: 'kube-scheduler', at: ['cluster', 'scheduler'] },
  { component: 'kube-proxy', at: ['cluster', 'proxy'] },
]
const kubeletSection: Section = { component: 'kubelet', at: ['machine', 'kubelet'] }

/**
 * What a config asks of the parts of Kubernetes and of etcd that Talos takes, and with which one of them would
 * not start: wherever arguments, feature gates and admission plugins can stand. Each part is judged by the
 * version in the tag of its image, which a patch may have set; without one nothing is said of it.
 */
export function componentProblems(
  documents: readonly ConfigDocument[],
  talosMinor: number,
): ConfigProblem[] {
  const { role } = viewConfig(documents, talosMinor)
  const legacy = oldView(documents)
  const isLegacy = documents.some((each) => documentIdentity(each).kind === '')
  if (!isLegacy) return []
  const sections =
    role === 'control-plane' ? [...controlPlaneSections, kubeletSection] : [kubeletSection]
  const problems = [
    ...sections.flatMap((section) => sectionProblems(section, legacy, talosMinor)),
    ...(role === 'control-plane' ? etcdProblems(legacy, talosMinor) : []),
  ]
  return isReshaped(documents) ? problems.map(inDocuments) : problems
}

function sectionProblems(
  { component, at }: Section,
  config: JsonObject,
  talosMinor: number,
): ConfigProblem[] {
  if (component === 'kube-proxy' && isTrueAt(config, ...at, 'disabled')) return []
  const args = argumentsAt(config, at)
  const refused = [
    ...deniedProblems(component, at, args, talosMinor),
    ...(component === 'kubelet' ? kubeletProblems(config, at, talosMinor) : []),
  ]
  const version = imageVersion(textAt(config, ...at, 'image'))?.slice(1)
  if (version === undefined) return refused
  return [
    ...refused,
    ...settingProblems(component, args, version).map((problem) => {
      const message = `${problem.message}, and ${component} would not start`
      return toProblem([...at, 'extraArgs', problem.argument], { ...problem, message })
    }),
    ...(component === 'kubelet'
      ? gateProblems(mappingAt(config, ...at, 'extraConfig', 'featureGates'), version).map(
          (problem) => toProblem([...at, 'extraConfig', 'featureGates', problem.argument], problem),
        )
      : []),
    ...(component === 'kube-apiserver'
      ? listAt(config, ...at, 'admissionControl').flatMap((plugin, index) => {
          const name = textAt(plugin, 'name')
          // That a name is needed is said where fields are judged.
          if (name === '') return []
          return admissionPluginProblems(name, version).map((problem) =>
            toProblem([...at, 'admissionControl', index, 'name'], problem),
          )
        })
      : []),
  ]
}

function etcdProblems(config: JsonObject, talosMinor: number): ConfigProblem[] {
  const at = ['cluster', 'etcd'] as const
  const args = argumentsAt(config, at)
  // Of another image than Talos's own nobody knows the version.
  const unknown = isSetAt(config, ...at, 'image')
    ? []
    : etcdFlagProblems(args, `v1.${talosMinor}.0`)
  return [
    ...deniedProblems('etcd', at, args, talosMinor),
    ...unknown.map((problem) => {
      const message = `${problem.message}, and etcd would not start`
      return toProblem([...at, 'extraArgs', problem.argument], { ...problem, message })
    }),
  ]
}

function kubeletProblems(
  config: JsonObject,
  at: readonly [string, string],
  talosMinor: number,
): ConfigProblem[] {
  const further = mappingAt(config, ...at, 'extraConfig')
  const names = kubeletFieldProblems(further, `v1.${talosMinor}.0`)
  const values = kubeletValueFaults(further).map((fault) => ({
    ...fault,
    severity: 'error' as const,
  }))
  return [...names, ...values].map((problem) => {
    const message = `${problem.message}, and Talos would give the kubelet none`
    return toProblem([...at, 'extraConfig', ...problem.at], { ...problem, message })
  })
}

function deniedProblems(
  component: Component | 'etcd',
  at: readonly [string, string],
  args: ComponentArguments,
  talosMinor: number,
): ConfigProblem[] {
  return Object.keys(args)
    .filter((argument) => isDeniedArgument(component, argument, `v1.${talosMinor}.0`))
    .map((argument) =>
      toProblem([...at, 'extraArgs', argument], {
        severity: 'error',
        message: describeDenied(component, argument),
        hint: 'Remove it.',
      }),
    )
}

function toProblem(
  path: ConfigPath,
  { severity, message, hint, isNoText }: Reported,
): ConfigProblem {
  return {
    severity,
    places: [{ kind: '', name: '', path }],
    message,
    ...(hint !== undefined && { hint }),
    ...(isNoText && { isNoText }),
  }
}

type Reported = Pick<SettingProblem, 'severity' | 'message'> & {
  readonly hint?: string | undefined
  readonly isNoText?: boolean
}

/** Values that Go would read into texts; whatever else stands there is told where fields are judged. */
function argumentsAt(config: JsonObject, at: readonly string[]): ComponentArguments {
  const entries = Object.entries(mappingAt(config, ...at, 'extraArgs'))
  return Object.fromEntries(entries.map(([name, value]) => [name, textsOf(value)]))
}

function textsOf(value: Json): string | readonly string[] {
  return isList(value) ? value.flatMap((each) => asText(each) ?? []) : (asText(value) ?? '')
}
