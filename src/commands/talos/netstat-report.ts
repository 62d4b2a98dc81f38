import { urlHost } from '../../lib/url-host.ts'
import { ConnectRecord_State } from '../../talos/api/gen/machine/machine_pb.js'
import type { NetstatOptions } from '../../talos/api/methods/network-methods.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import { type Column, type TalosReport, tableOf } from './report.ts'

/** The sockets of a node. */
export async function netstatReport(
  { machine }: TalosApi,
  options: NetstatOptions,
): Promise<TalosReport> {
  const { connectrecord } = await machine.netstat(options)
  const sockets = connectrecord.map((record) => ({
    protocol: record.l4proto,
    receive: Number(record.rxqueue),
    send: Number(record.txqueue),
    local: `${urlHost(record.localip)}:${record.localport}`,
    foreign: `${urlHost(record.remoteip)}:${record.remoteport || '*'}`,
    state: ConnectRecord_State[record.state] ?? '',
    process: record.process ? `${record.process.pid}/${record.process.name}` : '',
  }))
  const columns: Column<(typeof sockets)[number]>[] = [
    ['PROTO', (each) => each.protocol],
    ['RECV-Q', (each) => each.receive],
    ['SEND-Q', (each) => each.send],
    ['LOCAL ADDRESS', (each) => each.local],
    ['FOREIGN ADDRESS', (each) => each.foreign],
    ['STATE', (each) => each.state],
  ]
  if (options.processes) columns.push(['PID/PROGRAM', (each) => each.process])
  return tableOf(sockets, columns, (each) => each)
}
