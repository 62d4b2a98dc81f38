import type { DescMethod } from '@bufbuild/protobuf'

/**
 * Whether a call may be put again when its answer was lost: it reads, and changes nothing. What is not
 * named here may have happened already, and only its caller can find out whether it has.
 */
export function isRepeatable({ parent, name }: DescMethod): boolean {
  return repeatable[parent.typeName]?.has(name) ?? false
}

const repeatable: Readonly<Record<string, ReadonlySet<string>>> = {
  'cluster.ClusterService': new Set(['HealthCheck']),
  'cosi.resource.State': new Set(['Get', 'List', 'Watch']),
  'inspect.InspectService': new Set(['ControllerRuntimeDependencies']),
  'machine.ImageService': new Set(['List', 'Verify']),
  'machine.MachineService': new Set([
    'CPUFreqStats',
    'CPUInfo',
    'Containers',
    'Copy',
    'DiskStats',
    'DiskUsage',
    'Dmesg',
    'EtcdAlarmList',
    'EtcdDowngradeValidate',
    'EtcdMemberList',
    'EtcdSnapshot',
    'EtcdStatus',
    'Events',
    'Hostname',
    'ImageList',
    'List',
    'LoadAvg',
    'Logs',
    'LogsContainers',
    'Memory',
    'Mounts',
    'Netstat',
    'NetworkDeviceStats',
    'PacketCapture',
    'Processes',
    'Read',
    'ServiceList',
    'Stats',
    'SystemStat',
    'Version',
  ]),
  'storage.StorageService': new Set(['Disks']),
  'time.TimeService': new Set(['Time', 'TimeCheck']),
}
