import { ClusterError } from '../../lib/cluster-error.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { NodeAddress } from './cluster-access.ts'

/** What Hetzner decided about the server of one node. */
export interface ServerFacts {
  readonly serverId: number
  /** Its own public IPv4 address; IPv6 where it has no other. */
  readonly publicIp: string | undefined
}

/**
 * Where the nodes of a run are: filled from what was observed and from what is created on the way. The
 * addresses are the servers' own, as Hetzner gave them.
 */
export class NodeAddresses {
  readonly #facts = new Map<string, ServerFacts>()

  /** Takes in the facts of a server's record. */
  learn(name: string, facts: JsonObject | undefined): void {
    const id = facts?.['id']
    if (typeof id !== 'number') return
    this.#facts.set(name, {
      serverId: id,
      publicIp: text(facts?.['publicIp']) ?? firstHost(text(facts?.['publicIpv6'])),
    })
  }

  factsOf(name: string): ServerFacts | undefined {
    return this.#facts.get(name)
  }

  /** Throws `talos-unreachable` for a node that has no address that can be dialled. */
  of(name: string): NodeAddress & ServerFacts & { readonly publicIp: string } {
    const facts = this.#facts.get(name)
    if (facts?.publicIp !== undefined) {
      return { name, address: facts.publicIp, ...facts, publicIp: facts.publicIp }
    }
    throw new ClusterError('talos-unreachable', `${name} has no public address to dial`, {
      target: name,
      hint: 'Look at the server in the Hetzner console.',
    })
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Hetzner gives a server a whole /64; it answers at the first address of it. */
function firstHost(range: string | undefined): string | undefined {
  return range?.replace(/\/64$/, '1')
}
