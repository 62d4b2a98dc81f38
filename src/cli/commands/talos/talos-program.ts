import { Argument, InvalidArgumentError, Option } from 'commander'
import { clusterFileSetting } from '../../cluster-settings.ts'
import type { CliCommand, CommandGroup, Example } from '../../command.ts'
import { recordSetting } from '../../recording-switch.ts'
import type { Setting, Settings } from '../../setting.ts'
import type { TalosOptions } from './talos-request.ts'

/** The verbs, as they are typed. */
export type TalosVerbName = (typeof verbs)[number]['name']

interface VerbDefinition {
  readonly name: string
  readonly description: string
  /** As commander takes them: `<id>`, `[paths...]`. */
  readonly args?: string
  readonly options?: () => readonly Option[]
  /** `report` where absent: once, when all nodes have answered. `stream` is item by item; `bytes` have no format. */
  readonly prints?: 'report' | 'stream' | 'bytes'
}

const follow = () => new Option('-f, --follow', 'go on as more is written')
const kubernetes = () => new Option('-k, --kubernetes', 'those of Kubernetes')
const store = () =>
  new Option('--store <store>', 'of pods, or of what Talos runs itself')
    .choices(['pods', 'services'])
    .default('pods')
const yes = () => new Option('-y, --yes', 'do not ask')
const noGate = () =>
  new Option('--no-gate', 'as it is: no drain, and no look at etcd before or after')
const noWait = () => new Option('--no-wait', 'do not wait until it is back; only with --no-gate')
const number = (flags: string, description: string) =>
  new Option(flags, description).argParser(readNumber)

const verbs = [
  { name: 'version', description: 'which Talos the nodes run' },
  { name: 'services', description: 'services of Talos and how they are', args: '[id]' },
  {
    name: 'service restart',
    description: 'restart a service of Talos on named nodes, one after the other',
    args: '<id>',
    options: () => [yes()],
  },
  {
    name: 'containers',
    description: "containers of Talos's services, or of Kubernetes",
    options: () => [kubernetes()],
  },
  {
    name: 'stats',
    description: 'memory and processor time of containers',
    options: () => [kubernetes()],
  },
  {
    name: 'cgroups',
    description: 'control groups of the nodes, and what they take',
    options: () => [
      new Option('--preset <preset>', 'what of them')
        .choices(['cpu', 'cpuset', 'io', 'memory', 'process', 'psi', 'swap'])
        .default('memory'),
    ],
  },
  { name: 'processes', description: 'processes of the nodes, the largest first' },
  { name: 'memory', description: 'memory of the nodes' },
  { name: 'mounts', description: 'what is mounted on the nodes, and how full it is' },
  { name: 'image list', description: 'images that the nodes hold', options: () => [store()] },
  {
    name: 'image pull',
    description: 'have the nodes pull an image',
    args: '<image>',
    options: () => [store()],
  },
  {
    name: 'logs',
    description: 'the log of a service, or of a container',
    args: '<id>',
    prints: 'stream',
    options: () => [
      follow(),
      number('--tail <lines>', 'only so many of the last lines'),
      new Option('-k, --kubernetes', 'of a container of Kubernetes, by its id'),
    ],
  },
  {
    name: 'dmesg',
    description: "the kernel's log",
    prints: 'stream',
    options: () => [follow(), new Option('--only-new', 'with --follow: leave out what was before')],
  },
  {
    name: 'events',
    description: 'what happens on the nodes, as it happens',
    prints: 'stream',
    options: () => [
      number('--tail <events>', 'begin with so many of the past; -1 for all'),
      number('--duration <seconds>', 'end after that; Ctrl-C ends it otherwise'),
      new Option('--actor-id <id>', 'only what the call with this id caused'),
    ],
  },
  {
    name: 'get',
    description: 'resources of the nodes: `get rd` lists the kinds',
    args: '<kind> [id]',
    options: () => [
      new Option('--namespace <namespace>', "another namespace than the kind's own"),
      new Option('-w, --watch', 'continue with what becomes of them'),
    ],
  },
  {
    name: 'health',
    description: 'check the health of the cluster, one statement after the other',
    options: () => [
      number('--wait-timeout <seconds>', 'how long it may take to be so').default(300),
    ],
  },
  { name: 'etcd members', description: 'who is a member of etcd' },
  { name: 'etcd status', description: 'how the members of etcd are' },
  {
    name: 'etcd snapshot',
    description: 'write a snapshot of etcd into a file',
    args: '<file>',
    prints: 'bytes',
  },
  {
    name: 'etcd defrag',
    description: "rewrite the members' databases, one after the other",
    options: () => [yes()],
  },
  { name: 'etcd alarm list', description: 'alarms that etcd raises' },
  { name: 'etcd alarm disarm', description: 'lower the alarms', options: () => [yes()] },
  {
    name: 'reset',
    description: 'wipe nodes back into maintenance',
    options: () => [
      new Option('--no-graceful', 'do not leave etcd and be drained before'),
      new Option('--no-reboot', 'switch it off afterwards'),
      new Option('--wipe <partitions...>', 'what is wiped')
        .choices(['STATE', 'EPHEMERAL', 'META'])
        .default(['STATE', 'EPHEMERAL']),
      yes(),
    ],
  },
  {
    name: 'reboot',
    description: 'drain and reboot nodes, each when etcd and Kubernetes can do without it',
    options: () => [
      new Option('--mode <mode>', 'how')
        .choices(['default', 'powercycle', 'force'])
        .default('default'),
      noGate(),
      noWait(),
      yes(),
    ],
  },
  {
    name: 'patch',
    description: 'patch the machine config of nodes past the cluster file, until the next apply',
    args: '<file>',
    options: () => [
      new Option('--staged', 'have it wait for the next boot'),
      new Option('--dry-run', 'judge it, and show which fields would change'),
      yes(),
    ],
  },
  {
    name: 'rollback',
    description:
      'drain nodes and boot the Talos of before their last upgrade, through the same gate',
    options: () => [noGate(), noWait(), yes()],
  },
  {
    name: 'shutdown',
    description: 'drain nodes and turn them off, through the same gate',
    options: () => [noGate(), yes()],
  },
  {
    name: 'read',
    description: 'a file of a node, on standard output',
    args: '<path>',
    prints: 'bytes',
  },
  {
    name: 'copy',
    description: 'a file or folder of a node, into a new folder or as an archive',
    args: '<path> [folder]',
    prints: 'bytes',
    options: () => [new Option('--out <file>', 'write the tar.gz as it comes')],
  },
  {
    name: 'list',
    description: "what is in a node's folder",
    args: '[path]',
    options: () => [
      new Option('-r, --recurse', 'and in the folders in it'),
      number('-d, --depth <depth>', 'no deeper than that; 0 has no limit').default(0),
      new Option('-t, --type <types...>', 'only these').choices(['file', 'folder', 'link']),
    ],
  },
  {
    name: 'usage',
    description: 'what files and folders take',
    args: '[paths...]',
    options: () => [
      new Option('-a, --all', 'files too, not folders alone'),
      number('-d, --depth <depth>', 'how many levels to list').default(0),
      number('--threshold <bytes>', 'leave out what is smaller; larger, when negative').default(0),
    ],
  },
  {
    name: 'netstat',
    description: 'sockets of the nodes',
    options: () => [
      new Option('-l, --listening', 'only those that wait for connections').conflicts('connected'),
      new Option('--connected', 'only those that have one'),
      new Option('-p, --processes', 'with the process'),
      new Option('--pods', "in the pods' own networks too"),
    ],
  },
  {
    name: 'pcap',
    description: 'packets of a node, into a file',
    prints: 'bytes',
    options: () => [
      new Option('-i, --interface <link>', 'which link').default('eth0'),
      new Option('--out <file>', 'where they go').default('talos.pcap'),
      number('--duration <seconds>', 'end after that; Ctrl-C ends it otherwise'),
      new Option('--promiscuous', 'those for others too'),
      number('--snap-length <bytes>', 'how much of each is kept').default(4_096),
      new Option('--bpf-filter <program>', 'only these: what `tcpdump -dd` prints'),
    ],
  },
  {
    name: 'support',
    description: 'what somebody needs to know who is to help, into a file',
    prints: 'bytes',
    options: () => [new Option('--out <file>', 'where it goes').default('support.tar.gz')],
  },
] as const satisfies readonly VerbDefinition[]

