import { readdirSync, statSync } from 'node:fs'
import { cacheFolder } from '../../rig/bed/cache-folder.ts'
import { testGroups } from './test-groups.ts'

/** What can be asked for by name: `npm run check -- peers real`. Jobs of their own on GitHub. */
export const parts = ['static', 'tests', 'lives', 'peers', 'real'] as const

export interface Step {
  readonly part: (typeof parts)[number]
  readonly title: string
  readonly command: readonly string[]
  /** What it takes on two idle cores with warm caches. */
  readonly minutes: number
  /**
   * What happens where there is too little time for it. `must run`: it runs, however long it takes. `cut off`: it
   * begins, is ended for time, and what it has judged until then counts. `leave out`: it does not begin, since a
   * part of it says nothing.
   */
  readonly ifLate: 'must run' | 'cut off' | 'leave out'
  /** It leaves the result of each test for check.ts to count; without, the step itself is what passes or fails. */
  readonly hasResults?: true
  /** Paths that must be the same afterwards. */
  readonly unchanged?: readonly string[]
}

/** What scripts/generate.ts writes: committed, and rebuilt here without a difference. */
const generated = [
  ...['dist', 'schema', 'docs', 'src/talos/api/gen', 'actions', 'reconcile'],
  ...['README.md', 'CONTRIBUTING.md', 'examples/workflows'],
]

/** In the order of what they say for their time. */
export const steps: readonly Step[] = [
  {
    part: 'static',
    title: 'types',
    command: script('typecheck'),
    minutes: 0.1,
    ifLate: 'must run',
  },
  { part: 'static', title: 'lint', command: script('lint'), minutes: 0.1, ifLate: 'must run' },
  {
    part: 'static',
    title: 'unused code',
    command: script('unused'),
    minutes: 0.1,
    ifLate: 'must run',
  },
  {
    part: 'static',
    title: 'dist, schema and docs are as their sources say',
    command: script('generate'),
    minutes: 0.3,
    ifLate: 'must run',
    unchanged: generated,
  },
  {
    part: 'static',
    title: 'size of the bundle',
    command: script('size'),
    minutes: 0.05,
    ifLate: 'must run',
  },
  ...testGroups.map(
    ({ name, title, minutes, of }): Step => ({
      part: 'tests',
      title,
      ...tests('test', ...of.map((entry) => `test/${entry}`)),
      minutes,
      ifLate: name === 'pure' ? 'must run' : 'cut off',
    }),
  ),
  {
    part: 'lives',
    title: 'quickstart',
    command: script('quickstart'),
    minutes: 0.5,
    ifLate: 'leave out',
  },
  {
    part: 'peers',
    title: "peers: other people's software",
    ...tests('test:peers'),
    minutes: 8,
    ifLate: 'cut off',
  },
  {
    part: 'lives',
    title: 'whole lives: child processes, runs cut off, attacks, examples',
    ...tests('test:e2e'),
    minutes: 18,
    ifLate: 'cut off',
  },
  {
    part: 'lives',
    title: 'lines on which clusters hang are held by tests: a sample',
    command: [...script('mutate'), '--', '--sample', '6', '--seed', '20261128'],
    minutes: 3,
    ifLate: 'leave out',
  },
  {
    part: 'real',
    title: 'real nodes',
    command: script('test:real'),
    minutes: isBedMade() ? 38 : 38 + 25,
    ifLate: 'leave out',
    hasResults: true,
  },
]

function script(name: string): string[] {
  return ['npm', 'run', '--silent', name]
}

/** A script that is vitest, with the reporter whose results are counted. */
function tests(name: string, ...filters: string[]): Pick<Step, 'command' | 'hasResults'> {
  const reporters = ['--reporter=default', '--reporter=./scripts/check/result-reporter.ts']
  return { command: [...script(name), '--', ...filters, ...reporters], hasResults: true }
}

/** Whether an earlier run has left what real nodes start from. */
function isBedMade(): boolean {
  const folder = cacheFolder(process.env)
  const isThere = statSync(folder, { throwIfNoEntry: false }) !== undefined
  return isThere && readdirSync(folder).some((name) => name.startsWith('talos-root-'))
}
