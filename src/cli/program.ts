import { Command, InvalidArgumentError, Option } from 'commander'
import { type PublishedAction, parseAction } from '../lib/published-action.ts'
import { toolVersion } from '../lib/tool-version.ts'
import { visibleLine } from '../lib/visible-text.ts'
import type { ApplyStage } from '../planner/apply-stages.ts'
import type { Architecture } from '../spec/cluster-spec.ts'
import { type CommandName, renderExamples } from './command-examples.ts'
import { addTalosVerbs } from './commands/talos/talos-program.ts'
import type { CommonOptions, Handlers, Shell } from './handler-options.ts'
import { recordOption } from './recording-switch.ts'
import { addSecretCommands } from './secret-program.ts'
import { addStateCommands } from './state-commands.ts'

const stages = ['infra', 'talos', 'addons'] as const satisfies readonly ApplyStage[]
const architectures = ['amd64', 'arm64'] as const satisfies readonly Architecture[]
const roles = ['os:admin', 'os:operator', 'os:reader'] as const
const latencies = ['none', 'realistic'] as const
const shells = ['bash', 'zsh', 'fish'] as const satisfies readonly Shell[]

/** Flags that were not given; not told to commander, whose help would say that each is false by default. */
const unset = {
  json: false,
  force: false,
  upgrade: false,
  detailedExitcode: false,
  markdown: false,
  dryRun: false,
  yes: false,
  discardEtcd: false,
  diff: false,
  withSecrets: false,
  prepare: false,
  postQuantum: false,
  withOthers: false,
  acceptOlder: false,
  replaceOlder: false,
  replaceState: false,
} as const

/**
 * The command line of the program; making it does nothing. `finish` gets the exit code of the subcommand that ran,
 * `gate` each subcommand before it runs.
 */
