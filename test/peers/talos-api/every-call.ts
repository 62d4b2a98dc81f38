import type { TalosApi } from '../../../src/talos/api/talos-api.ts'

const encoder = new TextEncoder()
const type = { namespace: 'network', type: 'HostnameStatuses.net.talos.dev' }
const resource = {
  metadata: {
    $typeName: 'cosi.resource.Metadata' as const,
    ...type,
    id: 'hostname',
    version: '1',
    owner: '',
    phase: 'running',
    finalizers: [],
    labels: {},
    annotations: {},
  },
  spec: { $typeName: 'cosi.resource.Spec' as const, protoSpec: new Uint8Array(), yamlSpec: 'a: 1' },
}

/** A call of every method, by its name on the wire: a promise of one answer, or a stream of several. */
export function everyCall(
  api: TalosApi,
): Record<string, () => Promise<unknown> | AsyncIterable<unknown>> {
  const { machine, cluster, time, storage, inspect, resources, image, lifecycle, debug } = api
  return {
    'machine.MachineService/ApplyConfiguration': () =>
      machine.applyConfiguration('machine: {}', { mode: 'try', tryMs: 90_500, dryRun: true }),
    'machine.MachineService/Bootstrap': () =>
      machine.bootstrap({ recoverEtcd: true, skipHashCheck: true }),
    'machine.MachineService/Containers': () => machine.containers('k8s.io'),
    'machine.MachineService/Copy': () => machine.copy('/var/log'),
    'machine.MachineService/CPUFreqStats': () => machine.cpuFreqStats(),
    'machine.MachineService/CPUInfo': () => machine.cpuInfo(),
    'machine.MachineService/DiskStats': () => machine.diskStats(),
    'machine.MachineService/Dmesg': () => machine.dmesg({ follow: true, tail: true }),
    'machine.MachineService/Events': () => machine.events({ tailEvents: -1, withActorId: 'a' }),
    'machine.MachineService/EtcdMemberList': () => machine.etcdMemberList({ local: true }),
    'machine.MachineService/EtcdRemoveMemberByID': () =>
      machine.etcdRemoveMemberById(18_446_744_073_709_551_615n),
    'machine.MachineService/EtcdLeaveCluster': () => machine.etcdLeaveCluster(),
    'machine.MachineService/EtcdForfeitLeadership': () => machine.etcdForfeitLeadership(),
    'machine.MachineService/EtcdRecover': () =>
      machine.etcdRecover([encoder.encode('one'), encoder.encode('two')]),
    'machine.MachineService/EtcdSnapshot': () => machine.etcdSnapshot(),
    'machine.MachineService/EtcdAlarmList': () => machine.etcdAlarmList(),
    'machine.MachineService/EtcdAlarmDisarm': () => machine.etcdAlarmDisarm(),
    'machine.MachineService/EtcdDefragment': () => machine.etcdDefragment(),
    'machine.MachineService/EtcdStatus': () => machine.etcdStatus(),
    'machine.MachineService/EtcdDowngradeValidate': () => machine.etcdDowngradeValidate('3.5'),
    'machine.MachineService/EtcdDowngradeEnable': () => machine.etcdDowngradeEnable('3.5'),
    'machine.MachineService/EtcdDowngradeCancel': () => machine.etcdDowngradeCancel(),
    'machine.MachineService/Hostname': () => machine.hostname(),
    'machine.MachineService/Kubeconfig': () => machine.kubeconfig(),
    'machine.MachineService/List': () =>
      machine.list('/var', {
        recurse: true,
        depth: 2,
        types: ['file', 'folder', 'link'],
        extendedAttributes: true,
      }),
    'machine.MachineService/DiskUsage': () =>
      machine.diskUsage(['/var', '/opt'], { depth: 1, all: true, threshold: -5n }),
    'machine.MachineService/LoadAvg': () => machine.loadAvg(),
    'machine.MachineService/Logs': () => machine.logs('kubelet', { follow: true, tailLines: 5 }),
    'machine.MachineService/LogsContainers': () => machine.logsContainers(),
    'machine.MachineService/Memory': () => machine.memory(),
    'machine.MachineService/Mounts': () => machine.mounts(),
    'machine.MachineService/NetworkDeviceStats': () => machine.networkDeviceStats(),
    'machine.MachineService/Processes': () => machine.processes(),
    'machine.MachineService/Read': () => machine.read('/etc/os-release'),
    'machine.MachineService/Reboot': () => machine.reboot('powercycle'),
    'machine.MachineService/Restart': () => machine.restart('etcd', 'system'),
    'machine.MachineService/Rollback': () => machine.rollback(),
    'machine.MachineService/Reset': () =>
      machine.reset({
        graceful: true,
        reboot: true,
        partitions: ['STATE', 'EPHEMERAL'],
        userDisks: ['/dev/sdb'],
        mode: 'system-disk',
      }),
    'machine.MachineService/ServiceList': () => machine.serviceList(),
    'machine.MachineService/ServiceRestart': () => machine.serviceRestart('kubelet'),
    'machine.MachineService/ServiceStart': () => machine.serviceStart('kubelet'),
    'machine.MachineService/ServiceStop': () => machine.serviceStop('kubelet'),
    'machine.MachineService/Shutdown': () => machine.shutdown({ force: true }),
    'machine.MachineService/Stats': () => machine.stats('system'),
    'machine.MachineService/SystemStat': () => machine.systemStat(),
    'machine.MachineService/Upgrade': () =>
      machine.upgrade('installer:v1', { stage: true, force: true, rebootMode: 'powercycle' }),
    'machine.MachineService/Version': () => machine.version(),
    'machine.MachineService/GenerateClientConfiguration': () =>
      machine.generateClientConfiguration({ roles: ['os:reader'], lifeMs: 3_600_000 }),
    'machine.MachineService/PacketCapture': () =>
      machine.packetCapture({
        link: 'eth0',
        promiscuous: true,
        snapLength: 128,
        filter: [{ op: 0x28, jt: 0, jf: 1, k: 0xc }],
      }),
    'machine.MachineService/Netstat': () =>
      machine.netstat({ which: 'listening', protocols: ['tcp', 'udp6'], processes: true }),
    'machine.MachineService/MetaWrite': () => machine.metaWrite(0x0a, Uint8Array.of(1, 2)),
    'machine.MachineService/MetaDelete': () => machine.metaDelete(0x0a),
    'machine.MachineService/ImageList': () => machine.imageList('services'),
    'machine.MachineService/ImagePull': () => machine.imagePull('pause:3', 'pods'),
    'machine.ImageService/List': () => image.list('services'),
    'machine.ImageService/Pull': () => image.pull('pause:3', 'pods'),
    'machine.ImageService/Import': () =>
      image.import([Uint8Array.of(1), Uint8Array.of(2)], 'system'),
    'machine.ImageService/Remove': () => image.remove('pause:3', 'pods'),
    'machine.ImageService/Verify': () =>
      image.verify('pause:3', { host: 'registry.example', username: 'u', password: 'p' }),
    'machine.LifecycleService/Install': () => lifecycle.install('installer:v1', '/dev/sda'),
    'machine.LifecycleService/Upgrade': () => lifecycle.upgrade('installer:v1'),
    'machine.DebugService/ContainerRun': () =>
      debug.containerRun({ image: 'busybox', args: ['sh'], env: { A: '1' }, tty: true }, [
        { stdin: Uint8Array.of(10) },
        { width: 80, height: 24 },
        { signal: 15 },
      ]),
    'cluster.ClusterService/HealthCheck': () =>
      cluster.healthCheck({
        controlPlanes: ['10.0.0.1'],
        workers: ['10.0.0.2'],
        waitMs: 60_000,
        endpoint: 'https://10.0.0.3:6443',
      }),
    'inspect.InspectService/ControllerRuntimeDependencies': () =>
      inspect.controllerRuntimeDependencies(),
    'storage.StorageService/Disks': () => storage.disks(),
    'storage.StorageService/BlockDeviceWipe': () =>
      storage.blockDeviceWipe([{ device: 'sdb', method: 'zeroes', skipVolumeCheck: true }]),
    'time.TimeService/Time': () => time.time(),
    'time.TimeService/TimeCheck': () => time.timeCheck('ntp1.hetzner.de'),
    'cosi.resource.State/Get': () => resources.get(type, 'hostname'),
    'cosi.resource.State/List': () =>
      resources.list(type, { id: '^host', labels: { role: 'worker' } }),
    'cosi.resource.State/Create': () => resources.create(resource, { owner: 'us' }),
    'cosi.resource.State/Update': () => resources.update(resource, { owner: 'us' }),
    'cosi.resource.State/Destroy': () => resources.destroy(type, 'hostname', { owner: 'us' }),
    'cosi.resource.State/Watch': () =>
      resources.watch(type, { id: 'hostname', fromPresent: true, tailEvents: 3 }),
  }
}
