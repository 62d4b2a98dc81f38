import { Command, InvalidArgumentError, Option } from 'commander'
import { toolVersion } from '../lib/tool-version.ts'

/** What a subcommand gets from the command line, as far as several share it. */
export interface CommonOptions {
  readonly config: string
  readonly json: boolean
}

/** What each subcommand does; the program only reads the command line. */
export interface Handlers {
  init(options: {
    config: string
    name: string
    force: boolean
    workflow: boolean
  }): Promise<number>
  plan(
    options: CommonOptions & {
      detailedExitcode: boolean
      upgrade: boolean
      markdown: boolean
      out?: string
    },
  ): Promise<number>
  apply(
    options: CommonOptions & { dryRun: boolean; yes: boolean; plan?: string; stage?: string },
  ): Promise<number>
  buildImage(options: CommonOptions & { arch?: string[] }): Promise<number>
  upgrade(
    options: CommonOptions & { dryRun: boolean; yes: boolean; plan?: string },
  ): Promise<number>
  destroy(options: CommonOptions & { confirm?: string }): Promise<number>
  kubeconfig(options: CommonOptions & AccessOptions): Promise<number>
  talosconfig(options: CommonOptions & AccessOptions & { role: string }): Promise<number>
  verify(options: CommonOptions): Promise<number>
  signer(): Promise<number>
  sandbox(options: { folder?: string; latencies: string }): Promise<number>
  completion(shell: string): Promise<number>
}

export interface AccessOptions {
  readonly out: string
  readonly hours: number
}

/** The command line of the program. `finish` gets the exit code of the subcommand that ran. */
export function createProgram(handlers: Handlers, finish: (exitCode: number) => void): Command {
  const program = new Command('hcloud-talos')
    .description('One YAML file becomes a Kubernetes cluster: Talos Linux on Hetzner Cloud.')
    .version(toolVersion)
    .showHelpAfterError('(add --help for the options)')
    .addHelpText('after', environmentHelp)
  const run =
    <Options>(handle: (options: Options) => Promise<number>) =>
    async (options: Options) =>
      finish(await handle(options))
  const clusterCommand = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option('-c, --config <file>', 'the cluster file', 'cluster.yaml')
      .option('--json', 'print the result as JSON on standard output', false)

  program
    .command('init')
    .description('write a cluster file, a workflow and an age identity to begin with')
    .option('-c, --config <file>', 'where the cluster file goes', 'cluster.yaml')
    .option('--name <name>', 'name of the cluster', 'demo')
    .option('--no-workflow', 'write no workflow')
    .option('--force', 'replace files that exist', false)
    .action(run(handlers.init))

  clusterCommand('plan', 'show what an apply would do; changes nothing')
    .option('--upgrade', 'show what an upgrade would do', false)
    .option('--detailed-exitcode', 'exit with 2 when there is something to do', false)
    .option('--markdown', 'print Markdown, as a pull request would show it', false)
    .option('--out <file>', 'keep the plan, for apply --plan')
    .action(run(handlers.plan))

  clusterCommand('apply', 'bring the cluster to what the file asks for')
    .option('--dry-run', 'show the plan and stop', false)
    .option(
      '--plan <file>',
      'carry out this plan (from plan --out) or a part of it, and nothing else',
    )
    .addOption(new Option('--stage <stage>', 'only a part').choices(['infra', 'talos', 'addons']))
    .option('-y, --yes', 'do not ask', false)
    .action(run(handlers.apply))

  clusterCommand('build-image', 'make sure that the Talos snapshots exist')
    .addOption(
      new Option('--arch <arch...>', 'architectures; those of the file unless given').choices([
        'amd64',
        'arm64',
      ]),
    )
    .action(run(handlers.buildImage))

  clusterCommand('upgrade', "roll the nodes into the file's Talos version, one at a time")
    .option('--dry-run', 'show the plan and stop', false)
    .option('--plan <file>', 'carry out this plan or a part of it, and nothing else')
    .option('-y, --yes', 'do not ask', false)
    .action(run(handlers.upgrade))

  clusterCommand('destroy', 'delete exactly what belongs to the cluster')
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
      new Option('--role <role>', 'what its bearer may do')
        .choices(['os:admin', 'os:operator', 'os:reader'])
        .default('os:admin'),
    )
    .action(run(handlers.talosconfig))

  clusterCommand('verify', 'verify the state branch, generation by generation').action(
    run(handlers.verify),
  )

  program
    .command('signer')
    .description('print who signs the state with the age identity given, for state.signer')
    .action(run(handlers.signer))

  program
    .command('sandbox')
    .description(
      'start a simulated outside on loopback, print its endpoints as one JSON line, stay',
    )
    .option('--folder <folder>', 'where its git repository goes; a temporary one unless given')
    .addOption(
      new Option('--latencies <pace>', 'how long things take')
        .choices(['none', 'realistic'])
        .default('none'),
    )
    .action(run(handlers.sandbox))

  program
    .command('completion')
    .description('print a completion script for a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell: string) => finish(await handlers.completion(shell)))
  return program
}

function readHours(text: string): number {
  const hours = Number(text)
  if (Number.isFinite(hours) && hours > 0 && hours <= 8_760) return hours
  throw new InvalidArgumentError('must be a number of hours, at most 8760.')
}

const environmentHelp = `
Environment:
  HCLOUD_TOKEN                      the project's token; a plan needs a read-only one
  HCLOUD_TALOS_AGE_IDENTITY[_FILE]  the age identity that opens the state, or its file
  HCLOUD_TALOS_REMOTE               where the state branch is (default: the remote origin)
  NO_COLOR                          no colours

Exit codes: 0 done or nothing to do, 1 a bug, 2 changes are pending (plan --detailed-exitcode),
3 wrong usage, 130 interrupted; the others are in docs/troubleshooting.md.`
