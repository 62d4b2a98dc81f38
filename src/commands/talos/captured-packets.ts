import type { RunContext } from '../../run/run-context.ts'
import type { PacketCaptureOptions } from '../../talos/api/methods/network-methods.ts'
import type { ReachedNode } from './reached-cluster.ts'

/**
 * Packets of a node as the bytes of a pcap file, until `stop` or the run's own signal says that it is
 * enough: what was captured until then is what was wanted, and so neither is a failure here.
 */
export async function* capturedPackets(
  { signal }: RunContext,
  { api }: ReachedNode,
  options: PacketCaptureOptions,
  stop: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const ending = stop ? AbortSignal.any([signal, stop]) : signal
  const capture = api.machine.packetCapture(options, {
    timeoutMs: Number.POSITIVE_INFINITY,
    signal: ending,
  })
  try {
    for await (const { bytes } of capture) yield bytes
  } catch (error) {
    if (!ending.aborted) throw error
  }
}
