import { type Command, InvalidArgumentError, Option } from 'commander'
import { recordOption } from '../../recording-switch.ts'
import type { TalosOptions, TalosRequest } from './talos-request.ts'

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
      new Option('-w, --watch', 'go on with what becomes of them'),
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
      number('-d, --depth <depth>', 'how deep it is told one by one').default(0),
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

/** Adds the verbs below `talos`; each calls `run` with what was typed. */
export function addTalosVerbs(talos: Command, run: (request: TalosRequest) => Promise<void>): void {
  for (const definition of verbs) {
    const { name, description, args, options, prints = 'report' }: VerbDefinition = definition
    const words = name.split(' ')
    const parent = words.slice(0, -1).reduce(groupOf, talos)
    const command = parent
      .command(words.at(-1) ?? name)
      .description(description)
      .option('-c, --config <file>', 'the cluster file', 'cluster.yaml')
      .option('-n, --nodes <nodes>', 'names or addresses, by commas', readList, [])
      .option('-e, --endpoints <addresses>', 'go through these', readList, [])
      .option('--talosconfig <file>', 'use this, and neither state nor Hetzner')
      .option('--context <name>', 'a context of it')
    if (prints !== 'bytes') {
      const each = prints === 'stream' ? ', item by item' : ''
      command.addOption(
        new Option('-o, --output <format>', `how it is printed${each}`)
          .choices(['table', 'json', 'yaml'])
          .default('table'),
      )
    }
    command.addOption(recordOption())
    if (args) command.arguments(args)
    for (const option of options?.() ?? []) command.addOption(option)
    command.action(async () => {
      const options = command.opts<TalosOptions>()
      await run({ verb: definition.name, args: command.args, options })
    })
  }
}

/** A verb of two words stands below a command of the first. */
function groupOf(parent: Command, name: string): Command {
  const known = parent.commands.find((command) => command.name() === name)
  return known ?? parent.command(name).description(groups[name] ?? name)
}

const groups: Readonly<Record<string, string>> = {
  etcd: 'etcd, by the control planes',
  alarm: 'alarms of etcd',
  service: 'a service of Talos',
  image: 'images of the nodes',
}

function readList(text: string, former: readonly string[]): string[] {
  return [...former, ...text.split(',').filter(Boolean)]
}

function readNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new InvalidArgumentError('It must be a whole number.')
}
