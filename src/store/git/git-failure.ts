import { ClusterError } from '../../lib/cluster-error.ts'

/**
 * What a failed conversation with a remote means.
 * - `absent`: the asked-for ref is not there
 * - `rejected`: another writer was first; read again and redo
 * - `refused`: a matter of rights or rules, which trying again does not change
 * - `unknown`: the connection failed; whether anything happened cannot be told from here
 */
export type GitFailure = 'absent' | 'rejected' | 'refused' | 'unknown'

const absent = /couldn't find remote ref/

/** Texts of git and of GitHub's hooks; facts/github.md 33c. Refusals stand first: GitHub words some as rejections. */
const refused = [
  /\bGH0\d\d\b/,
  /protected branch|repository rule violations|hook declined/i,
  /returned error: 40[0134]/,
  /authentication failed|invalid username or (password|token)|could not read (username|password)/i,
  /permission to .* denied|permission denied|write access to repository not granted/i,
  /repository .*not found|does not appear to be a git repository|does not exist/i,
  /host key verification failed/i,
  // A repository or a rule that takes no push which drops commits; of a race git speaks in other words.
  /denying non-fast-forward|cannot force-push/i,
  /does not support --atomic push|deletion of the current branch|deny(ing)? (updating|deleting)/i,
  /dubious ownership|unsupported protocol|not allowed|unable to create temporary|insufficient permission/i,
]

const rejected = [
  /non-fast-forward|fetch first|stale info/,
  /cannot lock ref|failed to update ref|reference already exists|failed to lock/,
  /atomic (push failed|transaction failed)|incorrect old value|already exists/,
]

/** Sorts what git said when it failed; `output` is its standard output and error together. */
export function classifyGitFailure(output: string): GitFailure {
  if (absent.test(output)) return 'absent'
  if (refused.some((pattern) => pattern.test(output))) return 'refused'
  if (rejected.some((pattern) => pattern.test(output))) return 'rejected'
  return 'unknown'
}

const advice: readonly (readonly [RegExp, string])[] = [
  [
    /denying non-fast-forward|cannot force-push/i,
    'Lift the rule against force-pushes from the state branch for as long as this takes, and put it back.',
  ],
  [
    /GH006|GH013|protected branch|repository rule violations/i,
    'Exempt the state branch and its lock branches from the rule, or choose another branch in state.branch.',
  ],
  [
    /authentication failed|returned error: 401|invalid username|could not read (username|password)/i,
    'Check the token: it was not accepted at all.',
  ],
  [
    /returned error: 403|permission to|write access/i,
    'Give the job `permissions: contents: write`, or a token that may push.',
  ],
  [
    /host key verification failed/i,
    'Add the host to known_hosts after having compared its fingerprint.',
  ],
  [/permission denied \(publickey/i, 'Load an SSH key that the remote knows.'],
  [/dubious ownership/i, 'Add the repository to safe.directory of your git configuration.'],
  [
    /not found|does not exist|does not appear/i,
    'Check the address of the remote and that it may be read.',
  ],
]

/** `state-push-refused`: rights or rules of the remote forbid it; the hint says what to change. */
export function pushRefused(output: string, target: string): ClusterError {
  return new ClusterError('state-push-refused', `the remote refuses the push: ${summary(output)}`, {
    hint: hintFor(output, 'Read the remote’s message and allow this push.'),
    operation: 'write the state branch',
    target,
  })
}

/** `state-unreachable`: the remote could not be read. */
export function remoteUnreachable(output: string, target: string): ClusterError {
  return new ClusterError('state-unreachable', `the remote cannot be read: ${summary(output)}`, {
    hint: hintFor(output, 'Check the address of the remote and the network, then run again.'),
    operation: 'read the state branch',
    target,
    isUnanswered: classifyGitFailure(output) === 'unknown',
  })
}

function hintFor(output: string, otherwise: string): string {
  return advice.find(([pattern]) => pattern.test(output))?.[1] ?? otherwise
}

/** The lines that carry the reason, without git's decoration. */
function summary(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^(remote|fatal|error|!):?\s*/, '').trim())
    .filter((line) => line !== '' && !/^(To |hint:|Done$|Everything up-to-date)/.test(line))
  return lines.slice(0, 4).join('; ') || 'git printed nothing'
}