export function createProgram(
  handlers: Handlers,
  finish: (exitCode: number) => void,
  gate: (command: Command) => Promise<void> = async () => undefined,
): Command {
  const program = new Command('hcloud-talos')
    .description('One YAML file becomes a Kubernetes cluster: Talos Linux on Hetzner Cloud.')
    .version(toolVersion)
    .showHelpAfterError('(add --help for the options)')
    .configureOutput({
      // Like every other failure, it begins with its code.
      outputError: (text, write) =>
        write(`${visibleLine(text.replace(/^error: /, 'error usage: '))}\n`),
    })
    .addHelpText('after', environmentHelp)
    .hook('preAction', (_, command) => gate(command))
  const run =
    <Options>(handle: (options: Options) => Promise<number>) =>
    async (options: Options) =>
      finish(await handle({ ...unset, ...options }))
  const command = (name: CommandName, description: string) =>
    program
      .command(name)
      .description(description)
      .addHelpText('after', () => renderExamples(name))
  const clusterCommand = (name: CommandName, description: string) =>
    command(name, description)
      .option('-c, --config <file>', 'the cluster file', 'cluster.yaml')
      .option('--json', 'print the result as JSON on standard output')
      .addOption(recordOption())

  command('init', 'write a cluster file, a workflow and an age identity to begin with')
    .option('-c, --config <file>', 'where the cluster file goes', 'cluster.yaml')
    .option('--name <name>', 'name of the cluster', 'demo')
    .option('--no-workflow', 'write no workflow')
    .option(
      '--action <owner/name@ref>',
      'the repository that the workflow takes the action from',
      parseActionOption,
    )
    .option('--force', 'replace the files that exist, but never the age identity')
    .action(run(handlers.init))

  clusterCommand('plan', 'show what an apply would do; changes nothing')
    .option('--upgrade', 'show what an upgrade would do')
    .addOption(stageOption())
    .addOption(replaceOption().conflicts('upgrade'))
    .option('--detailed-exitcode', 'exit with 2 when there is something to do')
    .addOption(
      new Option('--markdown', 'print Markdown, as a pull request would show it').conflicts('json'),
    )
    .option('-o, --out <file>', 'keep the plan, for apply --plan')
    .action(run(handlers.plan))

  clusterCommand('apply', 'bring the cluster to what the file asks for')
    .option('--dry-run', 'show the plan and stop; changes nothing')
    .option(
      '--plan <file>',
      'carry out this plan (from plan --out) or a part of it, and nothing else',
    )
    .addOption(stageOption())
    .addOption(replaceOption())
    .option(
      '--confirm <name>',
      'the name of the cluster, typed out, where a plan asks for it; asked for at a terminal',
    )
    .option('-y, --yes', 'do not ask')
    .action(run(handlers.apply))

  clusterCommand('build-image', 'make sure that the Talos snapshots exist')
    .addOption(
      new Option(
        '--arch <arch...>',
        'architectures; those of the file when it is not given',
      ).choices(architectures),
    )
    .option('-y, --yes', 'do not ask')
    .action(run(handlers.buildImage))

  clusterCommand('upgrade', "bring nodes and Kubernetes to the file's versions, one step at a time")
    .option('--dry-run', 'show the plan and stop; changes nothing')
    .option(
      '--plan <file>',
      'carry out this plan (from plan --upgrade --out) or a part of it, and nothing else',
    )
    .option('-y, --yes', 'do not ask')
    .action(run(handlers.upgrade))

  clusterCommand('destroy', 'delete exactly what belongs to the cluster')
    .option('--dry-run', 'show what would be deleted and stop')
    .option('--confirm <name>', 'the name of the cluster, typed out; asked for at a terminal')
    .action(run(handlers.destroy))

  clusterCommand('kubeconfig', 'mint a kubeconfig')
    .option('-o, --out <file>', 'where it goes; readable by you alone', 'kubeconfig')
    .option('--hours <hours>', 'how long it is good for', readHours, 12)
    .action(run(handlers.kubeconfig))

  clusterCommand('talosconfig', 'mint a talosconfig')
    .option('-o, --out <file>', 'where it goes; readable by you alone', 'talosconfig')
    .option('--hours <hours>', 'how long it is good for', readHours, 12)
    .addOption(
      new Option('--role <role>', 'what its bearer may do').choices(roles).default('os:admin'),
    )
    .action(run(handlers.talosconfig))

  clusterCommand('config', 'show the machine config of a node, or what the node runs otherwise')
    .argument('<node>', 'its name, or its private address')
    .option('--diff', 'compare with what the node runs')
    .addOption(new Option('--with-secrets', 'with every secret; needs --out').conflicts('diff'))
    .addOption(
      new Option('-o, --out <file>', 'where it goes; readable by you alone').conflicts('diff'),
    )
    .option('--detailed-exitcode', 'with --diff: exit with 2 when the node runs something else')
    .action(async (node: string, options: Partial<CommonOptions> & { readonly config: string }) =>
      finish(await handlers.config({ ...unset, ...options, node })),
    )

  addTalosVerbs(
    command('talos', 'speak with the nodes: services, logs, etcd, files, health, ...'),
    async (request) => finish(await handlers.talos(request)),
  )

  const snapshot = clusterCommand(
    'snapshot',
    'take a snapshot of etcd, encrypted for the recipients of the file',
  )
    .helpCommand(false)
    .enablePositionalOptions()
    .argument('<place>', 'a file or s3://bucket/key; one that ends in / gets a name')
    .action(async (to: string, options: Partial<CommonOptions> & { readonly config: string }) =>
      finish(await handlers.snapshot({ ...unset, ...options, to })),
    )
  snapshot
    .command('list')
    .description('list the snapshots in a folder, the newest first; changes nothing')
    .argument('<place>', 'a folder or s3://bucket/folder/')
    .option('-c, --config <file>', 'the cluster file', 'cluster.yaml')
    .option('--json', 'print the result as JSON on standard output')
    .action(async (at: string, options: Partial<CommonOptions> & { readonly config: string }) =>
      finish(await handlers.listSnapshots({ ...unset, ...options, ...typed(snapshot), at })),
    )

  clusterCommand('restore', 'bring a cluster whose etcd is lost back from a snapshot')
    .requiredOption(
      '--snapshot <place>',
      'a file or s3://bucket/key; a plain snapshot is taken too',
    )
    .option('--confirm <name>', 'the name of the cluster, typed out; asked for at a terminal')
    .option(
      '--discard-etcd',
      'go back to the snapshot although etcd is alive, or a control plane holds newer data',
    )
    .action(run(handlers.restore))

  clusterCommand('recover', 'recreate a lost state branch from the cluster that runs')
    .addOption(
      new Option('--talosconfig <file>', 'a talosconfig of the role os:admin').conflicts('secrets'),
    )
    .option('--secrets <file>', "talosctl's secrets file, or a control plane's machine config")
    .option('--replace-state', 'take the place of a state that no repair leads back to')
    .option('-y, --yes', 'do not ask')
    .action(run(handlers.recover))

  addStateCommands({ command, clusterCommand, run }, handlers)

  addSecretCommands(
    command('secret', 'keep secrets that the cluster file refers to by name'),
    handlers,
    finish,
  )

  command('sandbox', 'start a simulated outside, print its endpoints as one line of JSON, stay')
    .option('--folder <folder>', 'where its git repository goes; a temporary one when not given')
    .addOption(
      new Option('--latencies <pace>', 'how long things take').choices(latencies).default('none'),
    )
    .addOption(
      new Option(
        '--compare <recording>',
        'play what --record wrote against a new one, report where answers differ, end',
      ).conflicts(['folder', 'latencies']),
    )
    .option('--json', 'with --compare: print the result as JSON on standard output')
    .action(run(handlers.sandbox))

  command('completion', 'print a completion script for a shell')
    .addArgument(program.createArgument('<shell>', 'the shell').choices(shells))
    .action(async (shell: Shell) => finish(await handlers.completion(shell)))
  return program
}

