/** What `npm test` runs, in the order in which a check runs it: what says most in the least time comes first. */
export interface TestGroup {
  readonly name: 'pure' | 'domains' | 'commands'
  readonly title: string
  /** What it takes on two idle cores, in minutes. */
  readonly minutes: number
  /** Folders and files of test/. */
  readonly of: readonly string[]
}

export const testGroups: readonly TestGroup[] = [
  {
    name: 'pure',
    title: 'tests of pure code: laws, tables, layers, words',
    minutes: 0.3,
    of: [
      ...['kubeadm/', 'lib/', 'plan/', 'planner/', 'scripts/', 'spec/'],
      ...['architecture.test.ts', 'no-chance.test.ts', 'printed-texts.test.ts', 'words.test.ts'],
    ],
  },
  {
    name: 'domains',
    title: 'tests of domains and of the sandbox, by their protocols',
    minutes: 5,
    of: [
      ...['addons/', 'backup/', 'bench/', 'docs/', 'engine/', 'github/', 'hetzner/', 'kubernetes/'],
      ...['rig/', 'run/', 'sandbox/', 'ssh/', 'store/', 'talos/'],
    ],
  },
  {
    name: 'commands',
    title: 'tests of commands: whole runs against the sandbox',
    minutes: 6,
    of: ['actions/', 'cli/', 'commands/', 'contract/', 'public-failures/'],
  },
]
