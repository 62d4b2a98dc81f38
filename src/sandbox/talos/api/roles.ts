const admin = ['os:admin']
const operator = ['os:admin', 'os:operator']
const reader = ['os:admin', 'os:operator', 'os:reader']
const etcdReader = [...reader, 'os:etcd:backup']

/** Who may call what: any one of the roles (facts: the rules of Talos 1.13's machined). */
const rules: Readonly<Record<string, readonly string[]>> = {
  '/cluster.ClusterService/HealthCheck': reader,
  '/machine.ImageService/List': reader,
  '/machine.ImageService/Pull': operator,
  '/machine.MachineService/EtcdAlarmList': etcdReader,
  '/machine.MachineService/EtcdAlarmDisarm': operator,
  '/machine.MachineService/EtcdDefragment': operator,
  '/machine.MachineService/EtcdMemberList': etcdReader,
  '/machine.MachineService/EtcdSnapshot': [...operator, 'os:etcd:backup'],
  '/machine.MachineService/EtcdStatus': etcdReader,
  '/machine.MachineService/Events': reader,
  '/machine.MachineService/Hostname': reader,
  '/machine.MachineService/ImageList': reader,
  '/machine.MachineService/ImagePull': operator,
  '/machine.MachineService/Logs': reader,
  '/machine.MachineService/Reboot': operator,
  '/machine.MachineService/ServiceList': reader,
  '/machine.MachineService/ServiceRestart': operator,
  '/machine.MachineService/ServiceStart': operator,
  '/machine.MachineService/ServiceStop': operator,
  '/machine.MachineService/Shutdown': operator,
  '/machine.MachineService/Version': reader,
  '/cosi.resource.State/Get': reader,
  '/cosi.resource.State/List': reader,
  '/cosi.resource.State/Watch': reader,
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
  'Logs',
  'Read',
  'ServiceList',
  'Version',
  'Watch',
])
