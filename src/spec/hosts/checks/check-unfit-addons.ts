import { formatPath } from '../../../lib/finding.ts'
import type { UnfitCharts } from '../../checks/check-custom-addons.ts'
import type { CheckFinding } from '../../checks/spec-check.ts'
import { type HostsCheckContext, hostsError } from './hosts-check.ts'

/** Charts that are of no use on hosts that exist, or not yet. */
export const unfitForHosts: UnfitCharts = {
  kured: {
    message: 'kured reboots hosts beside hcloud-talos, which does not wait for it',
    hint: 'Remove it: hosts are rebooted by hand, one after another.',
  },
}

/** Addons for servers of Hetzner Cloud. */
export function checkUnfitAddons({ file }: HostsCheckContext): CheckFinding[] {
  const { hcloudCcm, hcloudCsi } = file.addons
  return Object.entries({ hcloudCcm, hcloudCsi }).flatMap(([name, { enabled }]) => {
    if (!enabled) return []
    const path = ['addons', name, 'enabled']
    const message = `${formatPath(['addons', name])} is for servers of Hetzner Cloud, and not for hosts that exist`
    return [hostsError(path, message, 'Remove it: it is off by default here.')]
  })
}
