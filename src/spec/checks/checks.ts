import { checkArguments } from './check-arguments.ts'
import { checkCloudController } from './check-cloud-controller.ts'
import { checkCustomAddons } from './check-custom-addons.ts'
import { checkFirewall } from './check-firewall.ts'
import { checkKubernetes } from './check-kubernetes.ts'
import { checkLabels } from './check-labels.ts'
import { checkLocations } from './check-locations.ts'
import { checkNames } from './check-names.ts'
import { checkNetwork } from './check-network.ts'
import { checkNodeCounts } from './check-node-counts.ts'
import { checkPatches } from './check-patches.ts'
import { checkRangeSizes } from './check-range-sizes.ts'
import { checkReachability } from './check-reachability.ts'
import { checkSecretReferences } from './check-secret-references.ts'
import { checkServerTypes } from './check-server-types.ts'
import { checkState } from './check-state.ts'
import { checkTalos } from './check-talos.ts'
import { checkVersions } from './check-versions.ts'
import type { Check } from './spec-check.ts'

/** Everything that is judged between fields, or by what lies outside of the file. */
export const checks: readonly Check[] = [
  checkNames,
  checkLocations,
  checkNodeCounts,
  checkServerTypes,
  checkLabels,
  checkNetwork,
  checkRangeSizes,
  checkFirewall,
  checkReachability,
  checkVersions,
  checkTalos,
  checkPatches,
  checkSecretReferences,
  checkKubernetes,
  checkCloudController,
  checkCustomAddons,
  checkArguments,
  checkState,
]
