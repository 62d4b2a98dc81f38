import { describeEnd, leadTimes } from '../../../lib/ending.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import type {
  BranchNames,
  EnvironmentFacts,
  RepositoryFacts,
} from '../../../run/repository-facts.ts'

/** Secrets of which every branch's workflows make use when they are kept for the whole repository. */
const guarded = ['HCLOUD_TOKEN', 'AGE_IDENTITY']

/** Rules under which no run could write the state branch: it pushes commits of its own, unsigned, without a review. */
const blocking: readonly string[] = [
  'update',
  'pull_request',
  'required_signatures',
  'required_status_checks',
  'required_deployments',
  'merge_queue',
  'workflows',
  'code_scanning',
]

/** A lock is a branch that is made, moved by force and deleted all the time. */
const blockingLock: readonly string[] = [...blocking, 'creation', 'deletion', 'non_fast_forward']

interface RepositoryView {
  readonly clusterName: string
  readonly branches: BranchNames
  readonly now: number
}

/** What is wrong with the repository of a cluster. Pure. */
export function diagnoseRepository(
  facts: RepositoryFacts,
  { clusterName, branches, now }: RepositoryView,
): Diagnosis[] {
  return [
    ...diagnoseToken(facts),
    ...diagnoseTokenEnd(facts, now),
    ...diagnoseRules(facts, branches),
    ...diagnoseEnvironment(facts, clusterName),
    ...diagnoseSecrets(facts, clusterName),
    ...(facts.isPublic
      ? [
          problem(
            'github',
            'weak',
            `${facts.name} is public: everybody can keep the encrypted state until its keys are broken`,
            'Make the repository private, or use post-quantum recipients (`hcloud-talos rotate --prepare --post-quantum`).',
          ),
        ]
      : []),
  ]
}

function diagnoseToken({ name, mayPush, scopes }: RepositoryFacts): Diagnosis[] {
  if (!mayPush) {
    return [
      problem(
        'github',
        'bad',
        `this token may not push to ${name}`,
        'Give the job `permissions: contents: write`, or a token with Contents: read and write.',
      ),
    ]
  }
  const excess = scopes?.filter((scope) => !['repo', 'public_repo', 'workflow'].includes(scope))
  if (excess && excess.length > 0) {
    return [
      problem(
        'github',
        'weak',
        `this token may do more than it must: ${excess.join(', ')}`,
        `Use a fine-grained token for ${name} alone, with Contents: read and write.`,
      ),
    ]
  }
  return [passed('github', `this token may push to ${name}`)]
}

function diagnoseTokenEnd({ tokenEnds }: RepositoryFacts, now: number): Diagnosis[] {
  if (tokenEnds === undefined || tokenEnds - now > leadTimes.token) return []
  return [
    problem(
      'github',
      'weak',
      `this token ${describeEnd(tokenEnds, now)}`,
      'Make another one on GitHub (Settings, Developer settings), and put it where this one is kept.',
    ),
  ]
}

function diagnoseRules({ rules }: RepositoryFacts, { state, lock }: BranchNames): Diagnosis[] {
  if (!rules.state || !rules.lock) {
    return [unknown('the rules for branches', 'Metadata: read')]
  }
  const [inTheWay] = rules.state.filter((rule) => blocking.includes(rule))
  const [inTheLocksWay] = rules.lock.filter((rule) => blockingLock.includes(rule))
  const missing = ['non_fast_forward', 'deletion'].filter((rule) => !rules.state?.includes(rule))
  return [
    ...(inTheWay
      ? [
          problem(
            'github',
            'bad',
            `the rule ${inTheWay} keeps every run from writing ${state}`,
            `Exclude ${state} from that ruleset.`,
          ),
        ]
      : []),
    ...(inTheLocksWay
      ? [
          problem(
            'github',
            'bad',
            `the rule ${inTheLocksWay} keeps every run from taking the lock ${lock}`,
            `Exclude ${lock} from that ruleset.`,
          ),
        ]
      : []),
    missing.length === 0
      ? passed('github', `nobody can force-push or delete ${state}`)
      : problem(
          'github',
          'weak',
          `whoever may push can ${missing.includes('deletion') ? 'delete' : 'force-push'} ${state}`,
          `Add a ruleset for ${state} that restricts deletions and blocks force pushes.`,
        ),
  ]
}

/** The environment that holds what an apply needs is for the default branch alone, or everybody who pushes has it. */
function diagnoseEnvironment(
  { environments, defaultBranch }: RepositoryFacts,
  clusterName: string,
): Diagnosis[] {
  if (!environments) return [unknown('the environments', 'Environments: read (or Actions: read)')]
  const environment = environments.find(({ name }) => name === clusterName)
  if (!environment) {
    return [
      problem(
        'github',
        'weak',
        `there is no environment ${clusterName}`,
        `Make one, restrict it to the branch ${defaultBranch}, and put AGE_IDENTITY and HCLOUD_TOKEN into it.`,
      ),
    ]
  }
  const { branches } = environment
  if (branches === 'protected' || (branches !== 'any' && isOnly(branches, defaultBranch))) {
    return [passed('github', `the environment ${clusterName} is for the default branch alone`)]
  }
  const who = branches === 'any' ? 'every branch' : branches.join(', ')
  return [
    problem(
      'github',
      'bad',
      `the environment ${clusterName} can be used by ${who}: whoever may push can read its secrets`,
      `Restrict its deployment branches to ${defaultBranch}.`,
    ),
  ]
}

function isOnly(branches: readonly string[], name: string): boolean {
  return branches.length > 0 && branches.every((branch) => branch === name)
}

function diagnoseSecrets(
  { secrets, environments }: RepositoryFacts,
  clusterName: string,
): Diagnosis[] {
  if (!secrets) return [unknown('the secrets', 'Secrets: read')]
  const exposed = guarded.filter((name) => secrets.includes(name))
  const own = environments?.find(({ name }) => name === clusterName)
  return [
    ...exposed.map((name) =>
      problem(
        'github',
        'bad',
        `${name} is a secret of the whole repository: a workflow on any branch can read it`,
        `Move it into the environment ${clusterName}.`,
      ),
    ),
    ...missingSecrets(own, exposed),
  ]
}

function missingSecrets(
  own: EnvironmentFacts | undefined,
  exposed: readonly string[],
): Diagnosis[] {
  if (!own?.secrets) return []
  const missing = guarded.filter((name) => !own.secrets?.includes(name) && !exposed.includes(name))
  if (missing.length === 0) return [passed('github', `the environment ${own.name} has its secrets`)]
  return [
    problem(
      'github',
      'weak',
      `the environment ${own.name} has no secret ${missing.join(' and ')}`,
      `Add it there, or under the name that your workflow gives it.`,
    ),
  ]
}

function unknown(what: string, right: string): Diagnosis {
  return problem(
    'github',
    'unknown',
    `${what} cannot be read with this token`,
    `Allow it ${right}.`,
  )
}
