import { flag, text, textOr } from '../../setting.ts'
import { defineVerb } from './define-verb.ts'
import { durationSetting, wholeNumberOr } from './verb-settings.ts'

export const pcap = defineVerb({
  name: 'pcap',
  description: 'packets of a node, into a file',
  prints: 'bytes',
  role: 'os:operator',
  takes: {
    interface: textOr('-i, --interface <link>', 'which link', 'eth0'),
    out: textOr('--out <file>', 'where they go', 'talos.pcap'),
    duration: durationSetting(),
    promiscuous: flag('--promiscuous', 'those for others too'),
    snapLength: wholeNumberOr('--snap-length <bytes>', 'how much of each is kept', 4_096),
    bpfFilter: text('--bpf-filter <program>', 'only these: what `tcpdump -dd` prints'),
  },
  async run({ cluster, context, terminal }, values) {
    const { capturedPackets } = await import('../../../commands/talos/captured-packets.ts')
    const { parseBpf } = await import('../../../commands/talos/parse-bpf.ts')
    const { onlyNode } = await import('../../../commands/talos/reached-cluster.ts')
    const { writeReported } = await import('./write-reported.ts')
    const { interface: link, out, duration, promiscuous, snapLength, bpfFilter } = values
    const node = onlyNode(cluster.nodes)
    const stop = duration === undefined ? undefined : AbortSignal.timeout(duration * 1_000)
    const filter = bpfFilter === undefined ? {} : { filter: parseBpf(bpfFilter) }
    const capture = { link, promiscuous, snapLength, ...filter }
    await writeReported(terminal, out, capturedPackets(context, node, capture, stop))
    context.signal.throwIfAborted()
  },
})
