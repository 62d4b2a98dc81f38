import { deniedArguments, unknownArguments } from '../../checks/check-arguments.ts'
import { customAddonFindings } from '../../checks/check-custom-addons.ts'
import { checkKubernetes } from '../../checks/check-kubernetes.ts'
import { checkSecretReferences } from '../../checks/check-secret-references.ts'
import { checkState } from '../../checks/check-state.ts'
import { whyKubeadmDenies } from '../tables/denied-by-kubeadm.ts'
import { checkEndpoint } from './check-endpoint.ts'
import { checkHostRanges } from './check-host-ranges.ts'
import { checkHosts } from './check-hosts.ts'
import { checkKubeadmPatches } from './check-kubeadm-patches.ts'
import { checkKubeadmVersions } from './check-kubeadm-versions.ts'
import { checkLogins } from './check-logins.ts'
import { checkPackages } from './check-packages.ts'
import { checkRegistryMirrors } from './check-registry-mirrors.ts'
import { checkUnfitAddons, unfitForHosts } from './check-unfit-addons.ts'
import type { HostsCheck } from './hosts-check.ts'

const version = [['kubernetes', 'version']]

/** Everything that is judged between the fields of a file of hosts, or by what lies outside of it. */
export const hostsChecks: readonly HostsCheck[] = [
  checkHosts,
  checkLogins,
  checkEndpoint,
  checkHostRanges,
  checkKubeadmVersions,
  checkPackages,
  checkKubeadmPatches,
  checkUnfitAddons,
  checkSecretReferences,
  checkKubernetes,
  checkState,
  ({ file }) => customAddonFindings(file, unfitForHosts),
  ({ file }) => deniedArguments(file, whyKubeadmDenies, version),
  ({ file }) => unknownArguments(file, version),
  checkRegistryMirrors,
]
