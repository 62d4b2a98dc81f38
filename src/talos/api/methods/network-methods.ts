import { MachineService, NetstatRequest_Filter } from '../gen/machine/machine_pb.js'
import type { CallOptions, TalosCaller } from '../talos-caller.ts'
import { askOne } from './ask-one.ts'
import { followOne } from './follow-one.ts'

const { method } = MachineService

/** Which sockets are told, and what of them. */
export interface NetstatOptions {
  /** Those that wait for connections, those that have one, or both; both. */
  readonly which?: keyof typeof filters
  /** All where none is given. */
  readonly protocols?: readonly SocketProtocol[]
  /** Whether the process is told. */
  readonly processes?: boolean
  /** Whether pods' own networks are looked into too. */
  readonly allNetworks?: boolean
}

export type SocketProtocol = (typeof socketProtocols)[number]

const socketProtocols = [
  'tcp',
  'tcp6',
  'udp',
  'udp6',
  'udplite',
  'udplite6',
  'raw',
  'raw6',
] as const
const filters = {
  all: NetstatRequest_Filter.ALL,
  connected: NetstatRequest_Filter.CONNECTED,
  listening: NetstatRequest_Filter.LISTENING,
} as const

/** One instruction of a classic BPF program, as `tcpdump -dd` prints it. */
export interface BpfInstruction {
  readonly op: number
  readonly jt: number
  readonly jf: number
  readonly k: number
}

export interface PacketCaptureOptions {
  /** `eth0`. */
  readonly link: string
  /** Whether packets for others are captured too. */
  readonly promiscuous?: boolean
  /** Bytes kept of each packet; 4096. */
  readonly snapLength?: number
  readonly filter?: readonly BpfInstruction[]
}

/** The network of a node, as it sees it itself. */
export function networkMethods(caller: TalosCaller) {
  return {
    /** Its sockets; queues in bytes. For os:reader. */
    netstat: (
      {
        which = 'all',
        protocols = [],
        processes = false,
        allNetworks = false,
      }: NetstatOptions = {},
      options?: CallOptions,
    ) => {
      const wanted = protocols.length === 0 ? socketProtocols : protocols
      const l4proto = Object.fromEntries(wanted.map((name) => [name, true]))
      const netns = { hostnetwork: true, allnetns: allNetworks }
      const request = { filter: filters[which], l4proto, feature: { pid: processes }, netns }
      return askOne(caller, method.netstat, request, options)
    },

    /**
     * Packets as they pass, as the bytes of a pcap file; ends when somebody leaves the stream. For
     * os:operator.
     */
    packetCapture: (
      { link, promiscuous = false, snapLength = 4_096, filter = [] }: PacketCaptureOptions,
      options?: CallOptions,
    ) =>
      followOne(
        caller,
        method.packetCapture,
        {
          interface: link,
          promiscuous,
          snapLen: snapLength,
          bpfFilter: filter.map((instruction) => ({ ...instruction })),
        },
        options,
      ),
  }
}
