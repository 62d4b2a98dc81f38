import { formatPath } from '../../lib/finding.ts'
import { recipientKind } from '../age-recipient.ts'
import { quoteValue } from '../quote-value.ts'
import { parseSigner } from '../state-signer.ts'
import type { CheckFinding, CommonCheckContext } from './spec-check.ts'

const fewestRecipients = 2

/** Names that people and GitHub use for the branch with the sources. */
const branchesOfSources = ['main', 'master', 'trunk', 'develop', 'gh-pages', 'HEAD']

/** Where the state is kept, and who can read it. */
export function checkState({ file }: CommonCheckContext): CheckFinding[] {
  const { branch, recipients, signer } = file.state
  return [
    ...checkBranch(branch),
    ...recipients.flatMap((recipient, index) => checkRecipient(recipient, index, recipients)),
    ...checkKinds(recipients),
    ...warnFewRecipients(recipients),
    ...checkSigners(signer),
  ]
}

function checkBranch(branch: string): CheckFinding[] {
  const path = ['state', 'branch']
  if (branchesOfSources.includes(branch)) {
    return [
      {
        severity: 'error',
        path,
        message: `state.branch is ${branch}, where sources are kept`,
        hint: 'Choose a branch that holds nothing else; hcloud-talos is the default.',
      },
    ]
  }
  // The rules of git check-ref-format.
  const isBranch =
    /^[^\s~^:?*[\\]+$/.test(branch) &&
    !/(^[-/.]|\/[/.]|\.\.|@\{|\.lock(\/|$)|[/.]$|^@$)/.test(branch)
  if (isBranch) return []
  return [
    {
      severity: 'error',
      path,
      message: `state.branch is ${quoteValue(branch)}, which git takes for no name of a branch`,
      hint: 'Use letters, digits, hyphens and slashes.',
    },
  ]
}

function checkRecipient(recipient: string, index: number, all: readonly string[]): CheckFinding[] {
  const path = ['state', 'recipients', index]
  const name = formatPath(path)
  if (/^AGE-SECRET-KEY-/i.test(recipient)) {
    return [
      {
        severity: 'error',
        path,
        message: `${name} is a secret key of age, which must never stand in a repository`,
        hint: 'Treat it as lost: make a new one with age-keygen, and write its public half (age1…) here.',
      },
    ]
  }
  if (recipientKind(recipient) === undefined) {
    return [
      {
        severity: 'error',
        path,
        message: `${name} is ${quoteValue(recipient)}, which is no age recipient`,
        hint: recipientHint(recipient),
      },
    ]
  }
  if (all.indexOf(recipient) === index) return []
  return [{ severity: 'error', path, message: `${name} appears twice`, hint: 'Keep one of them.' }]
}

function recipientHint(recipient: string): string {
  if (recipient.startsWith('ssh-')) return 'Make a key with age-keygen: SSH keys are not supported.'
  const isOfPlugin = /^age1[a-z0-9]+1/.test(recipient) && !recipient.startsWith('age1pq1')
  return isOfPlugin
    ? 'Make a key with age-keygen: recipients of age plugins are not supported.'
    : 'Copy the public key that age-keygen printed (age1… or age1pq1…) once more: every character counts.'
}

/** One ordinary recipient would undo what the others' resistance to quantum computers is for. */
function checkKinds(recipients: readonly string[]): CheckFinding[] {
  const kinds = recipients.map(recipientKind)
  if (!kinds.includes('x25519') || !kinds.includes('post-quantum')) return []
  return [
    {
      severity: 'error',
      path: ['state', 'recipients'],
      message:
        'state.recipients mixes post-quantum recipients (age1pq1…) with others: whoever breaks one of the others reads everything',
      hint: 'Use one kind for all of them.',
    },
  ]
}

function warnFewRecipients(recipients: readonly string[]): CheckFinding[] {
  if (recipients.length >= fewestRecipients) return []
  const how = recipients.length === 0 ? 'no recipient' : 'a single recipient'
  return [
    {
      severity: 'warning',
      path: ['state', 'recipients'],
      message: `state.recipients names ${how}: whoever loses the key of the runs loses the secrets of the cluster`,
      hint: 'Add the public keys of at least two age identities, one of them kept offline.',
    },
  ]
}

function checkSigners(signer: string | readonly string[] | undefined): CheckFinding[] {
  if (typeof signer === 'string') return checkSigner(signer, ['state', 'signer'])
  return (signer ?? []).flatMap((each, index) => {
    const path = ['state', 'signer', index]
    if (signer?.indexOf(each) === index) return checkSigner(each, path)
    const message = `${formatPath(path)} appears twice: each epoch has a key of its own`
    return [{ severity: 'error', path, message, hint: 'Keep the first of them.' }]
  })
}

function checkSigner(signer: string, path: (string | number)[]): CheckFinding[] {
  if (parseSigner(signer)) return []
  return [
    {
      severity: 'error',
      path,
      message: `${formatPath(path)} is ${quoteValue(signer)}, which is no public key of a signer`,
      hint: 'Copy what `hcloud-talos signer` prints (hts1…) once more: every character counts.',
    },
  ]
}