const groups: Readonly<Record<string, string>> = {
  talos: 'talk to the nodes: services, logs, etcd, files, health, ...',
  'talos etcd': 'etcd, by the control planes',
  'talos etcd alarm': 'alarms of etcd',
  'talos service': 'a service of Talos',
  'talos image': 'images of the nodes',
}

const examples: readonly Example[] = [
  { purpose: 'services of every node', line: 'services' },
  { purpose: 'the log of one, as it is written', line: 'logs kubelet -f -n demo-workers-1' },
  { purpose: 'check the health of the cluster', line: 'health' },
  { purpose: 'with credentials of your own', line: 'get members --talosconfig talosconfig' },
]

/** `talos` and all that stands below it, in the order of its help: a word comes before what stands below it. */
export const talosCommands: readonly (CliCommand | CommandGroup)[] = withGroups(
  verbs.map((definition) => commandOf(definition.name, definition)),
)

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
  return { name, description: groups[name] ?? name, examples: name === 'talos' ? examples : [] }
}

function commandOf(verb: TalosVerbName, definition: VerbDefinition): CliCommand {
  return {
    name: `talos ${verb}`,
    description: definition.description,
    examples: [],
    takes: takesOf(definition),
    async run(parts, typed) {
      const { talosCommand } = await import('./talos-command.ts')
      return talosCommand(parts, { verb, args: typed.args, options: typed.opts<TalosOptions>() })
    },
  }
}

function takesOf({ args = '', options, prints = 'report' }: VerbDefinition): Settings {
  const each = prints === 'stream' ? ', item by item' : ''
  const output = new Option('-o, --output <format>', `how it is printed${each}`)
    .choices(['table', 'json', 'yaml'])
    .default('table')
  const given = [
    new Option('-n, --nodes <nodes>', 'names or addresses, by commas')
      .argParser(readList)
      .default([]),
    new Option('-e, --endpoints <addresses>', 'go through these').argParser(readList).default([]),
    new Option('--talosconfig <file>', 'use this, and neither state nor Hetzner'),
    new Option('--context <name>', 'a context of it'),
    ...(prints === 'bytes' ? [] : [output]),
  ]
  const taken = args.split(' ').filter(Boolean)
  return {
    config: clusterFileSetting(),
    ...Object.fromEntries(given.map(named)),
    record: recordSetting(),
    ...Object.fromEntries((options?.() ?? []).map(named)),
    ...Object.fromEntries(taken.map((arg) => [arg, settingOf(new Argument(arg))])),
  }
}

function named(option: Option): readonly [string, Setting<undefined>] {
  return [option.attributeName(), settingOf(option)]
}

function settingOf(part: Option | Argument): Setting<undefined> {
  return { part, absent: undefined }
}

function readList(text: string, former: readonly string[]): string[] {
  return [...former, ...text.split(',').filter(Boolean)]
}

function readNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new InvalidArgumentError('It must be a whole number.')
}
