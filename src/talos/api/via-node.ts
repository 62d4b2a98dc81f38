import type { TalosCaller } from './talos-caller.ts'

/** A caller whose every call is passed on to one node, by its plain address, and answered by that one. */
export function viaNode(caller: TalosCaller, node: string): TalosCaller {
  return {
    address: `${node} through ${caller.address}`,
    unary: (method, request, options) => caller.unary(method, request, { node, ...options }),
    stream: (method, request, options) => caller.stream(method, request, { node, ...options }),
    upload: (method, requests, options) => caller.upload(method, requests, { node, ...options }),
    duplex: (method, requests, options) => caller.duplex(method, requests, { node, ...options }),
  }
}
