import { status } from '@grpc/grpc-js'
import { expect } from 'vitest'
import { ConnectRecord_State } from '../../../src/talos/api/gen/machine/machine_pb.js'
import type { networkMethods } from '../../../src/talos/api/methods/network-methods.ts'
import { statusCode } from '../../../src/talos/api/talos-status.ts'
import { bytesOf, type EntriesOf, take } from './method-entry.ts'

/** The whole of a capture: every packet that passes, up to so many bytes of it. */
const everything = [{ op: 6, jt: 0, jf: 0, k: 262_144 }]

/** The network of a node. */
export const networkEntries: EntriesOf<ReturnType<typeof networkMethods>> = {
  async netstat({ controlPlane: { api } }) {
    const { connectrecord: listening } = await api.machine.netstat({
      which: 'listening',
      protocols: ['tcp', 'tcp6'],
      processes: true,
    })
    for (const { state } of listening) expect(state).toBe(ConnectRecord_State.LISTEN)
    const owners = new Map(listening.map(({ localport, process }) => [localport, process?.name]))
    expect(owners.get(6_443)).toBe('kube-apiserver')
    expect(owners.get(2_379)).toBe('etcd')
    const { connectrecord: connected } = await api.machine.netstat({ which: 'connected' })
    expect(connected.some(({ remoteport }) => remoteport === 2_379)).toBe(true)
  },
  async packetCapture({ controlPlane: { api } }) {
    // Its own services talk over the loopback device all the time.
    const capture = api.machine.packetCapture({ link: 'lo', snapLength: 96, filter: everything })
    const [head, ...packets] = await take(capture, 5)
    const header = Buffer.from(head?.bytes ?? [])
    expect(header.readUInt32LE(0)).toBe(0xa1b23c4d)
    expect(header.readUInt32LE(20)).toBe(1)
    const [first] = packets
    const at = Buffer.from(first?.bytes ?? []).readUInt32LE(0)
    expect(Math.abs(Date.now() / 1_000 - at)).toBeLessThan(60)
    const nowhere = bytesOf(api.machine.packetCapture({ link: 'nothing' }))
    const failure = await nowhere.catch((error: unknown) => error)
    expect(statusCode(failure)).toBe(status.NOT_FOUND)
  },
}
