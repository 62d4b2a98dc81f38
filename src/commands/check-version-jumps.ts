import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { Component } from '../spec/component.ts'
import { removedSettings } from '../spec/removed-settings.ts'
import {
  kubernetesUpgradeAllowed,
  type UpgradeVerdict,
  upgradeAllowed,
} from '../spec/version-matrix.ts'

/**
 * What forbids these changes of versions: steps that are too wide or go back, and arguments in the file
 * that the new Kubernetes no longer knows. Each is said once, however many nodes it concerns.
 */
export function checkVersionJumps(spec: ClusterSpec, changes: readonly Change[]): Finding[] {
  const findings = [
    ...jumpsOf(changes, 'talosVersion').flatMap(({ before, after }) =>
      refused(['talos', 'version'], upgradeAllowed(before, after)),
    ),
    ...jumpsOf(changes, 'version').flatMap(({ before, after }) => [
      ...refused(['kubernetes', 'version'], kubernetesUpgradeAllowed(before, after)),
      ...checkArguments(spec, before),
    ]),
  ]
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()]
}

function jumpsOf(
  changes: readonly Change[],
  path: string,
): { readonly before: string; readonly after: string }[] {
  return changes.flatMap(({ fields }) =>
    fields
      .filter((field) => field.path === path)
      .map(({ before, after }) => ({ before: String(before), after: String(after) })),
  )
}

function refused(path: readonly string[], verdict: UpgradeVerdict): Finding[] {
  if (verdict.allowed) return []
  return [
    {
      severity: 'error',
      path,
      message: verdict.reason,
      ...(verdict.through === undefined ? {} : { hint: `upgrade to ${verdict.through} first` }),
    },
  ]
}

const argumentFields = [
  ['kube-apiserver', 'apiServerExtraArgs'],
  ['kube-controller-manager', 'controllerManagerExtraArgs'],
  ['kube-scheduler', 'schedulerExtraArgs'],
  ['kubelet', 'kubeletExtraArgs'],
] as const satisfies readonly (readonly [Component, keyof ClusterSpec['kubernetes']])[]

function checkArguments({ kubernetes }: ClusterSpec, from: string): Finding[] {
  const to = kubernetes.version
  return argumentFields.flatMap(([component, field]) =>
    removedSettings(component, kubernetes[field], { from, to }).map(
      ({ argument, what, since }): Finding => ({
        severity: 'error',
        path: ['kubernetes', field, argument],
        message: `Kubernetes ${since} no longer knows ${what}, and ${component} would not start with it`,
        hint: 'take it out, apply that, then upgrade',
      }),
    ),
  )
}
