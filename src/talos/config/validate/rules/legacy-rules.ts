import type { Rule } from '../config-view.ts'
import {
  authorizersAreWhole,
  cloudManifestsNeedTheProvider,
  clusterDomainIsOne,
  cniFitsItsName,
  discoveryServiceIsReachable,
  endpointIsThere,
  etcdFitsRole,
  inlineManifestsHaveNames,
  podResourcesAreKnown,
  secretsAreEncrypted,
} from './cluster-parts.ts'
import { imagesNameTheirVersion } from './kubernetes-images.ts'
import { legacyKubeSpanHasWhatItNeeds } from './kubespan.ts'
import { interfacesAreSound, sharedAddressesFitRole } from './legacy-interfaces.ts'
import {
  configIsKept,
  kubernetesAuthorityFitsRole,
  machineTypeIsKnown,
  machineTypeIsModern,
  talosAuthorityFitsRole,
} from './machine-identity.ts'
import {
  addressSortingIsKnown,
  extensionsAreInTheImage,
  hostDnsBeforeForwarding,
  kubeletConfigLeavesTalosItsOwn,
  kubeletSubnetsAreSubnets,
  legacyEncryptionHasKeys,
  logsGoSomewhere,
  oldFieldsHaveDocuments,
  onlyLastPartitionTakesAll,
  registriesAreFilled,
  talosAccessFitsRole,
} from './machine-parts.ts'
import {
  nodeAnnotationsAreAnnotations,
  nodeLabelsAreLabels,
  nodeTaintsAreTaints,
} from './node-metadata.ts'

/**
 * What a node in a cloud refuses in the v1alpha1 document: `Validate` and `RuntimeValidate` of machinery's
 * config/types/v1alpha1, 1.9 to 1.14. An installed disk image needs no `machine.install`.
 */
export const legacyRules: readonly Rule[] = [
  machineTypeIsKnown,
  machineTypeIsModern,
  talosAuthorityFitsRole,
  kubernetesAuthorityFitsRole,
  configIsKept,
  endpointIsThere,
  secretsAreEncrypted,
  clusterDomainIsOne,
  cloudManifestsNeedTheProvider,
  etcdFitsRole,
  inlineManifestsHaveNames,
  discoveryServiceIsReachable,
  cniFitsItsName,
  authorizersAreWhole,
  podResourcesAreKnown,
  imagesNameTheirVersion,
  hostDnsBeforeForwarding,
  talosAccessFitsRole,
  addressSortingIsKnown,
  interfacesAreSound,
  sharedAddressesFitRole,
  legacyKubeSpanHasWhatItNeeds,
  kubeletSubnetsAreSubnets,
  kubeletConfigLeavesTalosItsOwn,
  onlyLastPartitionTakesAll,
  legacyEncryptionHasKeys,
  registriesAreFilled,
  logsGoSomewhere,
  oldFieldsHaveDocuments,
  extensionsAreInTheImage,
  nodeLabelsAreLabels,
  nodeAnnotationsAreAnnotations,
  nodeTaintsAreTaints,
]
