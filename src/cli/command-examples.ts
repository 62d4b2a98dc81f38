/** The names of the subcommands. */
export type CommandName =
  | 'init'
  | 'plan'
  | 'apply'
  | 'build-image'
  | 'upgrade'
  | 'destroy'
  | 'kubeconfig'
  | 'talosconfig'
  | 'config'
  | 'talos'
  | 'snapshot'
  | 'restore'
  | 'recover'
  | 'verify'
  | 'signer'
  | 'doctor'
  | 'unlock'
  | 'rotate'
  | 'revoke'
  | 'export'
  | 'import'
  | 'repair'
  | 'compact'
  | 'secret'
  | 'sandbox'
  | 'completion'

interface Example {
  /** What one would want it for. */
  readonly purpose: string
  /** What comes after the name of the subcommand. */
  readonly line: string
}

/** What to type for what people mostly want of each subcommand. */
export const commandExamples: Readonly<Record<CommandName, readonly Example[]>> = {
  init: [
    { purpose: 'begin with a cluster named shop', line: '--name shop' },
    { purpose: 'one file of several, without a workflow', line: '-c eu/shop.yaml --no-workflow' },
  ],
  plan: [
    { purpose: 'look', line: '' },
    { purpose: 'keep the plan and carry out just that', line: '--out plan.json' },
    { purpose: 'in a script: 2 means that there is something to do', line: '--detailed-exitcode' },
  ],
  apply: [
    { purpose: 'show the plan, ask, carry it out', line: '' },
    { purpose: 'only what was approved', line: '--plan plan.json --yes' },
    { purpose: 'a node that never answers again', line: '--replace demo-control-plane-2' },
    { purpose: 'show the plan and stop', line: '--config eu/shop.yaml --dry-run' },
  ],
  'build-image': [
    { purpose: 'the images that the file needs', line: '' },
    { purpose: 'both architectures', line: '--arch amd64 arm64' },
  ],
  upgrade: [
    { purpose: 'which nodes would be upgraded', line: '--dry-run' },
    { purpose: 'upgrade them without a question', line: '--yes' },
  ],
  destroy: [
    { purpose: 'see what would go', line: '--dry-run' },
    { purpose: 'in a script, the name stands for a yes', line: '--confirm demo' },
  ],
  kubeconfig: [
    { purpose: 'for this day', line: '--out ~/.kube/demo' },
    { purpose: 'for one hour', line: '--hours 1' },
  ],
  talosconfig: [{ purpose: 'for somebody who may only look', line: '--role os:reader --hours 4' }],
  config: [
    { purpose: 'what an apply would hand a node, secrets hidden', line: 'demo-workers-1' },
    { purpose: 'what the node runs otherwise', line: 'demo-workers-1 --diff' },
    {
      purpose: 'whole, into a file of yours',
      line: 'demo-workers-1 --with-secrets --out node.yaml',
    },
  ],
  talos: [
    { purpose: 'services of every node', line: 'services' },
    { purpose: 'the log of one, as it is written', line: 'logs kubelet -f -n demo-workers-1' },
    { purpose: 'check the health of the cluster', line: 'health' },
    { purpose: 'with credentials of your own', line: 'get members --talosconfig talosconfig' },
  ],
  snapshot: [
    { purpose: 'into a folder, with a name that tells the time', line: 'backups/' },
    { purpose: 'into an object storage', line: 's3://my-bucket/demo/' },
    { purpose: 'which ones there are', line: 'list s3://my-bucket/demo/' },
  ],
  restore: [
    { purpose: 'asks for the name of the cluster', line: '--snapshot s3://my-bucket/demo.age' },
    { purpose: 'in a script', line: '--snapshot backups/demo.etcd.age --confirm demo' },
  ],
  recover: [
    { purpose: 'with a talosconfig that you still have', line: '--talosconfig talosconfig' },
    { purpose: "with a control plane's machine config", line: '--secrets controlplane.yaml' },
  ],
  verify: [
    { purpose: 'every commit of the branch', line: '' },
    { purpose: 'for a program', line: '--json' },
  ],
  signer: [{ purpose: 'for state.signer of the cluster file', line: '' }],
  doctor: [
    { purpose: 'with GITHUB_TOKEN set, it asks GitHub too', line: '' },
    { purpose: 'for a schedule that is to fail on warnings too', line: '--fail-on weak' },
    { purpose: 'from where the nodes cannot be reached', line: '--allow-unknown' },
    { purpose: 'for a program', line: '--json' },
  ],
  unlock: [{ purpose: 'whose lock is it, and may it be broken', line: '' }],
  rotate: [
    { purpose: 'first: make the identity, see what to write', line: '--prepare' },
    { purpose: 'then, with that merged: carry it out', line: '' },
  ],
  revoke: [{ purpose: 'the former identity is known to somebody', line: '' }],
  export: [{ purpose: 'onto another disk', line: '--out /mnt/safe/demo.tar.age' }],
  import: [
    { purpose: 'the branch is lost', line: '--from demo-recovery.tar.age' },
    {
      purpose: 'and the newest file is an old one',
      line: '--from demo-recovery.tar.age --accept-older',
    },
  ],
  repair: [
    { purpose: 'show what is wrong and what would be signed, then ask', line: '' },
    {
      purpose: 'in a script, for exactly what was shown',
      line: '--confirm <digest> --reason merged-by-mistake',
    },
    { purpose: 'newer generations are lost for good', line: '--accept-older' },
  ],
  compact: [{ purpose: 'make the history one commit', line: '' }],
  secret: [
    { purpose: 'keep one', line: 'set registry-password --from-file password.txt' },
    { purpose: 'which ones there are, and what refers to them', line: 'list' },
    { purpose: 'one that nothing refers to any more', line: 'rm registry-password --yes' },
  ],
  sandbox: [
    { purpose: 'stays until Ctrl-C', line: '' },
    { purpose: 'keep its git repository', line: '--folder /tmp/sandbox' },
    { purpose: 'where it differs from what was recorded', line: '--compare recording.jsonl' },
  ],
  completion: [
    { purpose: 'in ~/.bashrc: source <(hcloud-talos completion bash)', line: 'bash' },
    { purpose: 'in ~/.zshrc: source <(hcloud-talos completion zsh)', line: 'zsh' },
    { purpose: 'fish', line: 'fish > ~/.config/fish/completions/hcloud-talos.fish' },
  ],
}

/** The examples as they stand below the help of a subcommand. */
export function renderExamples(name: CommandName): string {
  const lines = commandExamples[name].flatMap(({ purpose, line }) => [
    `  # ${purpose}`,
    `  ${['hcloud-talos', name, line].join(' ').trim()}`,
  ])
  return `\nExamples:\n${lines.join('\n')}`
}
