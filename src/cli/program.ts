import { Command, InvalidArgumentError, Option } from 'commander'
import type { ApplyStage } from '../commands/plan-apply.ts'
import { toolVersion } from '../lib/tool-version.ts'
import type { Architecture } from '../spec/cluster-spec.ts'
import { type CommandName, renderExamples } from './command-examples.ts'
import { addTalosVerbs } from './talos/talos-program.ts'
import type { TalosRequest } from './talos/talos-request.ts'

/** What a subcommand gets from the command line, as far as several share it. */
export interface CommonOptions {
  readonly config: string
  readonly json: boolean
}

export interface InitOptions {
  readonly config: string
  readonly name: string
  readonly force: boolean
  readonly workflow: boolean
}

export interface PlanOptions extends CommonOptions {
  readonly upgrade: boolean
  readonly stage?: ApplyStage
  readonly replace?: readonly string[]
  readonly detailedExitcode: boolean
  readonly markdown: boolean
  readonly out?: string
}

/** Of apply and upgrade. */
export interface CarryOutOptions extends CommonOptions {
  readonly dryRun: boolean
  readonly yes: boolean
  readonly plan?: string
}

export interface ApplyOptions extends CarryOutOptions {
  readonly stage?: ApplyStage
  readonly replace?: readonly string[]
}

export interface BuildImageOptions extends CommonOptions {
  readonly arch?: Architecture[]
}

export interface DestroyOptions extends CommonOptions {
  readonly dryRun: boolean
  readonly confirm?: string
}

export interface AccessOptions extends CommonOptions {
  readonly out: string
  readonly hours: number
}

export interface TalosconfigOptions extends AccessOptions {
  readonly role: (typeof roles)[number]
}

export interface SnapshotOptions extends CommonOptions {
  readonly to: string
}

export interface RestoreOptions extends CommonOptions {
  readonly snapshot: string
  readonly confirm?: string
  readonly discardEtcd: boolean
}

export interface RecoverOptions extends CommonOptions {
  readonly talosconfig?: string
  readonly secrets?: string
}

export interface RotateOptions extends CommonOptions {
  readonly prepare: boolean
  readonly postQuantum: boolean
  readonly newIdentity: string
}

export interface RevokeOptions extends CommonOptions {
  readonly yes: boolean
  readonly newIdentity: string
}

export interface CompactOptions extends CommonOptions {
  readonly withOthers: boolean
}

export interface ExportOptions extends CommonOptions {
  readonly out?: string
}

export interface ImportOptions extends CommonOptions {
  readonly from: string
  readonly acceptOlder: boolean
}

export interface SandboxOptions {
  readonly folder?: string
  readonly latencies: 'none' | 'realistic'
  readonly nodes: 'simulated' | 'real'
}

export type Shell = 'bash' | 'zsh' | 'fish'

/** What each subcommand does; the program only reads the command line. Each returns its exit code. */
export interface Handlers {
  init(options: InitOptions): Promise<number>
  plan(options: PlanOptions): Promise<number>
  apply(options: ApplyOptions): Promise<number>
  buildImage(options: BuildImageOptions): Promise<number>
  upgrade(options: CarryOutOptions): Promise<number>
  destroy(options: DestroyOptions): Promise<number>
  kubeconfig(options: AccessOptions): Promise<number>
  talosconfig(options: TalosconfigOptions): Promise<number>
  talos(request: TalosRequest): Promise<number>
  snapshot(options: SnapshotOptions): Promise<number>
  restore(options: RestoreOptions): Promise<number>
  recover(options: RecoverOptions): Promise<number>
  verify(options: CommonOptions): Promise<number>
  signer(): Promise<number>
  doctor(options: CommonOptions): Promise<number>
  unlock(options: CommonOptions): Promise<number>
  rotate(options: RotateOptions): Promise<number>
  revoke(options: RevokeOptions): Promise<number>
  export(options: ExportOptions): Promise<number>
  import(options: ImportOptions): Promise<number>
  compact(options: CompactOptions): Promise<number>
  sandbox(options: SandboxOptions): Promise<number>
  completion(shell: Shell): Promise<number>
}

const stages = ['infra', 'talos', 'addons'] as const satisfies readonly ApplyStage[]
const architectures = ['amd64', 'arm64'] as const satisfies readonly Architecture[]
const roles = ['os:admin', 'os:operator', 'os:reader'] as const
const latencies = ['none', 'realistic'] as const
const nodeKinds = ['simulated', 'real'] as const
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
  prepare: false,
  postQuantum: false,
  withOthers: false,
  acceptOlder: false,
} as const

