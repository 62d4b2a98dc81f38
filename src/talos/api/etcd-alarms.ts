import { EtcdMemberAlarm_AlarmType } from './gen/machine/machine_pb.js'
import { talosApi } from './talos-api.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

export interface EtcdAlarm {
  readonly memberId: bigint
  readonly kind: 'out of space' | 'corrupt'
}

/** The alarms that etcd raises; it refuses writes while there are any. */
export async function listEtcdAlarms(
  client: TalosCaller,
  options?: CallOptions,
): Promise<readonly EtcdAlarm[]> {
  const { memberAlarms } = await talosApi(client).machine.etcdAlarmList(options)
  return memberAlarms
    .filter(({ alarm }) => alarm !== EtcdMemberAlarm_AlarmType.NONE)
    .map(({ memberId, alarm }) => ({
      memberId,
      kind: alarm === EtcdMemberAlarm_AlarmType.CORRUPT ? 'corrupt' : 'out of space',
    }))
}
