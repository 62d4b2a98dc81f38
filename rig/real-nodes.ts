import { mkdir } from 'node:fs/promises'
import type { NodeKind } from '../src/sandbox/node-kind.ts'
import { runBalancers } from './balancers/run-balancers.ts'
import type { Bed } from './bed/bed.ts'
import { debianGuest, realRescueGuest } from './debian/debian-guests.ts'
import { serveMetadata } from './metadata/serve-metadata.ts'
import { PlainAddresses } from './network/plain-addresses.ts'
import { reservedPublicHosts, rigAddresses } from './network/rig-addresses.ts'
import { RigNetwork } from './network/rig-network.ts'
import { registryPort } from './real-nodes-file.ts'
import { serveRegistry } from './registry/serve-registry.ts'
import { realTalosGuest } from './talos/real-talos-guest.ts'

/**
 * Real nodes for a world: Talos's own machined in containers, with real etcd, kubelets and pods; stock
 * and rescue systems are a small Debian. This process must be in namespaces of its own (see `isolatedCommand`);
 * `folder` holds the nodes' disks and consoles.
 */
export function realNodes({ bed, folder }: { bed: Bed; folder: string }): NodeKind {
  return {
    world: {
      addresses: new PlainAddresses(rigAddresses.publicRange, reservedPublicHosts),
    },
    worldAddress: rigAddresses.internet,
    sshPort: 22,
    prepare: async (world) => {
      await mkdir(folder, { recursive: true })
      const network = await RigNetwork.open(world)
      const options = { bed, folder, network }
      world.guests.talos = realTalosGuest(options)
      world.guests.stock = debianGuest(options)
      world.guests.rescue = realRescueGuest(options)
      runBalancers(world, network)
      const registry = await serveRegistry({
        address: '127.0.0.1',
        port: registryPort,
        images: bed.images,
        background: (answer) => world.background(answer),
      })
      world.onClose(async () => registry[Symbol.asyncDispose]())
      await serveMetadata(world)
    },
  }
}