/** The command line of the program; making it does nothing. `finish` gets the exit code of the subcommand that ran. */
export function createProgram(handlers: Handlers, finish: (exitCode: number) => void): Command {
  const program = new Command('hcloud-talos')
    .description('One YAML file becomes a Kubernetes cluster: Talos Linux on Hetzner Cloud.')
    .version(toolVersion)
    .showHelpAfterError('(add --help for the options)')
    .configureOutput({
      // Like every other failure, it begins with its code.
      outputError: (text, write) => write(text.replace(/^error: /, 'error usage: ')),
    })
    .addHelpText('after', environmentHelp)
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

  command('init', 'write a cluster file, a workflow and an age identity to begin with')
    .option('-c, --config <file>', 'where the cluster file goes', 'cluster.yaml')
    .option('--name <name>', 'name of the cluster', 'demo')
    .option('--no-workflow', 'write no workflow')
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
    .option('-y, --yes', 'do not ask')
    .action(run(handlers.apply))

  clusterCommand('build-image', 'make sure that the Talos snapshots exist')
    .addOption(
      new Option(
        '--arch <arch...>',
        'architectures; those of the file when it is not given',
      ).choices(architectures),
    )
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

  addTalosVerbs(
    command('talos', 'speak with the nodes: services, logs, etcd, files, health, ...'),
    async (request) => finish(await handlers.talos(request)),
  )

  clusterCommand('snapshot', 'take a snapshot of etcd, encrypted for the recipients of the file')
    .argument('<place>', 'a file or s3://bucket/key; one that ends in / gets a name')
    .action(async (to: string, options: Partial<CommonOptions> & { readonly config: string }) =>
      finish(await handlers.snapshot({ ...unset, ...options, to })),
    )

  clusterCommand('restore', 'bring a cluster whose etcd is lost back from a snapshot')
    .requiredOption('--snapshot <place>', 'a file or s3://bucket/key')
    .option('--confirm <name>', 'the name of the cluster, typed out; asked for at a terminal')
    .option('--discard-etcd', 'go back to the snapshot although etcd is alive')
    .action(run(handlers.restore))

  clusterCommand('recover', 'make a lost state branch anew out of the cluster that runs')
    .addOption(
      new Option('--talosconfig <file>', 'a talosconfig of the role os:admin').conflicts('secrets'),
    )
    .option('--secrets <file>', "talosctl's secrets file, or a control plane's machine config")
    .action(run(handlers.recover))

  clusterCommand('verify', 'verify the state branch, generation by generation').action(
    run(handlers.verify),
  )

  command('signer', 'print who signs the state with the age identity given').action(
    run(handlers.signer),
  )

  clusterCommand(
    'doctor',
    'look for what is wrong around the cluster, and say what mends it',
  ).action(run(handlers.doctor))

  clusterCommand('unlock', 'show who holds the lock; break it if its run has ended').action(
    run(handlers.unlock),
  )

  clusterCommand('rotate', 'hand the state over to a new age identity')
    .option('--prepare', 'make it, and show what to write into the cluster file')
    .option('--new-identity <file>', 'where it is', 'age-identity.new.txt')
    .option('--post-quantum', 'make one that is safe from quantum computers')
    .action(run(handlers.rotate))

  clusterCommand('revoke', 'replace what somebody with a former identity knows')
    .option('--new-identity <file>', 'where the new identity is', 'age-identity.new.txt')
    .option('-y, --yes', 'do not ask')
    .action(run(handlers.revoke))

  clusterCommand('export', 'write the state into one encrypted file, to be kept elsewhere')
    .option('-o, --out <file>', 'where it goes (default: <cluster>-recovery.tar.age)')
    .action(run(handlers.export))

  clusterCommand('import', 'restore the state from such a file')
    .requiredOption('--from <file>', 'what export wrote')
    .option('--accept-older', 'take one that is older than Hetzner remembers')
    .action(run(handlers.import))

  clusterCommand('compact', 'squash the history of the state branch')
    .option('--with-others', 'even if other clusters have their history there')
    .action(run(handlers.compact))

  command('sandbox', 'start a simulated outside, print its endpoints as one line of JSON, stay')
    .option('--folder <folder>', 'where its git repository goes; a temporary one when not given')
    .addOption(
      new Option('--latencies <pace>', 'how long things take').choices(latencies).default('none'),
    )
    .addOption(
      new Option('--nodes <kind>', 'what servers run: a simulation, or Talos itself in containers')
        .choices(nodeKinds)
        .default('simulated'),
    )
    .action(run(handlers.sandbox))

  command('completion', 'print a completion script for a shell')
    .addArgument(program.createArgument('<shell>', 'the shell').choices(shells))
    .action(async (shell: Shell) => finish(await handlers.completion(shell)))
  return program
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
  NO_COLOR                        no colours

Exit codes: 0 done or nothing to do, 1 a bug, 2 changes are pending (plan
--detailed-exitcode), 3 wrong usage, 130 interrupted; the others are in
docs/troubleshooting.md.`
