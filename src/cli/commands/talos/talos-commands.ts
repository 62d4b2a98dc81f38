import type { CliCommand, CommandGroup } from '../../command.ts'
import { cgroups } from './cgroups.ts'
import { containers } from './containers.ts'
import { copy } from './copy.ts'
import { defragmentEtcd } from './defragment-etcd.ts'
import { disarmEtcdAlarms } from './disarm-etcd-alarms.ts'
import { dmesg } from './dmesg.ts'
import { etcdMembers } from './etcd-members.ts'
import { etcdStatus } from './etcd-status.ts'
import { events } from './events.ts'
import { get } from './get.ts'
import { health } from './health.ts'
import { list } from './list.ts'
import { listEtcdAlarms } from './list-etcd-alarms.ts'
import { listImages } from './list-images.ts'
import { logs } from './logs.ts'
import { memory } from './memory.ts'
import { mounts } from './mounts.ts'
import { netstat } from './netstat.ts'
import { patch } from './patch.ts'
import { pcap } from './pcap.ts'
import { processes } from './processes.ts'
import { pullImage } from './pull-image.ts'
import { read } from './read.ts'
import { reboot } from './reboot.ts'
import { reset } from './reset.ts'
import { restartService } from './restart-service.ts'
import { rollback } from './rollback.ts'
import { services } from './services.ts'
import { shutdown } from './shutdown.ts'
import { snapshotEtcd } from './snapshot-etcd.ts'
import { stats } from './stats.ts'
import { support } from './support.ts'
import { talosGroup } from './talos-group.ts'
import { usage } from './usage.ts'
import { version } from './version.ts'

/** The verbs in the order of the help. */
export const talosVerbs = [
  version,
  services,
  restartService,
  containers,
  stats,
  cgroups,
  processes,
  memory,
  mounts,
  listImages,
  pullImage,
  logs,
  dmesg,
  events,
  get,
  health,
  etcdMembers,
  etcdStatus,
  snapshotEtcd,
  defragmentEtcd,
  listEtcdAlarms,
  disarmEtcdAlarms,
  reset,
  reboot,
  patch,
  rollback,
  shutdown,
  read,
  copy,
  list,
  usage,
  netstat,
  pcap,
  support,
] as const

/** As they are typed behind `talos`. */
export type TalosVerbName = (typeof talosVerbs)[number]['verb']

const groups: readonly CommandGroup[] = [
  talosGroup,
  { name: 'talos etcd', description: 'etcd, by the control planes', examples: [] },
  { name: 'talos etcd alarm', description: 'alarms of etcd', examples: [] },
  { name: 'talos service', description: 'a service of Talos', examples: [] },
  { name: 'talos image', description: 'images of the nodes', examples: [] },
]

/** `talos` and all that stands below it: a word comes before what stands below it. */
export const talosCommands: readonly (CliCommand | CommandGroup)[] = withGroups(talosVerbs)

function withGroups(commands: readonly CliCommand[]): (CliCommand | CommandGroup)[] {
  const known = new Set<string>()
  return commands.flatMap((command) => {
    const words = command.name.split(' ')
    const above = words.slice(1).map((_, length) => words.slice(0, length + 1).join(' '))
    const missing = above.filter((name) => !known.has(name))
    for (const name of missing) known.add(name)
    return [...missing.map(groupOf), command]
  })
}

function groupOf(name: string): CommandGroup {
  const group = groups.find((one) => one.name === name)
  if (!group) throw new Error(`no group of commands is called ${name}`)
  return group
}
