import { status } from '@grpc/grpc-js'
import {
  ConnectRecord_State,
  MachineService,
  NetstatRequest_Filter,
} from '../../../talos/api/gen/machine/machine_pb.js'
import type { TalosNode } from '../talos-node.ts'
import { type Rpc, RpcError, serverStream, unary } from './rpc.ts'

const { method } = MachineService
const links = ['lo', 'eth0', 'eth1']
const packetEveryMs = 1_000

export const networkRpcs: readonly Rpc[] = [
  unary(method.netstat, ({ filter, feature }, { node }) => ({
    messages: [
      {
        connectrecord: (filter === NetstatRequest_Filter.CONNECTED ? [] : listening(node)).map(
          ({ port, process }, index) => ({
            l4proto: 'tcp6',
            localip: '::',
            localport: port,
            remoteip: '::',
            state: ConnectRecord_State.LISTEN,
            ...(feature?.pid && { process: { pid: 1_000 + index, name: process } }),
          }),
        ),
      },
    ],
  })),
  serverStream(method.packetCapture, async function* ({ interface: link, snapLen }, call) {
    if (!links.includes(link)) {
      throw new RpcError(status.NOT_FOUND, `interface "${link}" not found`)
    }
    yield { bytes: pcapHeader(snapLen) }
    const { clock } = call.node.world
    while (!call.signal.aborted) {
      yield { bytes: packet(clock.now()) }
      await clock.sleep(packetEveryMs, call.signal).catch(() => undefined)
    }
  }),
  unary(method.processes, (_request, { node }) => ({
    messages: [
      {
        processes: [
          { pid: 1, state: 'S', threads: 12, executable: '/sbin/init', args: '/sbin/init' },
          ...listening(node).map(({ process }, index) => ({
            pid: 1_000 + index,
            ppid: 1,
            state: 'S',
            threads: 8,
            cpuTime: 1.5,
            residentMemory: 50_000_000n,
            virtualMemory: 1_200_000_000n,
            command: process,
            executable: `/usr/local/bin/${process}`,
            args: process,
          })),
        ],
      },
    ],
  })),
  unary(method.memory, () => ({
    messages: [
      {
        // In KiB, as the kernel counts: a server of 4 GB.
        meminfo: {
          memtotal: 3_900_000n,
          memfree: 900_000n,
          memavailable: 2_500_000n,
          buffers: 50_000n,
          cached: 1_450_000n,
          shmem: 12_000n,
        },
      },
    ],
  })),
  unary(method.stats, ({ namespace }, { node }) => ({
    messages: [
      {
        stats: (namespace === 'k8s.io' ? node.staticPods.all() : []).map(({ component }) => ({
          namespace,
          id: `kube-system/${component}-${node.hostname}:${component}`,
          name: component,
          podId: `kube-system/${component}-${node.hostname}`,
          memoryUsage: 60_000_000n,
          cpuUsage: 2_500_000_000n,
        })),
      },
    ],
  })),
  unary(method.mounts, () => ({
    messages: [
      {
        stats: [
          {
            filesystem: '/dev/sda6',
            size: 38_000_000_000n,
            available: 33_000_000_000n,
            mountedOn: '/var',
          },
          {
            filesystem: '/dev/sda5',
            size: 92_000_000n,
            available: 86_000_000n,
            mountedOn: '/system/state',
          },
        ],
      },
    ],
  })),
]

/** Who waits for connections on a node, by the services that run on it. */
function listening(node: TalosNode): { port: number; process: string }[] {
  const { config, etcd, kubelet } = node
  const apid = { port: 50_000, process: 'apid' }
  if (config === undefined) return [apid]
  return [
    apid,
    ...(kubelet.state === 'running' ? [{ port: 10_250, process: 'kubelet' }] : []),
    ...(config.controlPlane ? [{ port: 50_001, process: 'trustd' }] : []),
    ...(etcd.running === undefined
      ? []
      : [
          { port: 2_379, process: 'etcd' },
          { port: 2_380, process: 'etcd' },
          { port: 6_443, process: 'kube-apiserver' },
        ]),
  ]
}

/** The head of a pcap file of Ethernet frames, with nanoseconds, in the byte order of x86. */
function pcapHeader(snapLength: number): Buffer {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b23c4d, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(snapLength, 16)
  header.writeUInt32LE(1, 20)
  return header
}

/** One frame of ARP, with the head that pcap gives it. */
function packet(now: number): Buffer {
  const frame = Buffer.alloc(42, 0xff)
  frame.writeUInt16BE(0x0806, 12)
  const head = Buffer.alloc(16)
  head.writeUInt32LE(Math.floor(now / 1_000), 0)
  head.writeUInt32LE((Math.floor(now) % 1_000) * 1_000_000, 4)
  head.writeUInt32LE(frame.length, 8)
  head.writeUInt32LE(frame.length, 12)
  return Buffer.concat([head, frame])
}
