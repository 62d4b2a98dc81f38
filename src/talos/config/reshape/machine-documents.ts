import type { ConfigDocument } from '../config-document.ts'
import { placeholderAs } from '../placeholder.ts'
import { given, ifAny, newDocument } from './new-document.ts'
import type { OldShape } from './old-shape.ts'

/** Documents of what no part of Kubernetes reads. */
export function machineDocuments(old: OldShape): ConfigDocument[] {
  return [
    ...discoveryDocuments(old),
    ...ifAny('DiscoveryIdentityConfig', {
      clusterID: old.takeText('cluster.id'),
      clusterSecret: clusterSecretOf(old),
    }),
    ...installDocuments(old),
    ...ifAny('ResolverConfig', { hostDNS: old.takeObject('machine.features.hostDNS') }),
    ...ifAny('CRIBaseRuntimeSpecConfig', {
      overrides: old.takeObject('machine.baseRuntimeSpecOverrides'),
    }),
    ...imageCacheDocuments(old),
  ]
}

function clusterSecretOf(old: OldShape): string | undefined {
  const secret = old.takeText('cluster.secret')
  return secret === undefined ? undefined : placeholderAs('key', secret)
}

const discoveryService = 'https://discovery.talos.dev/'

function discoveryDocuments(old: OldShape): ConfigDocument[] {
  const isEnabled = old.takeFlag('cluster.discovery.enabled') ?? false
  // The registry in Kubernetes does not work with any Kubernetes that 1.14 runs; who asks for it is told.
  old.drop('cluster.discovery.registries.kubernetes.disabled', true)
  const isOff = old.takeFlag('cluster.discovery.registries.service.disabled') ?? false
  const endpoint = old.takeText('cluster.discovery.registries.service.endpoint') || discoveryService
  return isEnabled && !isOff
    ? [newDocument('DiscoveryServiceConfig', { name: 'default', endpoint })]
    : []
}

function installDocuments(old: OldShape): ConfigDocument[] {
  const disk = old.takeText('machine.install.disk')
  const image = old.takeText('machine.install.image')
  const wipe = old.takeFlag('machine.install.wipe')
  // The boot loader always takes its arguments from the unified kernel image.
  old.drop('machine.install.grubUseUKICmdline', true)
  old.drop('machine.install.legacyBIOSSupport', false)
  if (disk === undefined) return []
  return [
    newDocument('UnattendedInstallConfig', {
      installer: given({ image }),
      provisioning: given({
        diskSelector: { match: `disk.dev_path == ${JSON.stringify(disk)}` },
        wipe,
      }),
    }),
  ]
}

function imageCacheDocuments(old: OldShape): ConfigDocument[] {
  const enabled = old.takeFlag('machine.features.imageCache.localEnabled')
  return enabled === undefined ? [] : [newDocument('ImageCacheConfig', { local: { enabled } })]
}
