import { status } from '@grpc/grpc-js'
import { expect } from 'vitest'
import { EventType } from '../../../src/talos/api/gen/cosi/state_pb.js'
import type { TalosApi } from '../../../src/talos/api/talos-api.ts'
import { allOf, type EntriesOf, type RealNodes, refused, take } from './method-entry.ts'

const type = { namespace: 'network', type: 'HostnameStatuses.net.talos.dev' }
const addresses = { namespace: 'network', type: 'NodeAddresses.net.talos.dev' }

/** Clients of a node's API may write no resource, whoever they are. */
const noWriting = (call: (nodes: RealNodes) => Promise<unknown>) =>
  refused(status.PERMISSION_DENIED, /write access is not allowed/, call)

async function resource({ worker: { api } }: RealNodes) {
  const { resource: present } = await api.resources.get(type, 'hostname')
  if (present === undefined) throw new Error('no resource')
  return present
}

export const resourceEntries: EntriesOf<TalosApi['resources']> = {
  async get({ worker: { api, name } }) {
    const { resource: found } = await api.resources.get(type, 'hostname')
    expect(found?.metadata).toMatchObject({ ...type, id: 'hostname', phase: 'running' })
    expect(found?.spec?.yamlSpec).toContain(`hostname: ${name}\n`)
  },
  async list({ worker: { api } }) {
    const ids = async (query: Parameters<typeof api.resources.list>[1]) => {
      const found = await allOf(api.resources.list(addresses, query))
      return found.map((each) => each.resource?.metadata?.id)
    }
    expect(await ids({})).toEqual(expect.arrayContaining(['current', 'default', 'routed']))
    expect(await ids({ id: '^routed$' })).toEqual(['routed'])
    expect(await ids({ labels: { nobody: 'has' } })).toEqual([])
  },
  async watch({ worker: { api } }) {
    const kinds = async (query: Parameters<typeof api.resources.watch>[1], count: number) =>
      (await take(api.resources.watch(type, query), count)).map(({ event }) =>
        event.map(({ eventType }) => eventType),
      )
    const { CREATED, BOOTSTRAPPED } = EventType
    expect(await kinds({ fromPresent: true }, 3)).toEqual([[], [CREATED], [BOOTSTRAPPED]])
    expect(await kinds({ id: 'hostname' }, 2)).toEqual([[], [CREATED]])
    expect(await kinds({ tailEvents: 1 }, 2)).toEqual([[], [CREATED]])
  },
  create: noWriting(async (nodes) =>
    nodes.worker.api.resources.create(await resource(nodes), { owner: 'nobody' }),
  ),
  update: noWriting(async (nodes) =>
    nodes.worker.api.resources.update(await resource(nodes), { owner: 'nobody' }),
  ),
  destroy: noWriting(({ worker: { api } }) =>
    api.resources.destroy(type, 'hostname', { owner: 'nobody' }),
  ),
}