/** The options that were typed, and not those that are so by default: of a command with others below it, before theirs. */
function typed(command: Command): Partial<CommonOptions> {
  const isTyped = ([name]: [string, unknown]) => command.getOptionValueSource(name) === 'cli'
  return Object.fromEntries(Object.entries(command.opts()).filter(isTyped))
}

function stageOption(): Option {
  return new Option('--stage <stage>', 'only a part of it').choices(stages)
}

function replaceOption(): Option {
  return new Option('--replace <node...>', 'give these nodes new servers, although nothing differs')
}

function readHours(text: string): number {
  const hours = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(hours) && hours > 0 && hours <= 8_760) return hours
  throw new InvalidArgumentError('It must be a number of hours, at most 8760.')
}

function parseActionOption(text: string): PublishedAction {
  const action = parseAction(text)
  if (action) return action
  throw new InvalidArgumentError('It must be a repository on GitHub and a ref: owner/name@v1.2.3.')
}

const environmentHelp = `
Environment:
  HCLOUD_TOKEN                    token of the project; a read-only one does for
                                  a plan
  HCLOUD_TALOS_AGE_IDENTITY       the age identity that opens the state; a plan
                                  needs none
  HCLOUD_TALOS_AGE_IDENTITY_FILE  the file that holds it
  GITHUB_TOKEN, GH_TOKEN          for doctor, and to prove that a run which
                                  holds a lock has ended
  HCLOUD_TALOS_REMOTE             where the state branch is: a remote of this
                                  repository or a URL (default: origin)
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_S3, AWS_REGION
                                  the object storage of s3:// places, such as
                                  https://fsn1.your-objectstorage.com
  HCLOUD_TALOS_SECRET_<NAME>      for an apply, a secret that the file refers to
                                  as \${secret:name}
  HCLOUD_TALOS_RECORD             as --record, for every command and action
  NO_COLOR                        no colours

Exit codes: 0 done or nothing to do, 1 a bug, 2 changes are pending (plan
--detailed-exitcode), 3 wrong usage, 130 interrupted; the others are in
docs/troubleshooting.md.`
