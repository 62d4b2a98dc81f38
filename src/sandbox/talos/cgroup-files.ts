import { createHash } from 'node:crypto'
import type { TalosNode } from './talos-node.ts'

/** How the kubelet knows a static pod of a node: by a digest. */
export function staticPodUid(hostname: string, component: string): string {
  return createHash('md5').update(`${hostname}/${component}`).digest('hex')
}

/** The control groups of a node as the kernel shows them: path and text of each file below `/sys/fs/cgroup`. */
export function cgroupFiles(node: TalosNode): (readonly [path: string, text: string])[] {
  const pods = node.staticPods.all().flatMap(({ component, containerId }) => {
    const pod = `kubepods/burstable/pod${staticPodUid(node.hostname, component)}`
    return [pod, `${pod}/${containerId.replace('containerd://', '')}`]
  })
  const groups = [
    ...['init', 'system', 'system/apid', 'system/runtime', 'podruntime', 'podruntime/kubelet'],
    ...['podruntime/runtime', 'kubepods', 'kubepods/burstable', ...pods],
  ]
  return [
    // The root has no figures of memory.
    ...filesOf('', { 'cgroup.procs': '2\n3\n', ...processor, ...io }),
    ...groups.flatMap((group) => filesOf(`${group}/`, filesOfGroup(group))),
  ]
}

function filesOf(lead: string, files: Readonly<Record<string, string>>) {
  return Object.entries(files).map(
    ([name, text]) => [`/sys/fs/cgroup/${lead}${name}`, text] as const,
  )
}

const none = 'some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n'
const processor = {
  'cpu.stat': 'usage_usec 2500000\nuser_usec 1500000\nsystem_usec 1000000\nthrottled_usec 0\n',
  'cpu.pressure': `${none}${none.replace('some', 'full')}`,
}
const io = {
  // A drive that nothing was read from has a line as well.
  'io.stat': '11:0 \n8:0 rbytes=4096000 wbytes=8192000 rios=100 wios=200 dbytes=0 dios=0\n',
  'io.pressure':
    'some avg10=0.25 avg60=0.10 avg300=0.00 total=117061\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=88926\n',
}

function filesOfGroup(group: string): Readonly<Record<string, string>> {
  return {
    ...processor,
    ...io,
    'cgroup.procs': group === 'init' ? '1\n' : group.endsWith('kubelet') ? '1001\n' : '',
    'cgroup.threads': group === 'init' ? '1\n6\n' : '',
    'cpu.weight': '100\n',
    'cpu.weight.nice': '0\n',
    'cpu.max': 'max 100000\n',
    'cpuset.cpus': '\n',
    'cpuset.cpus.effective': '0-1\n',
    'cpuset.mems': '\n',
    'cpuset.mems.effective': '0\n',
    'memory.current': '60000000\n',
    'memory.peak': '75000000\n',
    'memory.min': group === 'init' ? '96468992\n' : '0\n',
    'memory.low': '0\n',
    'memory.high': 'max\n',
    'memory.max': group === 'kubepods' ? '1807097856\n' : 'max\n',
    'memory.pressure': `${none}${none.replace('some', 'full')}`,
    'memory.swap.current': '0\n',
    'memory.swap.peak': '0\n',
    'memory.swap.high': 'max\n',
    'memory.swap.max': 'max\n',
    'pids.current': '12\n',
    'pids.peak': '20\n',
    'pids.max': 'max\n',
  }
}
