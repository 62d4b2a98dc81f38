import type { Path } from './merge-rules.ts'

/**
 * What it takes for a changed field of a machine config to take effect on a node that runs, from the least:
 * nothing (it matters when Talos is next installed or upgraded), applied as it runs, a reboot, a node made anew.
 */
export const changeEffects = ['nothing', 'live', 'reboot', 'reinstall'] as const
export type ChangeEffect = (typeof changeEffects)[number]

/** Fields of `machine` that a running node takes up (machinery 1.13, `CanApplyImmediate`); a reboot for all others. */
const liveFields = new Set([
  'acceptedCAs',
  'ca',
  'certSANs',
  'controlPlane',
  'install',
  'kernel',
  'kubelet',
  'logging',
  'network',
  'nodeAnnotations',
  'nodeLabels',
  'nodeTaints',
  'pods',
  'registries',
  'seccompProfiles',
  'sysctls',
  'sysfs',
  'time',
])
const liveFeatures = new Set([
  'hostDNS',
  'imageCache',
  'kubePrism',
  'kubernetesTalosAPIAccess',
  'nodeAddressSortAlgorithm',
])

/** What is decided when a disk is made, and looked at never again: a node that runs would break, or ignore it. */
const fixedAtInstall: Readonly<Record<string, readonly string[]>> = {
  '': [
    'machine.type',
    'machine.install.disk',
    'machine.install.diskSelector',
    'machine.systemDiskEncryption',
  ],
  VolumeConfig: ['encryption', 'provisioning'],
}

/** The effect of a change at a path of a document of a kind (`''` is the v1alpha1 one). */
export function changeEffect(kind: string, path: Path): ChangeEffect {
  if ((fixedAtInstall[kind] ?? []).some((prefix) => startsWith(path, prefix.split('.')))) {
    return 'reinstall'
  }
  // Documents of their own always apply live.
  if (kind !== '') return 'live'
  const [section, field = '', feature = ''] = path
  if (section === 'cluster' || section === 'debug') return 'live'
  if (section !== 'machine') return 'reboot'
  if (field === 'install') return 'nothing'
  if (field === 'features') return liveFeatures.has(feature) ? 'live' : 'reboot'
  return liveFields.has(field) ? 'live' : 'reboot'
}

/** The worst of several; nothing where there are none. */
export function worstEffect(effects: Iterable<ChangeEffect>): ChangeEffect {
  const all = new Set(effects)
  return changeEffects.findLast((effect) => all.has(effect)) ?? 'nothing'
}

function startsWith(path: Path, prefix: Path): boolean {
  return prefix.every((part, index) => path[index] === part)
}
