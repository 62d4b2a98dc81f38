const admin = ['os:admin']
const operator = ['os:admin', 'os:operator']
const reader = ['os:admin', 'os:operator', 'os:reader']
const etcdReader = [...reader, 'os:etcd:backup']

/** Who may call what: any one of the roles (facts: the rules of Talos 1.13's machined). */
const rules: Readonly<Record<string, readonly string[]>> = {
  '/cluster.ClusterService/HealthCheck': reader,
  '/cosi.resource.State/Get': reader,
  '/cosi.resource.State/List': reader,
  '/cosi.resource.State/Watch': reader,
  '/machine.ImageService/List': reader,
  '/machine.ImageService/Pull': operator,
  '/machine.MachineService/CPUFreqStats': reader,
  '/machine.MachineService/CPUInfo': reader,
  '/machine.MachineService/Containers': reader,
  '/machine.MachineService/DiskStats': reader,
  '/machine.MachineService/DiskUsage': reader,
  '/machine.MachineService/Dmesg': reader,
  '/machine.MachineService/EtcdAlarmDisarm': operator,
  '/machine.MachineService/EtcdAlarmList': etcdReader,
  '/machine.MachineService/EtcdDefragment': operator,
  '/machine.MachineService/EtcdMemberList': etcdReader,
  '/machine.MachineService/EtcdSnapshot': [...operator, 'os:etcd:backup'],
  '/machine.MachineService/EtcdStatus': etcdReader,
  '/machine.MachineService/Events': reader,
  '/machine.MachineService/Hostname': reader,
  '/machine.MachineService/ImageList': reader,
  '/machine.MachineService/ImagePull': operator,
  '/machine.MachineService/List': reader,
  '/machine.MachineService/LoadAvg': reader,
  '/machine.MachineService/Logs': reader,
  '/machine.MachineService/LogsContainers': reader,
  '/machine.MachineService/Memory': reader,
  '/machine.MachineService/Mounts': reader,
  '/machine.MachineService/Netstat': reader,
  '/machine.MachineService/NetworkDeviceStats': reader,
  '/machine.MachineService/PacketCapture': operator,
  '/machine.MachineService/Processes': reader,
  '/machine.MachineService/Reboot': operator,
  '/machine.MachineService/Restart': operator,
  '/machine.MachineService/ServiceList': reader,
  '/machine.MachineService/ServiceRestart': operator,
  '/machine.MachineService/ServiceStart': operator,
  '/machine.MachineService/ServiceStop': operator,
  '/machine.MachineService/Shutdown': operator,
  '/machine.MachineService/Stats': reader,
  '/machine.MachineService/SystemStat': reader,
  '/machine.MachineService/Version': reader,
}

/** Whether somebody of these roles may call this method; what is not in the rules is for admins only. */
export function mayCall(roles: ReadonlySet<string>, path: string): boolean {
  return (rules[path] ?? admin).some((role) => roles.has(role))
}

/** Methods that leave a node as it was; the others count as changes of the world. */
export function isReadOnly(path: string): boolean {
  return readOnly.has(path.split('/')[2] ?? '')
}

const readOnly = new Set([
  'CPUFreqStats',
  'CPUInfo',
  'Containers',
  'Copy',
  'DiskStats',
  'DiskUsage',
  'Dmesg',
  'EtcdAlarmList',
  'EtcdMemberList',
  'EtcdSnapshot',
  'EtcdStatus',
  'Events',
  'Get',
  'HealthCheck',
  'Hostname',
  'ImageList',
  'Kubeconfig',
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
  'Watch',
])
