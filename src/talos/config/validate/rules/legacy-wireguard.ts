import type { Json } from '../../../../lib/json.ts'
import { decodeBase64 } from '../../base64.ts'
import type { ConfigPath, Fault } from '../config-problem.ts'
import { eachOf } from '../config-view.ts'
import { isIpPrefix } from '../forms/address.ts'
import { isHostWithPort } from '../forms/host-with-port.ts'
import { isEmptyOr } from '../forms/is-empty-or.ts'
import { asText, isSetAt, listAt, textAt, valueAt } from '../read-config.ts'

/** What is wrong with the WireGuard part of an interface in the v1alpha1 document. */
export function wireguardFaults(here: ConfigPath, device: Json): Fault[] {
  const wireguard = valueAt(device, 'wireguard')
  if (!isSetAt(wireguard)) return []
  const place = [...here, 'wireguard']
  return [
    ...(isWireguardKey(textAt(wireguard, 'privateKey'))
      ? []
      : [{ at: [...place, 'privateKey'], message: keyRule }]),
    ...eachOf(listAt(wireguard, 'peers'), (peer, index) =>
      peerFaults([...place, 'peers', index], peer),
    ),
  ]
}

function peerFaults(here: ConfigPath, peer: Json): Fault[] {
  const endpoint = textAt(peer, 'endpoint')
  return [
    ...(isWireguardKey(textAt(peer, 'publicKey'))
      ? []
      : [{ at: [...here, 'publicKey'], message: keyRule }]),
    ...(isEmptyOr(isHostWithPort, endpoint)
      ? []
      : [{ at: [...here, 'endpoint'], message: 'must be a host with a port' }]),
    ...eachOf(listAt(peer, 'allowedIPs'), (each, index) =>
      isIpPrefix(asText(each) ?? '')
        ? undefined
        : {
            at: [...here, 'allowedIPs', index],
            message: 'must be a range of addresses, such as 10.0.0.0/16',
          },
    ),
  ]
}

export const keyRule = 'must be a key of 32 bytes in base64'

export function isWireguardKey(text: string): boolean {
  return decodeBase64(text)?.length === 32
}
