import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TalosApi, talosApi } from '../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../src/talos/api/talos-client.ts'
import { parseTalosconfig } from '../../src/talos/config/parse-talosconfig.ts'
import { etcdEntries } from './methods/etcd-entries.ts'
import { fileEntries } from './methods/file-entries.ts'
import { debugEntries, imageEntries, lifecycleEntries } from './methods/image-entries.ts'
import { machineEntries } from './methods/machine-entries.ts'
import type { EntriesOf, MethodEntry, RealNode, RealNodes } from './methods/method-entry.ts'
import { networkEntries } from './methods/network-entries.ts'
import {
  clusterEntries,
  inspectEntries,
  storageEntries,
  timeEntries,
} from './methods/other-entries.ts'
import { resourceEntries } from './methods/resource-entries.ts'
import { serviceEntries } from './methods/service-entries.ts'
import { systemEntries } from './methods/system-entries.ts'
import type { RealCluster } from './real-cluster.ts'

const entries: { readonly [Service in keyof TalosApi]: EntriesOf<TalosApi[Service]> } = {
  resources: resourceEntries,
  time: timeEntries,
  storage: storageEntries,
  inspect: inspectEntries,
  cluster: clusterEntries,
  image: imageEntries,
  debug: debugEntries,
  machine: {
    ...systemEntries,
    ...serviceEntries,
    ...networkEntries,
    ...fileEntries,
    ...etcdEntries,
    ...machineEntries,
  },
  lifecycle: lifecycleEntries,
}

/** Which of the cluster's nodes are asked; `spare` goes down and up several times. */
export interface AskedNodes {
  readonly controlPlane: string
  readonly worker: string
  readonly spare: string
}

/** Every method of the client is called on real nodes, and each answer is looked at. */
export function everyMethod(cluster: () => RealCluster, names: AskedNodes): void {
  describe('a real node answers, or refuses for a reason,', () => {
    let nodes: RealNodes
    const clients: TalosClient[] = []

    beforeAll(async () => {
      const { bench, world } = cluster()
      const file = join(bench.folder, 'talosconfig')
      const { credentials } = parseTalosconfig(await readFile(file, 'utf8'), file)
      const nodeNamed = (name: string): RealNode => {
        const { publicIp: address = '', privateIps = [] } = world.machineNamed(name) ?? {}
        const client = new TalosClient({ address, credentials })
        clients.push(client)
        return { name, address, privateIp: privateIps[0] ?? '', api: talosApi(client) }
      }
      nodes = {
        cluster: cluster(),
        credentials,
        controlPlane: nodeNamed(names.controlPlane),
        worker: nodeNamed(names.worker),
        spare: nodeNamed(names.spare),
      }
    })
    afterAll(() => {
      for (const client of clients) client.close()
    })

    it('every method of every service: there is an entry for each', () => {
      const asked = methodsOf(entries).map(([name]) => name)
      expect(asked.sort()).toEqual(
        methodsOf<unknown>(nodes.worker.api)
          .map(([name]) => name)
          .sort(),
      )
    })

    for (const [name, entry] of methodsOf<MethodEntry>(entries)) {
      it(name, () => entry(nodes))
    }
  })
}

function methodsOf<T>(
  services: Readonly<Record<string, Readonly<Record<string, T>>>>,
): [string, T][] {
  return Object.entries(services).flatMap(([service, methods]) =>
    Object.entries(methods).map(([name, method]): [string, T] => [`${service}.${name}`, method]),
  )
}
