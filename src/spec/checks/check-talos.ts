import { parseVersion } from '../tables/version-matrix.ts'
import { isAddress, isHostName } from './host-syntax.ts'
import { eachFinding, registryMirrorFindings } from './registry-mirrors.ts'
import type { CheckContext, CheckFinding } from './spec-check.ts'

/** Pods inherit the node's resolvers, and the C library reads no more than this many. */
const mostNameservers = 3

/** What concerns the nodes' operating system: image, mirrors, name and time servers. */
export function checkTalos({ file }: CheckContext): CheckFinding[] {
  const { nameservers, timeServers, registryMirrors } = file.talos
  return [
    ...checkContract(file.talos),
    ...checkSchematic(file.talos),
    ...eachFinding(nameservers, ['talos', 'nameservers'], isAddress, 'no IP address'),
    ...warnManyNameservers(nameservers),
    ...eachFinding(timeServers, ['talos', 'timeServers'], isHost, 'no host name or IP address'),
    ...registryMirrorFindings(registryMirrors, ['talos', 'registryMirrors']),
  ]
}

const [oldestContract, newestContract] = [9, 14]

/** A node reads configs of older contracts, never of newer ones. */
function checkContract({ contract, version }: CheckContext['file']['talos']): CheckFinding[] {
  const [minor, ofTalos] = [contract, version].map((text = '') => parseVersion(text)?.minor ?? 0)
  if (contract === undefined || minor === undefined || ofTalos === undefined) return []
  const finding = {
    severity: 'error' as const,
    path: ['talos', 'contract'],
    involves: [['talos', 'version']],
  }
  if (minor < oldestContract || minor > newestContract) {
    const message = `talos.contract is ${contract}, but configs are made from v1.${oldestContract} to v1.${newestContract}`
    return [{ ...finding, message, hint: `Take v1.${Math.min(newestContract, ofTalos)}.` }]
  }
  if (minor <= ofTalos) return []
  return [
    {
      ...finding,
      message: `talos.contract is ${contract}, which Talos ${version} cannot read`,
      hint: `Take v1.${ofTalos}, and change it once the upgrade is done.`,
    },
  ]
}

function checkSchematic(talos: CheckContext['file']['talos']): CheckFinding[] {
  if (talos.schematic === undefined) return []
  const both = [
    ...(talos.extensions.length > 0 ? ['extensions'] : []),
    ...(talos.kernelArgs.length > 0 ? ['kernelArgs'] : []),
  ]
  return both.map((field) => ({
    severity: 'error' as const,
    path: ['talos', field],
    message: `talos.schematic and talos.${field} exclude each other: a schematic has its own`,
    hint: 'Remove talos.schematic to have one made from the extensions and kernel arguments.',
    atKey: true,
    involves: [['talos', 'schematic']],
  }))
}

function warnManyNameservers(nameservers: readonly string[]): CheckFinding[] {
  if (nameservers.length <= mostNameservers) return []
  return [
    {
      severity: 'warning',
      path: ['talos', 'nameservers'],
      message: `talos.nameservers has ${nameservers.length} entries; pods use the first ${mostNameservers} only`,
      hint: `Keep ${mostNameservers}.`,
    },
  ]
}

function isHost(text: string): boolean {
  return isAddress(text) || isHostName(text)
}
